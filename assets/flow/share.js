// What a reader made on the front page, as a link: the state of the picture is put behind the "#" of the address. What a
// link brings is read by arrive.js, and that is loaded for who comes by one.
(function () {
  "use strict";
  const { tlFlow, tlAddress } = window, root = document.getElementById("flow-root");
  if (!root || !tlFlow || !tlAddress) return;
  const here = document.currentScript.src.replace(/share\.js.*$/, ""), ALL = 8;
  const KEYS = ["s", "own", "seed", "steps", "silence", "head", "stage", "lift", "t", "k"];
  let said, current = "", timer, changes = 0;

  // ---- from a state to an address ----

  const one = (name) => name.split(".").map((each) => +each + 1).join(".");
  const unless = (usual, value) => (value === usual ? undefined : value);

  async function fragment(own, isUntrained) {
    if (isUntrained) return tlAddress.write([["own", await tlAddress.packRules(own.rules, "")], ["seed", own.seed], ["steps", own.steps]]);
    const { words, silent, lifted, heat, top, stage, layer, head, group } = tlFlow.seen, { book } = tlFlow;
    const text = words.slice(1).join(" "), large = one(`${layer}.${head}`), usual = own || group ? large : one(`${book.layer}.${book.head}`);
    const what = own ? [["own", await tlAddress.packRules(own.rules, text)], ["seed", own.seed], ["steps", own.steps]]
      : [["s", unless(book.sentences[0], text)]];
    return tlAddress.write([...what,
      ["silence", unless("", [...silent].sort().map(one).join())], ["head", unless(usual, large)], ["stage", unless(0, stage)],
      ["lift", unless(0, +lifted)], ["t", unless(1, heat)], ["k", unless(ALL, Math.min(top, ALL))]]);
  }

  async function reflect() { // packing takes a moment, and Safari copies only within a press: the link is kept ready
    const mine = ++changes, { own } = share;
    const found = await fragment(own?.given, Boolean(own && !own.asked));
    if (mine !== changes) return;
    current = found;
    clearTimeout(timer);
    timer = setTimeout(show, 400); // a browser allows a hundred such changes in half a minute
  }

  function show() {
    share.written = current;
    try {
      history.replaceState(null, "", current || location.pathname + location.search);
    } catch { /* then the address stays, and the button still copies the link */ }
  }

  // ---- what is loaded at a press ----

  const loaded = new Map();
  function load(name) {
    if (!loaded.has(name)) {
      loaded.set(name, new Promise((done, failed) => {
        const isStyle = name.endsWith(".css"), element = document.createElement(isStyle ? "link" : "script");
        const onerror = () => { loaded.delete(name); failed(new RangeError("a file of this page could not be loaded")); };
        Object.assign(element, isStyle ? { rel: "stylesheet", href: here + name } : { src: here + name }, { onload: done, onerror });
        document.head.append(element);
      }));
    }
    return loaded.get(name);
  }

  async function arrive() {
    if (location.hash !== share.written && tlAddress.has(location.hash, KEYS)) {
      await load("arrive.js");
      await share.arrive();
    }
    document.documentElement.classList.remove("tl-own-comes");
  }

  async function save(kind) {
    await load("picture.js");
    await tlFlow.savePicture(root, kind, share.own ? "own-language" : "sentence");
    said.textContent = `The picture is saved as ${kind.toUpperCase()}.`;
  }

  const ACTS = {
    own: async () => { await load("arrive.js"); await share.openOwn(); },
    link: () => tlAddress.copy(tlAddress.link(current), "link", said),
    frame: async () => {
      await load("embed.js");
      await tlAddress.copy(window.tlFrame.code(tlAddress.link(current), true), "code of a frame", said);
      said.append(" It shows the sentence and one arc; without “=sentence” it shows the whole picture.");
    },
    png: () => save("png"), svg: () => save("svg"),
  };

  const share = tlFlow.share = { KEYS, ALL, load, reflect, own: undefined, written: "" };

  tlFlow.onLive = () => {
    const row = document.getElementById("flow-send");
    said = row.querySelector(".flow-shared");
    row.addEventListener("click", ({ target }) => {
      ACTS[target.dataset.act]?.().catch((error) => { said.textContent = `That did not work: ${error.message}.`; });
    });
    tlFlow.onChange = reflect;
    addEventListener("hashchange", arrive);
    return arrive();
  };
})();
