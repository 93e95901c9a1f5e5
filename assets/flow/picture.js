// The picture as a file: one drawing of plain marks with the colors that the page shows, as wide as the five stages, so
// that nothing is stretched, and as high as the preview of a link. It names the book, and needs nothing but itself.
(function () {
  "use strict";
  const NAME = "http://www.w3.org/2000/svg", ALL = "2 3 4 5", [WIDTH, HEIGHT] = [1260, 660];
  const LEFT = 30, ROOM = WIDTH - 2 * LEFT, TOP = 192, TALL = 400, WIDTHS = [124, 220, 352, 318, 186], SHARE = 46; // pixels beside a bar
  const SERIF = "'Source Serif 4', Georgia, 'Times New Roman', serif", SANS = "Inter, 'Helvetica Neue', Arial, sans-serif";
  // A color is a number here, and how much of it covers is another: SVG 1.1 knows no other way.
  const COLORS = ["fill", "stroke"], KEPT = ["stroke-width", "stroke-dasharray", "stroke-linejoin", "paint-order", "font-size", "font-weight", "text-anchor"];
  const PRIVATE = /^(localhost|127\..*|0\.0\.0\.0|10\..*|192\.168\..*|169\.254\..*|172\.(1[6-9]|2\d|3[01])\..*|\[.*\]|[^.]*|.*\.(local|localhost|test|internal|lan))$/;

  function mark(name, attributes, ...inside) {
    const element = document.createElementNS(NAME, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...inside);
    return element;
  }

  // ---- colors ----

  // What a browser computes: rgb(1, 2, 3), rgba(1, 2, 3, 0.4) or, of colors that were mixed, color(srgb 0.1 0.2 0.3 / 0.4).
  function read(value) {
    const parts = value.match(/[\d.]+(e-?\d+)?/g)?.map(Number) ?? [0, 0, 0], unit = value.startsWith("color(") ? 255 : 1;
    const hex = parts.slice(0, 3).map((part) => Math.round(Math.min(255, part * unit)).toString(16).padStart(2, "0")).join("");
    return { color: `#${hex}`, covers: parts[3] ?? 1 };
  }

  function painted(kind, value) {
    if (!value || value === "none" || value.startsWith("url(")) return { [kind]: "none" };
    const { color, covers } = read(value);
    return covers === 1 ? { [kind]: color } : { [kind]: color, [`${kind}-opacity`]: +covers.toFixed(3) };
  }

  function palette(root) {
    const probe = root.appendChild(document.createElement("i"));
    const of = (value) => { probe.style.color = value; return read(getComputedStyle(probe).color).color; };
    const names = ["tl-weight", "tl-key", "tl-value", "tl-query", "tl-residual", "flow-paper", "flow-ink", "flow-muted", "flow-tint"];
    const found = Object.fromEntries(names.map((name) => [name.slice(name.indexOf("-") + 1), of(`var(--${name})`)]));
    probe.remove();
    return found;
  }

  // ---- text ----

  const pen = document.createElement("canvas").getContext("2d");

  // How wide a text is at most: with the face of the page, or with the one that is there where the file is opened.
  function wide(text, size, family, style = "") {
    return Math.max(...[family, family.split(",").slice(1).join(",")].map((each) => {
      pen.font = `${style} ${size}px ${each}`;
      return pen.measureText(text).width;
    }));
  }

  // The largest size up to `most` at which a text has room.
  const fit = (text, room, most, family, style) => Math.round(10 * Math.min(most, most * room / Math.max(1, wide(text, most, family, style)))) / 10;

  // The words of an element, each as pieces that are italic or not: "<i>store</i>," is one word of two pieces.
  function readWords(element) {
    const words = [[]];
    for (const node of element.childNodes) {
      const isItalic = node.nodeName === "I";
      node.textContent.split(/(\s+)/).forEach((text) => {
        if (/^\s+$/.test(text)) words.push([]);
        else if (text) words.at(-1).push({ text, isItalic });
      });
    }
    return words.filter((word) => word.length);
  }

  const plainly = (word) => word.map(({ text }) => text).join("");

  function wrapped(words, room, size, family) {
    const lines = [[]];
    for (const word of words) {
      if (lines.at(-1).length && wide([...lines.at(-1), word].map(plainly).join(" "), size, family) > room) lines.push([]);
      lines.at(-1).push(word);
    }
    return lines;
  }

  // Words in two lines at most: smaller, and then without what does not fit.
  function inTwo(words, room, sizes, family) {
    for (const size of sizes) {
      const lines = wrapped(words, room, size, family);
      if (lines.length < 3) return { size, lines };
    }
    const size = sizes.at(-1), lines = wrapped(words, 0.97 * room, size, family).slice(0, 2);
    lines[1].push([{ text: "…", isItalic: false }]);
    return { size, lines };
  }

  function written(x, y, words, attributes) {
    const text = mark("text", { x, y, ...attributes });
    words.forEach((word, k) => {
      if (k) text.append(" ");
      for (const { text: piece, isItalic } of word) text.append(isItalic ? mark("tspan", { "font-style": "italic" }, piece) : piece);
    });
    return text;
  }

  // ---- the marks of the page ----

  // A copy without classes: each mark says itself how it looks, where its group does not.
  function plain(original, isTop = true) {
    const style = getComputedStyle(original), around = getComputedStyle(original.parentNode);
    if (style.display === "none" || style.visibility === "hidden") return [];
    const copy = original.cloneNode(false);
    for (const { name } of [...copy.attributes]) if (name === "class" || name === "id" || name.startsWith("data-")) copy.removeAttribute(name);
    const set = (attributes) => { for (const [key, value] of Object.entries(attributes)) copy.setAttribute(key, value); };
    if (original.nodeName === "marker") copy.id = "tip";
    for (const kind of COLORS) if (isTop || style[kind] !== around[kind]) set(painted(kind, style.getPropertyValue(kind)));
    for (const key of KEPT) {
      const value = style.getPropertyValue(key).replace(/px\b/g, "");
      if (value && (isTop ? value !== "none" : value !== around.getPropertyValue(key).replace(/px\b/g, ""))) set({ [key]: value });
    }
    if (+style.opacity !== 1) set({ opacity: style.opacity });
    const tip = style.getPropertyValue("marker-end");
    if (original.nodeName === "path") copy.removeAttribute("marker-end");
    if (original.nodeName === "g" && tip.includes("#")) set({ "marker-end": "url(#tip)" });
    for (const child of original.childNodes) copy.append(...(child.nodeType === 1 ? plain(child, false) : [child.textContent]));
    return [copy];
  }

  // ---- the stages that are lists ----

  function words(list, { ink, muted, query, tint }) {
    const items = [...list.children], pitch = TALL / items.length, here = Math.max(0, items.findIndex((item) => item.matches(".flow-here")));
    return items.flatMap((item, r) => {
      const [word, id] = [item.firstChild.textContent, item.lastChild.textContent], y = (r + 0.5) * pitch, isHere = r === (list.querySelector(".flow-here") ? here : items.length - 1);
      const size = fit(word, 100 - wide(id, 12, SANS), Math.min(20, pitch * 0.8), SERIF);
      return [
        ...(isHere ? [mark("rect", { "y": r * pitch, "width": 124, "height": pitch, "fill": tint }), mark("rect", { "y": r * pitch, "width": 3, "height": pitch, "fill": query })] : []),
        mark("text", { "x": 8, "y": y + size * 0.32, "font-size": size, "font-family": SERIF, "fill": isHere ? query : ink }, word),
        mark("text", { "x": 112, "y": y + 4, "font-size": 12, "text-anchor": "end", "fill": muted }, id),
      ];
    });
  }

  function bars(list, { ink, muted, weight, residual }) {
    const items = [...list.children], pitch = TALL / items.length, room = WIDTHS[4] - SHARE;
    return items.flatMap((item, r) => {
      const [name, share] = [item.querySelector("b").textContent, item.lastChild.textContent], y = (r + 0.5) * pitch;
      const isOther = r === items.length - 1, isBest = item.matches(".flow-best"), color = isBest ? weight : ink;
      const size = isOther ? 13 : fit(name, room - 8, 19, SERIF, isBest ? "600" : "");
      return [
        mark("rect", { "y": y - 15, "width": +(room * parseFloat(item.querySelector("i").style.width) / 100).toFixed(1), "height": 30, "fill": isOther ? residual : weight, "fill-opacity": 0.2 }),
        mark("text", { "x": 8, "y": y + size * 0.32, "font-size": size, "font-family": isOther ? SANS : SERIF, "font-weight": isBest ? 600 : 400, "fill": isOther ? muted : color }, name),
        mark("text", { "x": WIDTHS[4], "y": y + 5, "font-size": 14, "text-anchor": "end", "font-weight": isBest ? 600 : 400, "fill": color }, share),
      ];
    });
  }

  // ---- what stands above and below ----

  // While a typed word is refused, the picture is that of the sentence before.
  function sentence(copy) {
    const isRefused = copy.querySelector(".flow-stages").inert, [verb, how] = [...copy.querySelector("#flow-verb").children].map((each) => each.textContent);
    if (!isRefused) return { said: copy.querySelector("#flow-sentence").textContent.trim(), verb, how, told: copy.querySelector("#flow-say") };
    const [, ...known] = [...copy.querySelectorAll(".flow-words li")].map((item) => item.firstChild.textContent);
    return { said: known.join(" "), verb: copy.querySelector(".flow-best b")?.textContent ?? "", how: "", told: document.createElement("p") };
  }

  function headline(copy, { ink, muted, weight }) {
    const { said, verb, how, told } = sentence(copy), all = [...said.split(/\s+/), verb];
    const beside = how ? 14 + wide(how, 15, SANS) : 0, one = fit(all.join(" "), ROOM - beside, 46, SERIF);
    const pieces = all.map((text) => [{ text, isItalic: false }]), second = ROOM - beside;
    const { size, lines } = one >= 27 ? { size: one, lines: [pieces] } : inTwo(pieces, second, [28, 26, 24, 22, 20, 18, 16, 14], SERIF);
    const parts = lines.map((line, k) => {
      const y = lines.length > 1 ? 36 + 1.15 * size * k : 66;
      if (k < lines.length - 1) return written(LEFT, y, line, { "font-family": SERIF, "font-size": size, "fill": ink });
      const text = written(LEFT, y, line.slice(0, -1), { "font-family": SERIF, "font-size": size, "fill": ink });
      text.append(line.length > 1 ? " " : "", mark("tspan", { fill: weight }, plainly(line.at(-1))));
      if (how) text.append(mark("tspan", { "dx": 12, "font-family": SANS, "font-size": 15, "fill": weight }, how));
      return text;
    });
    const below = inTwo(readWords(told), ROOM, [16, 15, 14.5, 14, 13.5, 13, 12.5, 12], SANS);
    return [...parts, ...below.lines.filter((line) => line.length).map((line, k) => written(LEFT, 98 + 21 * k, line, { "font-size": below.size, "fill": muted }))];
  }

  function published() {
    const link = document.querySelector('link[rel="canonical"]')?.href ?? "", { protocol, hostname } = link ? new URL(link) : {};
    return /^https?:$/.test(protocol) && !PRIVATE.test(hostname) ? link.replace(/^https?:\/\//, "") : "";
  }

  // What heads a stage: its title, and small words above the columns of its picture.
  function title(stage, k, { ink, muted, ...colors }) {
    const [number, ...name] = stage.querySelector("h2").textContent.trim().split(/\s+/), shown = stage.querySelector("[aria-pressed=true][data-head]")?.ariaLabel;
    const text = mark("text", { "y": TOP - 40, "font-size": 15, "font-weight": 600, "fill": ink }, mark("tspan", { "fill": muted, "font-weight": 400 }, number), ` ${name.join(" ")}`);
    if (shown) text.append(mark("tspan", { "fill": muted, "font-weight": 400, "font-size": 13, "dx": 8 }, shown));
    const small = { "font-size": 11.5, "fill": muted };
    const columns = [...stage.querySelectorAll(".flow-columns span")].flatMap((span) => {
      const isParts = span.parentNode.matches(".flow-parts"), x = WIDTHS[k] * parseFloat(span.style.left) / 100, lines = span.hidden ? [] : [...span.childNodes].filter((node) => node.nodeType === 3);
      const anchor = isParts ? "middle" : "start", at = isParts && (span.nextSibling?.hidden ?? true) ? x - 6 : x; // beside the bars
      return lines.map((node, row) => mark("text", { ...small, "x": at.toFixed(1), "y": TOP - 8 - 13 * (lines.length - 1 - row), "text-anchor": anchor }, node.textContent));
    });
    const legend = [...stage.querySelectorAll(".flow-foot small span")].map((span) => span.textContent), line = mark("text", { ...small, x: 88, y: TOP - 8 });
    legend.forEach((word, each) => line.append(mark("tspan", { fill: colors[word], ...(each ? { dx: 10 } : {}) }, word)));
    return [text, ...columns, ...(legend.length ? [line] : [])];
  }

  // A long word of another script has no room before the lines: it gets smaller.
  function narrow(part) {
    for (const text of part.querySelectorAll("text")) {
      const size = fit(text.textContent, 80, 12, SANS);
      if (size < 12) text.setAttribute("font-size", size);
    }
  }

  function drawn(copy) {
    const colors = palette(copy), { said, verb } = sentence(copy), { ink, muted, paper } = colors;
    const svg = mark("svg", { "xmlns": NAME, "viewBox": `0 0 ${WIDTH} ${HEIGHT}`, "width": WIDTH, "height": HEIGHT, "font-family": SANS, "role": "img" },
      mark("title", {}, `${said} ${verb}`), mark("rect", { width: WIDTH, height: HEIGHT, fill: paper }), ...headline(copy, colors));
    WIDTHS.forEach((width, k) => { // by their number: on a phone the last stage comes first
      const stage = copy.querySelector(`.flow-stage[data-stage="${k + 1}"]`), picture = stage.querySelector(".flow-picture"), x = LEFT + WIDTHS.slice(0, k).reduce((sum, each) => sum + each, 0);
      const marks = picture.querySelector("svg") ? [...picture.querySelector("svg").children].flatMap((each) => plain(each)) : (k ? bars : words)(picture.firstElementChild, colors);
      const part = mark("g", { transform: `translate(${x} ${TOP})` }, ...marks);
      if (k === 2) narrow(part);
      svg.append(mark("g", { transform: `translate(${x} 0)` }, ...title(stage, k, colors)), part);
    });
    svg.append(mark("text", { "x": LEFT, "y": HEIGHT - 24, "font-family": SERIF, "font-size": 20, "fill": ink }, "The Worked Transformer"));
    const address = published();
    if (address) svg.append(mark("text", { "x": WIDTH - LEFT, "y": HEIGHT - 24, "text-anchor": "end", "font-size": fit(address, 900, 15, SANS), "fill": muted }, address));
    return svg;
  }

  // It is taken from a copy that is as wide as a desk, with all stages open, and that nobody sees.
  function drawPicture(root) {
    const copy = root.cloneNode(true);
    copy.dataset.open = ALL;
    copy.ariaHidden = "true";
    copy.style.cssText = `position: absolute; left: -9999px; top: 0; width: ${WIDTH}px; visibility: visible`;
    const isRefused = root.querySelector(".flow-stages").inert;
    root.after(copy);
    copy.querySelector(".flow-stages").inert = isRefused;
    try {
      return drawn(copy);
    } finally {
      copy.remove();
    }
  }

  async function png(source) {
    const image = new Image(), canvas = Object.assign(document.createElement("canvas"), { width: 2 * WIDTH, height: 2 * HEIGHT });
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`;
    await image.decode();
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((done, failed) => { canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("the browser drew nothing"))), "image/png"); });
  }

  async function savePicture(root, kind, name) {
    const source = new XMLSerializer().serializeToString(drawPicture(root));
    const blob = kind === "svg" ? new Blob([source], { type: "image/svg+xml" }) : await png(source);
    const away = Object.assign(document.createElement("a"), { download: `worked-transformer-${name}.${kind}`, href: URL.createObjectURL(blob) });
    away.click();
    setTimeout(() => URL.revokeObjectURL(away.href), 10000);
    return blob;
  }

  Object.assign((window.tlFlow ??= {}), { drawPicture, savePicture });
})();
