// "On this device": forget what a reader wrote, for computers that several people use.
(function () {
  "use strict";
  const { base, copied } = window.tlBook;
  const PAGE = /^(intro$|chapters\/|exercises\/)/;
  const OLD = "tl-live:"; // what an earlier version kept, for all books of the address
  const place = document.querySelector(".tl-device-words");

  const button = (textContent, act) => {
    const made = Object.assign(document.createElement("button"), { type: "button", textContent });
    made.addEventListener("click", act);
    return made;
  };
  const pages = (prefix) => Object.keys(localStorage)
    .filter((key) => key.startsWith(prefix) && PAGE.test(key.slice(prefix.length)));
  const plural = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

  const said = document.createElement("p");
  said.setAttribute("role", "status");
  const own = button("Forget everything that I wrote in this book", () => forget(`${OLD}${base}`));
  const old = button("Forget what an earlier version kept for all books here", () => forget(OLD));
  const undo = button("Undo", () => {
    before.forEach((text, key) => put(key, text));
    tell("All of it is back.");
    before = new Map();
    undo.hidden = true;
  });
  let before = new Map(); // what the last press changed

  function forget(prefix) {
    const keys = pages(prefix);
    // What an earlier version kept would else come into this book again.
    const marks = pages(OLD).map((key) => copied(key.slice(OLD.length)));
    before = new Map([...keys, ...marks].map((key) => [key, localStorage.getItem(key)]));
    const texts = keys.filter((key) => !key.endsWith("/times")), cells = texts.reduce((sum, key) => sum + count(before.get(key)), 0);
    const times = texts.length < keys.length ? " and the times of your reading" : "";
    keys.forEach((key) => put(key, null));
    marks.forEach((key) => put(key, "1"));
    undo.hidden = !keys.length;
    tell(keys.length
      ? `The browser has forgotten what you wrote in ${plural(cells, "cell")} of ${plural(texts.length, "page")}, the student number`
        + `${times} too. Close the tabs in which such a page is still open.`
      : "The browser had kept nothing that you wrote in this book.");
  }

  function tell(text) {
    old.hidden = !pages(OLD).length;
    said.textContent = text;
  }

  function put(key, text) {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  }

  function count(text) {
    try {
      return Object.keys(JSON.parse(text)).length;
    } catch {
      return 1; // it is damaged
    }
  }

  const bar = Object.assign(document.createElement("p"), { className: "tl-device-bar" });
  undo.hidden = true;
  bar.append(own, old, undo);
  place.replaceChildren(bar, said);
  try {
    tell("");
  } catch {
    place.textContent = "This browser keeps nothing of what you write.";
  }
})();
