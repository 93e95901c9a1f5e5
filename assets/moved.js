// Where the sections and cells of a page went: old links, and what a reader typed, follow them.
(function () {
  "use strict";
  const root = document.currentScript.src.replace(/_static\/.*$/, "");
  const page = location.href.slice(root.length).replace(/\.html.*$/, "");
  const SECTIONS = {
    "chapters/04_attention": {
      "three-roles-for-one-word": "chapters/attention.html#query-key-and-value",
      "from-one-vector-three": "chapters/attention.html#query-key-and-value",
      "one-query-by-hand": "chapters/attention.html#one-query-by-hand",
      "a-score-as-an-angle": "chapters/attention.html#a-score-for-two-words-the-dot-product",
      "check-yourself": "chapters/attention.html#check-yourself",
      "where-this-stands": "chapters/04_attention.html#sources",
    },
  };
  const CELLS = {
    "chapters/04_attention": {
      "chapters/attention": "from-x-rows from-x-learned from-x-products c005 c009 c011 c013 c015 two-arrows-plane",
    },
  };

  const target = SECTIONS[page]?.[location.hash.slice(1)];
  if (target && !document.getElementById(location.hash.slice(1))) location.replace(root + target);

  const read = (name) => JSON.parse(localStorage.getItem(`tl-live:${name}`) ?? "{}");
  const write = (name, kept) => localStorage.setItem(`tl-live:${name}`, JSON.stringify(kept));
  try {
    for (const [from, places] of Object.entries(CELLS)) {
      for (const [to, ids] of Object.entries(places)) {
        const old = read(from);
        const moved = ids.split(" ").filter((id) => typeof old[id] === "string");
        if (!moved.length) continue;
        write(to, { ...Object.fromEntries(moved.map((id) => [id, old[id]])), ...read(to) });
        moved.forEach((id) => delete old[id]);
        write(from, old);
      }
    }
  } catch {
    // A browser may forbid it, and what is kept may be damaged: then it stays where it is.
  }
})();
