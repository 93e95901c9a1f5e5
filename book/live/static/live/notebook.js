// A page as a file: the notebook of an exercise, which `grade` takes, or of a chapter, with a reader's work in it.
import { MOST } from "./store.js";

const INDENT = 1; // as nbformat writes it

/** The text of a release notebook with the code of the page's cells in its place. */
export function written(notebook, cells) {
  const code = new Map(cells.map((cell) => [cell.id, cell.code]));
  const filled = notebook.cells.map((cell) => (code.has(cell.id)
    ? { ...cell, source: lines(code.get(cell.id)), outputs: [], execution_count: null } : cell));
  return `${JSON.stringify({ ...notebook, cells: filled }, null, INDENT)}\n`;
}

/**
 * The code in a notebook that belongs to cells of this page.
 * @returns {{work: Map<string, string>, over: number}} the code by the ids of the cells, and how
 *   many code cells the file has that the page does not
 * @throws {Error} with a sentence for the reader: it is no notebook, or that of another assignment
 */
export function read(text, cells, title) {
  const given = parsed(text);
  const found = new Map(given.filter((cell) => cell.cell_type === "code").map(
    (cell) => [nameOf(cell), textOf(cell)]));
  const long = cells.find((cell) => found.get(cell.id)?.length > MOST);
  if (long) {
    throw new Error(`${long.name} of this file has more than ${MOST.toLocaleString("en")} characters, `
      + "which is more than this page takes. Nothing was changed.");
  }
  const own = cells.filter((cell) => cell.role).map((cell) => cell.id);
  const shared = own.filter((id) => found.has(id));
  // By the same rule the judge tells assignments apart.
  if (2 * shared.length < own.length) {
    const other = titleOf(given);
    throw new Error(`This file is ${other ? `“${other}”` : "another notebook"}, and this page is `
      + `“${title}”. Nothing was changed.`);
  }
  const known = cells.filter((cell) => found.has(cell.id));
  const work = new Map(known.map((cell) => [cell.id, found.get(cell.id)]));
  return { work, over: found.size - work.size };
}

/** The title of a notebook, which stands in its text. */
export const titleOf = (cells) => /^# (.*)$/m.exec(
  cells.filter((cell) => cell.cell_type === "markdown").map(textOf).join("\n"))?.[1];

/** Give a reader a file. */
export function download(name, text, type = "application/x-ipynb+json") {
  const address = URL.createObjectURL(new Blob([text], { type }));
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Ask a reader for a file; resolves to its text. */
export function chosen() {
  return new Promise((done) => {
    const input = Object.assign(document.createElement("input"), { type: "file" });
    input.addEventListener("change", () => done(input.files[0].text()));
    input.click();
  });
}

function parsed(text) {
  let found;
  try {
    found = JSON.parse(text);
  } catch {
    // It is no JSON; the sentence below says so.
  }
  if (found?.nbformat !== 4 || !Array.isArray(found.cells) || !found.cells.every(isCell)) {
    throw new Error("This file is no notebook that JupyterLab or this page has saved. Nothing was changed.");
  }
  return found.cells;
}

const isCell = (cell) => typeof cell?.cell_type === "string"
  && [cell.source ?? ""].flat().every((line) => typeof line === "string");

// Some programs give the cells new ids, but what nbgrader wrote into them stays.
const nameOf = (cell) => cell.metadata?.nbgrader?.grade_id ?? cell.id;

const textOf = (cell) => [cell.source ?? ""].flat().join("");

const lines = (code) => (code ? code.match(/.*\n|.+$/g) : []);
