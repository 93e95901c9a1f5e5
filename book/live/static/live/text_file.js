// The text between the three quotes of a cell, as a file. What is opened stays a text, so that no file can bring code.
import { MOST } from "./store.js";

const QUOTES = '"""';

/** The text that a cell of the form `name = """..."""` holds. */
export function inside(code) {
  return `${parts(code)[1].trim()}\n`;
}

/**
 * The code of the cell with another text in it.
 * @throws {Error} with a sentence for the reader: the text could end its quotes, or it is too long
 */
export function withText(code, text) {
  const [before, , ...after] = parts(code);
  if (text.includes(QUOTES) || text.includes("\\")) {
    throw new Error('This file is no text for this cell: it has """ or \\. Nothing was changed.');
  }
  if (text.length + code.length > MOST) throw new Error("This file is too long for a cell. Nothing was changed.");
  return [before, `\n${text.trim()}\n`, ...after].join(QUOTES);
}

function parts(code) {
  const found = code.split(QUOTES);
  if (found.length < 3 || !/^\w+ = $/m.test(found[0].split("\n").at(-1))) {
    throw new Error('This cell holds no text between """ and """, as it does in the book: reset it first.');
  }
  return found;
}
