// The order of what the search finds: the chapters, what belongs to them, then reference and tasks.
// Who types a whole question finds the page of questions first, if all its words are there.
// Sphinx reads this file when it builds the book, and takes all numbers but `score` as they stand.
window.Scorer = {
  score: ([page, , , , score]) => {
    const asked = new URLSearchParams(location.search).get("q") ?? "";
    if (page === "chapters/questions" && asked.trim().split(/\s+/).length > 3) return score + 100;
    const orders = [/^chapters\/(\d\d|whole_model|questions)/, /^(?!exercises|chapters\/(api|worked)|_modules)/, /^(?!_modules)/];
    const at = orders.findIndex((order) => order.test(page));
    return score - 200 * (at < 0 ? orders.length : at); // no score of a match is above 100
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
