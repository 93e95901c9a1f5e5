// A question is first shown without its verdicts, and a key shows all of them. What the reader had
// answered before is there again after the slides.
(function () {
  "use strict";
  const { made } = window.tlPresent;
  const choices = (question) => [...question.querySelectorAll(".tl-choice")];
  const judge = (choice, verdict) => {
    if (verdict) choice.dataset.judged = verdict;
    else choice.removeAttribute("data-judged");
  };
  const say = (out, html, verdict) => {
    if (!out) return;
    out.innerHTML = html;
    if (verdict) out.dataset.verdict = verdict;
    else out.removeAttribute("data-verdict");
  };
  const outOf = (question) => question.querySelector("output");

  /** Hide the verdicts of a question; what brings back those that it had. */
  const hide = (question) => {
    const verdicts = choices(question).map((choice) => [choice, choice.dataset.judged]);
    const out = outOf(question), before = out && [out.innerHTML, out.dataset.verdict];
    verdicts.forEach(([choice]) => judge(choice));
    say(out, "");
    // For phones, where the book has an address.
    const address = made("p", { className: "tl-address" });
    // It is broken, if at all, behind a sign and not in a word.
    for (const part of `${location.host + location.pathname}#${question.id}`.split(/(?<=[/#])/)) address.append(part, made("wbr"));
    if (location.host) question.append(address);
    return () => {
      address.remove();
      verdicts.forEach(([choice, verdict]) => judge(choice, verdict));
      if (out) say(out, ...before);
      question.removeAttribute("data-revealed");
    };
  };
  const reveal = (question) => {
    const input = question.querySelector(".tl-number");
    const number = input && Number(Number(input.dataset.answer).toPrecision(4)); // nobody has typed it here
    if (input) say(outOf(question), `${input.dataset.right} The number is <b>${number}</b>.`, "right");
    choices(question).forEach((choice) => judge(choice, choice.querySelector("input").dataset.verdict));
    question.dataset.revealed = "";
  };
  /** The wrong answers that the question foresees, each with what is said of it. */
  const wrong = (question) => {
    const input = question?.querySelector(".tl-number");
    if (input) return JSON.parse(input.dataset.mistakes).map(([value, why]) => [String(Number(value.toFixed(3))), why]);
    const found = question ? choices(question).filter((choice) => choice.querySelector("[data-verdict=wrong]")) : [];
    return found.map((choice) =>
      [choice.querySelector("label").textContent, choice.querySelector(".tl-feedback")?.innerHTML ?? ""]);
  };
  Object.assign(window.tlPresent, { question: { hide, reveal, wrong } });
})();
