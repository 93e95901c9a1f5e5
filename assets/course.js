// Judges answers. One listener of a kind for the page, however often this is run.
if (!window.tlQuestions) {
  window.tlQuestions = true;
  const FACTOR = "[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:e[-+]?\\d+)?";
  const PRODUCT = new RegExp(`^${FACTOR}(?:[*/]${FACTOR})*$`, "i");
  // What is typed may be a number, a fraction or a product; a comma may stand before the decimals or
  // between thousands, so there can be two ways to read it.
  const readings = (typed) => {
    const text = typed.replace(/\s/g, "").replace(/\u2212/g, "-")
      .replace(/[\u00b7\u00d7]/g, "*").replace(/[:\u00f7\u2044]/g, "/");
    const ways = [text.replace(/,/g, "."), text.replace(/,(?=\d{3}(?!\d))/g, "")];
    return ways.filter((way) => PRODUCT.test(way)).map(computed).filter(Number.isFinite);
  };
  const computed = (way) => {
    const [first, ...rest] = way.split(/([*/])/);
    let value = Number(first);
    for (let i = 0; i < rest.length; i += 2) {
      value = rest[i] === "*" ? value * Number(rest[i + 1]) : value / Number(rest[i + 1]);
    }
    return value;
  };
  // What is said of a wrong number that the question does not foresee.
  const hint = (given, answer) => {
    const near = (value, share) =>
      given.some((each) => Math.abs(each - value) <= share * Math.abs(value));
    if (near(-answer, 0.001)) return "Check the sign.";
    if (near(100 * answer, 0.001) || near(answer / 100, 0.001)) {
      return "Is a share asked for, or a percentage?";
    }
    if (near(answer, 0.03)) return "You are close: check how you count and how you round.";
    return "Write down each step, and compare the steps with the section above.";
  };
  const judgeNumber = (question) => {
    const input = question.querySelector(".tl-number"), out = question.querySelector("output");
    const given = readings(input.value);
    const near = (value) =>
      given.some((each) => Math.abs(each - value) <= Number(input.dataset.tolerance));
    const mistake = JSON.parse(input.dataset.mistakes).find(([value]) => near(value));
    const answer = Number(input.dataset.answer), isRight = near(answer);
    out.removeAttribute("data-verdict");
    if (!given.length) { out.textContent = "Type a number, such as 0.25, 1/4 or 2*3."; return; }
    out.dataset.verdict = isRight ? "right" : "wrong";
    out.innerHTML = isRight ? input.dataset.right : mistake ? mistake[1] : input.dataset.wrong;
    if (out.innerHTML.endsWith("</b>") && !isRight) out.innerHTML += ` ${hint(given, answer)}`;
    question.dataset.answered = "";
  };
  const judgeChoice = (question) => {
    const chosen = question.querySelector("input:checked");
    const none = question.querySelector(".tl-none");
    if (none) none.textContent = chosen ? "" : "Choose an answer first.";
    if (!chosen) return;
    question.dataset.answered = "";
    chosen.closest(".tl-choice").dataset.judged = chosen.dataset.verdict;
  };
  const judge = (question) =>
    (question.querySelector(".tl-number") ? judgeNumber : judgeChoice)(question);
  const unjudge = (question) => question.querySelectorAll("[data-judged]")
    .forEach((choice) => choice.removeAttribute("data-judged"));
  document.addEventListener("click", (event) => {
    if (event.target.matches(".tl-question .tl-check")) judge(event.target.closest(".tl-question"));
  });
  // The arrow keys choose and do not judge; what was said of another choice goes.
  document.addEventListener("change", (event) => {
    if (event.target.matches(".tl-choice input")) unjudge(event.target.closest(".tl-question"));
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches(".tl-question input")) return;
    event.preventDefault();
    judge(event.target.closest(".tl-question"));
  });
}
