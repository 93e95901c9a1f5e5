// What a link to the front page brings: assets/address.js has read its keys, and here is what each value may be. Every word
// of a link to the book's model must be known to it, so no link makes this page show foreign text.
(function () {
  "use strict";
  const { tlFlow, tlAddress } = window, { root, share } = tlFlow, { count, refuse } = tlAddress;
  const OWN = ["own/own.css", "../vendor/flow/refusals.js", ...["notation", "rules", "train", "ask", "run", "own"].map((name) => `own/${name}.js`)];
  const coming = document.documentElement.classList; // share.css keeps room for the rules that come

  function heads(text, layers) {
    if (!/^\d\.\d(,\d\.\d){0,7}$/.test(text)) refuse("its heads must look like 2.3, the third head of the second layer");
    return text.split(",").map((each) => {
      const [layer, head] = each.split(".").map(Number);
      if (layer < 1 || layer > layers || head < 1 || head > 4) refuse(`the model has ${layers} layer${layers > 1 ? "s" : ""} of 4 heads, and no head ${each}`);
      return `${layer - 1}.${head - 1}`;
    });
  }

  function sentence(text) {
    const words = text.normalize("NFC").trim().split(/\s+/u).filter(Boolean), { tokens } = tlFlow.book, ids = tlFlow.idsOf(words, tokens);
    if (words.length > tlFlow.limit) refuse(`the picture has room for ${tlFlow.limit} words`);
    if (ids.includes(-1)) refuse("its sentence has a word that the model does not know");
    return ids.map((id) => tokens[id]);
  }

  /** What the address sets. @throws {RangeError} the reason in half a sentence */
  function read() {
    const given = tlAddress.read(location.hash, share.KEYS), layers = given.has("own") ? 1 : 2;
    const number = (key, low, high, what, usual) => (given.has(key) ? count(given.get(key), low, high, what) : usual);
    const whole = (...about) => Math.floor(number(...about)), top = whole("k", 1, share.ALL, "top-k", share.ALL);
    const [layer, head] = given.has("head") ? heads(given.get("head"), layers)[0].split(".").map(Number) : [];
    return {
      packed: given.get("own"), text: given.get("s"), layer, head, silent: new Set(given.has("silence") ? heads(given.get("silence"), layers) : []),
      stage: whole("stage", 1, 5, "stage", 0), lifted: given.get("lift") === "1", heat: number("t", 0.1, 3, "temperature", 1),
      top: top < share.ALL ? top : Infinity, seed: whole("seed", 0, 9999, "seed", 0), steps: whole("steps", 1, 2000, "number of steps", 400),
    };
  }

  share.arrive = async () => {
    try {
      const state = read();
      say("");
      if (state.packed !== undefined) await share.openOwn({ ...state, ...await tlAddress.unpackRules(state.packed) });
      else showBook({ ...state, words: state.text === undefined ? tlFlow.book.sentences[0].split(" ") : sentence(state.text) });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      say(`This link cannot be shown: ${error.message}. The picture is as it was.`);
    }
  };

  function showBook(state) {
    share.own?.close();
    tlFlow.take(tlFlow.book);
    tlFlow.restore(state);
  }

  // Said above the sentence, where a reader looks first; a phone has the buttons far below.
  function say(text) {
    root.querySelector(".flow-arrived")?.remove();
    if (!text) return;
    const line = Object.assign(document.createElement("p"), { className: "flow-arrived", textContent: text });
    line.setAttribute("role", "alert");
    root.prepend(line);
  }

  share.openOwn = async (state) => {
    coming.toggle("tl-own-comes", !share.own);
    try {
      for (const name of OWN) await share.load(name);
      share.own ??= tlFlow.own(() => { share.own = undefined; });
      share.own.open(state);
    } finally {
      coming.remove("tl-own-comes");
    }
  };
})();
