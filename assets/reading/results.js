// What the reading times of one reader or of a class show, and what they do not show.
(function () {
  "use strict";
  const R = window.tlReading, root = document.getElementById("reading-root"), view = document.getElementById("reading-class");
  if (!root || !view || !R) return;
  const { bar, between, button, element, fixed, fit, guesses, isMade, key, mean, observations, quantile, rightShare, row, save, scatter, table, versions, written } = R;
  const items = window.tlItems, place = root.querySelector(".tl-reading-results");
  const LEAST = 5; // readers of a class, of a part of it, and of a sentence, of whom anything is shown

  // ---- in words ----

  /** What the interval allows us to say, and nothing more. */
  function verdict(result) {
    const who = result.readers === 1 ? "this reader needs" : `these ${result.readers} readers need`;
    const amount = `By the estimate, ${who} ${fixed(Math.abs(result.value))} ms ${result.value < 0 ? "less" : "more"} for each bit of surprisal, on the word and the next two together (95% interval: ${fixed(result.low)} to ${fixed(result.high)}).`;
    if (result.low > 0) return `${amount} The interval is above 0: surprising words took longer.`;
    if (result.high < 0) return `${amount} The interval is below 0: surprising words were read faster, which nobody expects.`;
    const one = result.readers === 1 ? " One reader is rarely enough." : "";
    return `${amount} The interval contains 0, so these times do not show an effect of surprisal. They do not show that there is none, either: the other values in the interval fit them as well.${one}`;
  }

  function counted(result, { outside, interrupted }, records) {
    const shares = records.map(rightShare).filter((share) => share !== null), made = records.some(isMade);
    const right = shares.length ? ` Questions answered right: ${fixed(100 * mean(shares), 0)}%.` : "";
    return `${result.words} words of ${result.items} sentences. Left out: the first two words and the last word of each sentence, the deciding words and the two after them, ${outside} times below ${R.SHORTEST} or above ${R.LONGEST} ms, ${interrupted} interrupted sentences.${right}${made ? " The readers are simulated." : ""}`;
  }

  const problem = (text) => element("p", text, { class: "tl-reading-problem" });

  // ---- tables ----

  /** The primary outcome of all readers, and of those of one first language where they are enough. */
  function parts(result, records) {
    const rows = [["all readers", String(result.readers), between(result)]];
    for (const language of R.areLanguagesSafe(records, LEAST) ? ["English", "another"] : []) {
      const some = records.filter((record) => record.language === language), found = some.length >= LEAST && fit(observations(some, items).rows);
      if (found) rows.push([language === "English" ? "first language English" : "another first language", String(found.readers), between(found)]);
    }
    return table("Primary outcome: slope on surprisal, with its 95% interval", ["", "readers", "ms per bit"], rows);
  }

  function deciding(result) {
    const rows = result.contrasts.map(({ name, observed, predicted, rest }) => [name, ...[observed, predicted, rest].map((each) => between(each, 0))]);
    return rows.length ? table("Exploratory: the deciding word and the two after it together, ms with 95% intervals",
      ["", "observed", "predicted by the slope", "observed minus predicted"], rows) : "";
  }

  /** One sentence, a row a word. A class shows a sentence only where enough of its readers read it. */
  function sentences(records) {
    const trials = records.flatMap((record) => record.trials).filter((trial) => trial.item[0] !== "p" && !trial.interrupted);
    const readings = new Map();
    trials.forEach((trial) => readings.set(key(trial), [...readings.get(key(trial)) ?? [], trial.times]));
    const seen = [...readings.keys()].filter((each) => records.length === 1 || readings.get(each).length >= LEAST).sort();
    if (!seen.length) return "";
    const menu = element("select"), label = element("label", "A sentence: ", { class: "tl-reading-menu" }), holder = element("div"), box = element("div");
    menu.append(...seen.map((each) => element("option", versions.get(each).words.join(" "), { value: each })));
    const draw = () => holder.replaceChildren(sentence(versions.get(menu.value), readings.get(menu.value)));
    menu.addEventListener("change", draw);
    label.append(menu);
    box.append(label, holder);
    draw();
    return box;
  }

  function sentence(version, times) {
    const n = times.length, means = version.words.map((_, w) => mean(times.map((each) => each[w])));
    const half = (w) => quantile(n - 1) * Math.sqrt(times.reduce((total, each) => total + (each[w] - means[w]) ** 2, 0) / (n - 1) / n);
    const about = n === 1 ? "One reading has no interval." : `Means of ${n} readings with 95% intervals.`;
    return table(`${about} A mark stands before the deciding word.`, ["word", "time, ms", "surprisal, bits"], version.words.map((word, w) => [
      w === version.critical ? `▸ ${word}` : word,
      bar(n === 1 ? fixed(means[w], 0) : `${fixed(means[w], 0)} ± ${fixed(half(w), 0)}`, means[w] / Math.max(...means), "time"),
      bar(fixed(version.bits[w]), version.bits[w] / 20, "bits")]));
  }

  // ---- the result of one reader or of a class ----

  function draw(into, records, before = []) {
    const seen = observations(records, items), result = seen.rows.length ? fit(seen.rows) : null;
    if (!result) {
      into.replaceChildren(...before, element("p", "There are too few words for a result."));
      return;
    }
    const one = records.length === 1;
    const out = one && guesses(records[0]) ? [problem(`Fewer than ${100 * R.RIGHT}% of the questions are answered right. A class leaves out such a reader, who may not have read.`)] : [];
    const title = element("h3", one ? "One reader and the model" : `${records.length} readers and the model`, { tabindex: "-1" });
    into.replaceChildren(...before, title, element("p", verdict(result), { class: "tl-reading-verdict" }), ...out,
      element("p", counted(result, seen, records), { class: "tl-reading-hint" }), parts(result, records), deciding(result),
      scatter(result, into.clientWidth), sentences(records), button("Save as CSV", () => R.saveTimes(records)));
    title.focus({ preventScroll: true });
    title.scrollIntoView({ block: "nearest" });
  }

  R.saveTimes = (records) => save(records.length > 1 ? "reading-times-of-a-class.csv" : `reading-times-${records[0].code}.csv`,
    written(records.length > 1 ? R.anonymous(records, LEAST, Math.random) : records));

  R.show = (record) => (record ? draw(place, [record]) : place.replaceChildren());

  // ---- a class ----

  async function opened(files) {
    const records = new Map(), problems = [];
    for (const file of files) {
      try {
        for (const record of R.read(await file.text())) {
          if (records.has(record.code)) throw new Error("holds the times of a reader who is in another file, too.");
          records.set(record.code, record);
        }
      } catch (error) {
        problems.push(problem(`${file.name} ${error.message}`));
      }
    }
    return { all: [...records.values()], problems };
  }

  /** Show a class once as many have read as were agreed on, without readers who guess; those are not replaced. */
  function show({ all, problems }) {
    const readers = all.filter((record) => !guesses(record)), out = all.length - readers.length, number = Number(agreed.value), parts = [...problems];
    if (out) parts.push(problem(`Left out: ${out === 1 ? "1 reader" : `${out} readers`} with fewer than ${100 * R.RIGHT}% of the questions right.`));
    const made = all.filter(isMade).length;
    const refused = number < LEAST ? `Type the number of readers that you agreed on, at least ${LEAST}, and open the files again.`
      : made && made < all.length ? "Some of these readers are simulated. Open the files of real readers alone."
      : all.length < number ? `${number} readers were agreed on, and there are files of ${all.length}. A look before the last of them would make the interval wrong, so nothing is shown yet.`
      : readers.length < LEAST ? `There are ${readers.length} readers. Nothing is shown of fewer than ${LEAST}, because readers could be recognized.` : "";
    if (refused) {
      shown.replaceChildren(...parts, element("p", refused));
      return;
    }
    if (all.length > number) parts.push(problem(`There are files of ${all.length} readers, and ${number} were agreed on: say so where you report the result.`));
    draw(shown, readers, parts);
  }

  const field = (text, made) => {
    const label = element("label", `${text} `);
    label.append(made);
    return label;
  };
  const number = (value, min, max, step = 1) => element("input", "", { type: "number", value, min, max, step });
  const within = (input) => Number(input.value = Math.min(Number(input.max), Math.max(Number(input.min), Number(input.value))));
  const files = element("input", "", { type: "file", accept: ".csv,text/csv", multiple: "" }), agreed = number("", LEAST, 99);
  const readers = number(12, 1, 60), slope = number(3, 0, 20, 0.5), form = element("select"), shown = element("div", "", { "aria-live": "polite" });
  form.append(...Object.keys(R.FORMS).map((name) => element("option", name)));

  files.addEventListener("change", async () => {
    if (files.files.length) show(await opened([...files.files]));
    files.value = ""; // the same files can be opened again
  });
  const simulate = button("Simulate", () => draw(shown, R.simulatedClass(items, Math.round(within(readers)),
    { slope: within(slope), name: form.value, next: R.random(Math.floor(2 ** 32 * Math.random())) })));
  view.replaceChildren(row(field("Readers that you agreed on", agreed), field("Their files", files)),
    row(field("Or simulate readers:", readers), field("ms for each bit:", slope), field("in a world where", form), simulate), shown);
})();
