"""Style and script of the questions: style judges a choice, the script judges a number."""

QUESTION_STYLE = (
    "<style>"
    ".tl-question,.tl-slip{border:1px solid rgb(128 128 128/.5);border-left:4px solid #2a78c8;"
    "border-radius:4px;margin:.8em 0;padding:.6em 1em;min-width:0;color:inherit;font-size:1rem;"
    "line-height:1.5}"
    ".tl-question legend{all:revert;font:inherit;font-weight:600;color:inherit;float:left;"
    "width:100%;padding:0;margin:0 0 .4em}"
    ".tl-question legend+*{clear:both}"
    ".tl-choice{display:grid;grid-template-columns:auto 1fr;column-gap:.6em;padding:.2em 0}"
    ".tl-choice label,.tl-answer label{all:revert;font:inherit;color:inherit;margin:0}"
    ".tl-choice input{margin:.35em 0 0;width:1em;height:1em}"
    ".tl-choice [role=status]{grid-column:2}"
    ".tl-choice .tl-feedback{display:none;margin:.2em 0 .3em}"
    ".tl-choice :checked~[role=status] .tl-feedback{display:block}"
    ".tl-feedback{border-left:3px solid currentColor;padding-left:.6em}"
    ".tl-feedback:empty{display:none}"
    ".tl-question :focus-visible{outline:2px solid #2a78c8;outline-offset:2px}"
    ".tl-answer{display:flex;flex-wrap:wrap;gap:.5em;align-items:center}"
    ".tl-answer .tl-number{width:8em;font:inherit;color:inherit;background:none;padding:.2em .4em;"
    "border:1px solid currentColor;border-radius:3px}"
    ".tl-answer button{font:inherit;color:inherit;background:rgb(128 128 128/.18);"
    "padding:.2em .8em;border:1px solid currentColor;border-radius:3px;cursor:pointer}"
    ".tl-answer .tl-feedback{flex-basis:100%}"
    "</style>"
)

# A browser too old for `:has` shows every step at once.
SLIP_STYLE = (
    "<style>"
    ".tl-slip>ol{list-style:none;margin:0!important;padding:0!important}"
    ".tl-slip li{border-top:1px solid rgb(128 128 128/.5);margin:.8em 0 0;padding:.5em 0 0}"
    ".tl-slip li::marker{content:none}"
    ".tl-slip .tl-question{border:0;margin:0;padding:0}"
    ".tl-slip>p{margin:0 0 .4em}"
    ".tl-slip li:not(:has(:checked,output[data-verdict]))~li{display:none}"
    "</style>"
)

# One listener for all number questions of a page, however often the tag is in it.
NUMBER_SCRIPT = """<script>
if (!window.tlNumbers) {
  window.tlNumbers = true;
  const judge = (box) => {
    const input = box.querySelector(".tl-number"), out = box.querySelector("output");
    const text = input.value.trim().replace(",", ".").replace("\\u2212", "-");
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
</script>"""
