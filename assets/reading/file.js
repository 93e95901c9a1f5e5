// A reader's times as a file: CSV, one line a word, so that R, a spreadsheet and a cell of the page read it as it is.
(function () {
  "use strict";
  const R = window.tlReading, { key, letters, decides } = R, versions = new Map(window.tlItems.map((each) => [key(each), each]));
  const HEAD = "reader,language,list,sentence,item,condition,kind,place,word,milliseconds,bits,rarity,letters,first_of_line,decides,interrupted,right";
  const LANGUAGES = ["", "English", "another"];
  const MADE = "simulated"; // how the code of a reader begins who was made
  const MOST = 2_000_000, SIZES = [20, 40]; // letters of a file; sentences of a reader

  const isMade = ({ code }) => code.startsWith(MADE);
  const quoted = (word) => (word.includes(",") ? `"${word}"` : word);

  function lines(record) {
    return record.trials.flatMap((trial) => {
      const version = versions.get(key(trial)), right = trial.right === null ? "" : Number(trial.right);
      return version.words.map((word, w) => [record.code, record.language, record.list, trial.order, trial.item, trial.condition,
        version.kind, w + 1, quoted(word), trial.times[w], version.bits[w], version.rare[w], letters(word), trial.lines[w],
        Number(decides(version, w)), Number(trial.interrupted), right].join(","));
    });
  }

  /** Whether no group of one answer is so small that its readers could be recognized, also by subtraction. */
  function areLanguagesSafe(records, least) {
    const counts = new Map();
    records.forEach(({ language }) => counts.set(language, (counts.get(language) ?? 0) + 1));
    return [...counts.values()].every((n) => n >= least);
  }

  /** A class without codes, in an order that is drawn. */
  function anonymous(records, least, next) {
    const isSafe = areLanguagesSafe(records, least);
    return R.shuffle([...records], next).map((record, i) => ({ ...record, code: `${isMade(record) ? MADE : "reader"}-${i + 1}`, language: isSafe ? record.language : "" }));
  }

  const written = (records) => `${[HEAD, ...records.flatMap(lines)].join("\n")}\n`;

  /** The cells of a line; in quotes a cell may hold a comma. */
  const cells = (line) => [...line.matchAll(/(?:^|,)("[^"]*"|[^,]*)/g)].map(([, cell]) => cell.replace(/^"|"$/g, ""));

  /**
   * The readers of a file that somebody gives.
   * @throws {Error} with the end of a sentence that begins with the name of the file
   */
  function read(text) {
    const [head, ...rest] = text.replace(/^\ufeff/, "").split(/\r?\n/);
    if (head !== HEAD || text.length > MOST) throw new Error("is no file of this page, or another program has saved it: take the file as it was.");
    const records = new Map();
    rest.forEach((line, i) => line && place(records, Object.fromEntries(HEAD.split(",").map((name, c) => [name, cells(line)[c] ?? ""])), i + 2));
    const found = [...records.values()];
    if (!found.length || !found.every(isWhole)) throw new Error("lacks lines, or has sentences that are not those of this page.");
    return found;
  }

  function place(records, row, line) {
    const { reader, language, list, sentence, item, condition, word, right } = row, version = versions.get(key({ item, condition }));
    const numbers = ["sentence", "place", "milliseconds", "first_of_line", "interrupted", "list"].map((name) => (row[name] === "" ? NaN : Number(row[name])));
    if (!/^[\w-]{1,40}$/.test(reader) || !LANGUAGES.includes(language) || !["", "0", "1"].includes(right)
      || !numbers.every((each) => Number.isFinite(each) && each >= 0) || version?.words[row.place - 1] !== word) {
      throw new Error(`has a line that does not fit the sentences of this page: line ${line}.`);
    }
    const record = records.get(reader) ?? records.set(reader, { code: reader, language, list: Number(list), trials: [] }).get(reader);
    let trial = record.trials.find((each) => each.order === Number(sentence));
    if (!trial) {
      trial = { item, condition, order: Number(sentence), times: [], lines: [], interrupted: row.interrupted === "1", right: right === "" ? null : right === "1" };
      record.trials.push(trial);
    }
    if (key(trial) !== key({ item, condition }) || trial.times.length !== row.place - 1) throw new Error(`has a word twice or out of order: line ${line}.`);
    trial.times.push(Number(row.milliseconds));
    trial.lines.push(Number(row.first_of_line));
  }

  /** All sentences of a half or of the whole, each once and to its end. */
  const isWhole = ({ trials }) => SIZES.includes(trials.filter((each) => each.item[0] !== "p").length) && new Set(trials.map((each) => each.item)).size === trials.length
    && trials.every((trial) => trial.order >= 1 && trial.times.length === versions.get(key(trial)).words.length);

  Object.assign(R, { anonymous, areLanguagesSafe, isMade, read, versions, written });
})();
