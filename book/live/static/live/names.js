// The names in the code of a cell, by which a page knows which cells another one may change.

// What begins at the left edge of a line: a function, a class, or names that get a value.
const DEFINED = /^(?:(?:def|class)\s+(\w+)|(\w[\w, ]*?)\s*(?:[-+*/%@&|]|\*\*|\/\/)?=(?!=)|for\s+(\w[\w, ]*?)\s+in\b)/gm;
const COMMENT_OR_STRING = /#.*|[a-z]{0,2}("""|'''|["'])(?:\\[^]|(?!\1)[^])*?\1/gi;

/** The names that code defines. */
export const defined = (code) => [...code.matchAll(DEFINED)]
  .flatMap(([, name, list, loop]) => (name ?? list ?? loop).match(/\w+/g));

/** The words of code: no comments, and of strings those that are a name and what braces hold. */
export const mentioned = (code) => new Set(code.replace(COMMENT_OR_STRING, bare).match(/\w+/g));

const FUNCTION = /^(?:async\s+)?(?:def|class)\s+(\w+)(.*(?:\n(?![^\s)]).*)*)/gm;
const PARAMETERS = /^\(([^]*?)\)\s*(?:->.*)?:/;

/** For each function of code the words that it looks up when it is called: not what it defines. */
export const looked = (code) => new Map([...code.matchAll(FUNCTION)].map(([, name, text]) => {
  const parameters = (PARAMETERS.exec(text)?.[1] ?? "").split(",").flatMap((each) => each.match(/\w+/) ?? []);
  const own = new Set([...parameters, ...defined(text.replace(/^\s+/gm, ""))]);
  return [name, [...mentioned(text)].filter((word) => !own.has(word))];
}));

function bare(text) {
  if (/^["']\w+["']$/.test(text)) return text;
  return /^[a-z]?f/i.test(text) ? (text.match(/{[^}]*}/g) ?? []).join(" ") : " ";
}
