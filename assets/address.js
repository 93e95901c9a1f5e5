// What a reader made, behind the "#" of an address, which no server sees. This module alone writes and reads such
// addresses. A link is untrusted: what does not fit is refused in half a sentence, and nothing of it becomes markup.
(function () {
  "use strict";
  const MOST = { fragment: 6000, unpacked: 16_800, rules: 4000, sentence: 300 };
  const refuse = (why) => { throw new RangeError(why); };

  // Control characters, halves of a pair, and what turns the direction of a line: they hide what a text says.
  const HIDDEN = /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/u;
  const isLine = (text) => !HIDDEN.test(text);

  // ---- text in an address: deflated, in the base 64 of addresses ----

  async function bytesOf(stream, most) {
    const reader = stream.getReader(), parts = [];
    let sum = 0;
    for (let part; !(part = await reader.read()).done;) {
      parts.push(part.value);
      sum += part.value.length;
      if (sum > most) {
        reader.cancel().catch(() => {});
        refuse("it is too long");
      }
    }
    return new Uint8Array(await new Blob(parts).arrayBuffer());
  }

  async function pack(text) {
    const bytes = await bytesOf(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw")), Infinity);
    return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  }

  async function unpack(packed) {
    try {
      const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
      const text = await bytesOf(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")), MOST.unpacked);
      return new TextDecoder("utf-8", { fatal: true }).decode(text);
    } catch (error) {
      return error instanceof RangeError ? refuse(error.message) : refuse("what it brings is damaged, perhaps cut off, so ask for the link again");
    }
  }

  // ---- rules and a sentence of their language, which travel together ----

  const packRules = (rules, sentence) => pack(JSON.stringify([rules, sentence]));

  /** The rules and the sentence of `own=`. */
  async function unpackRules(packed) {
    let given;
    try {
      given = JSON.parse(await unpack(packed));
    } catch (error) {
      refuse(error instanceof RangeError ? error.message : "what it brings is damaged");
    }
    const isPair = Array.isArray(given) && given.length === 2 && given.every((each) => typeof each === "string");
    if (!isPair || !given[0].trim()) refuse("it holds no rules of a language");
    const [rules, text] = given;
    if (!isLine(text) || !isLine(rules.replace(/[\n\t]/g, " "))) refuse("it holds characters that hide what it says");
    if (rules.length > MOST.rules || text.length > MOST.sentence) refuse("it is too long");
    return { rules, text };
  }

  // ---- the rules that the reader wrote, which a link of somebody else does not replace ----

  const place = () => window.tlBook.key("intro"); // "On this device" lets the browser forget it

  function mine() {
    try {
      return Object(JSON.parse(localStorage.getItem(place()) ?? "{}"));
    } catch {
      return {}; // a browser may forbid it
    }
  }

  /** Keep rules: `typed` on the front page, or `sent` there by the chapter. */
  function keep(how, rules) {
    try {
      localStorage.setItem(place(), JSON.stringify({ ...mine(), [how]: rules }));
    } catch { /* then a link says of them, too, that somebody else wrote them */ }
  }

  // ---- keys and values ----

  const has = (fragment, keys) => keys.some((key) => `&${fragment.replace(/^#/, "")}`.includes(`&${key}=`));

  /** The values of those keys that the fragment has; null where it has none of them, as the name of a section has. */
  function read(fragment, keys) {
    const text = fragment.replace(/^#/, "");
    if (!has(fragment, keys)) return null;
    if (text.length > MOST.fragment) refuse(`it has ${text.length} characters, and at most ${MOST.fragment} are read`);
    const given = new URLSearchParams(text);
    return new Map(keys.filter((key) => given.has(key)).map((key) => [key, given.get(key)]));
  }

  // "," and "." stay as they are, and a space is "+": the link can be read.
  const escape = (value) => encodeURIComponent(value).replaceAll("%20", "+").replaceAll("%2C", ",");

  /** The fragment of pairs of a key and a value; a value of undefined is left out. */
  function write(pairs) {
    const given = pairs.filter(([, value]) => value !== undefined).map(([key, value]) => `${key}=${escape(value)}`);
    return given.length ? `#${given.join("&")}` : "";
  }

  function count(text, low, high, what) {
    if (!/^\d{1,4}(\.\d)?$/.test(text) || +text < low || +text > high) refuse(`its ${what} must be from ${low} to ${high}`);
    return +text;
  }

  /** The address of this page with another fragment. */
  const link = (fragment, query = "") => `${location.href.replace(/[?#].*/s, "")}${query}${fragment}`;

  // ---- what is handed over ----

  // A phone has a sheet to send a link with. Where nothing may be copied, the text stands in a field.
  async function copy(text, what, said) {
    const say = (...content) => said.replaceChildren(...content);
    try {
      if (what === "link" && navigator.share && matchMedia("(pointer: coarse)").matches) {
        await navigator.share({ title: document.title, url: text });
        return say();
      }
      await navigator.clipboard.writeText(text);
      say(`The ${what} is copied: ${text.length} characters.`);
    } catch (error) {
      if (error.name === "AbortError") return; // who was about to send it has changed their mind
      const field = Object.assign(document.createElement("input"), { value: text, readOnly: true, ariaLabel: what });
      say(`Your browser copies nothing from this page. Copy the ${what} here: `, field);
      field.select();
    }
  }

  window.tlAddress = {
    MOST, mine, keep, refuse, isLine, pack, unpack, packRules, unpackRules, has, read, write, count, link, copy,
  };
})();
