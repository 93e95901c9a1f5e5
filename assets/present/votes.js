// Votes by hand: the speaker types how many hands each option got. They are kept on this device with the day.
(function () {
  "use strict";
  const { made, kept } = window.tlPresent;
  const key = `tl-votes:${window.tlBook.base}${document.body.dataset.page}`;
  const all = () => {
    try {
      return JSON.parse(kept(key)) ?? {};
    } catch {
      return {};
    }
  };
  const letter = (at) => String.fromCharCode(65 + at); // as the slide has them
  const said = ([day, hands]) => {
    const date = new Date(`${day}T12:00`).toLocaleDateString("en", { dateStyle: "medium" });
    return made("li", {}, `${date}: ${hands.map((number, at) => `${letter(at)} ${number}`).join(", ")}`);
  };

  /** A field for each option of a question, and what was counted on other days. */
  const votes = (question) => {
    const options = [...question?.querySelectorAll(".tl-choice") ?? []];
    if (!options.length) return [];
    const { [new Date().toLocaleDateString("sv")]: today = [], ...before } = all()[question.id] ?? {};
    const inputs = options.map((_, at) => made("input", { type: "number", min: 0, value: today[at] ?? 0 }));
    const keep = () => {
      const days = all(), day = new Date().toLocaleDateString("sv");
      days[question.id] = { ...days[question.id], [day]: inputs.map((input) => Number(input.value)) };
      kept(key, JSON.stringify(days));
    };
    const labels = inputs.map((input, at) => made("label", { oninput: keep }, `${letter(at)} `, input));
    return [made("p", { className: "tl-hands" }, ...labels), made("ul", {}, ...Object.entries(before).map(said))];
  };
  Object.assign(window.tlPresent, { votes });
})();
