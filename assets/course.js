// Judges the numbers that are typed. One listener for the page, however often this is run.
if (!window.tlNumbers) {
  window.tlNumbers = true;
  const judge = (box) => {
    const input = box.querySelector(".tl-number"), out = box.querySelector("output");
    const text = input.value.trim().replace(",", ".").replace("\u2212", "-");
    const given = text === "" ? NaN : Number(text);
    const near = (value) => Math.abs(given - value) <= Number(input.dataset.tolerance);
    const mistake = JSON.parse(input.dataset.mistakes).find(([value]) => near(value));
    const isRight = near(Number(input.dataset.answer));
    const verdict = isRight ? "right" : "wrong";
    out.removeAttribute("data-verdict");
    if (Number.isNaN(given)) { out.innerHTML = "Type a number, such as 0.25."; return; }
    out.dataset.verdict = verdict;
    out.innerHTML = isRight ? input.dataset.right : mistake ? mistake[1] : input.dataset.wrong;
  };
  document.addEventListener("click", (event) => {
    if (event.target.matches(".tl-answer button")) judge(event.target.closest(".tl-answer"));
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches(".tl-number")) return;
    event.preventDefault();
    judge(event.target.closest(".tl-answer"));
  });
}
