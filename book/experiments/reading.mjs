// How often the interval of "You against the model" holds a slope that is known, and how often it excludes 0:
// node book/experiments/reading.mjs [WORLD READERS SLOPE] prints every row of chapters/models/experiments/reading.json, or one.
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";

globalThis.window = globalThis;
for (const name of ["items", "statistics", "simulate"]) {
  const file = new URL(`../../assets/reading/${name}.js`, import.meta.url);
  runInThisContext(readFileSync(file, "utf8"), `${name}.js`);
}
const { tlReading: R, tlItems: items } = globalThis;
const CLASSES = 400, MANY = 400; // classes of a row; readers without noise, from whom the true slope is computed
const SIZES = [1, 6, 12, 24], SLOPES = [0, 3];

const rows = (readers, given) => R.observations(R.simulatedClass(items, readers, given), items).rows;

/** The slope that the regression has without noise: a world need not be one in which it is the slope that was put in. */
const truth = (name, slope) => R.slopeOf(R.slopesOf(rows(MANY, { name, slope, next: R.random(77), isExact: true })));

function row(world, readers, slope, isHalf = false) {
  const next = R.random([...`${world} ${readers} ${slope} ${isHalf}`].reduce((n, letter) => Math.imul(n, 31) + letter.codePointAt(0), 7));
  const at = truth(world, slope), found = Array.from({ length: CLASSES }, () => R.fit(rows(readers, { name: world, slope, isHalf, next })));
  const share = (is) => found.filter(is).length / CLASSES;
  return {
    world, sentences: isHalf ? 20 : 40, readers, slope, truth: Number(at.toFixed(2)),
    holds: share(({ low, high }) => low <= at && at <= high), excludes: share(({ low, high }) => low > 0 || high < 0),
    half: Number((found.reduce((sum, { low, high }) => sum + (high - low) / 2, 0) / CLASSES).toFixed(2)),
  };
}

const [world, readers, slope] = process.argv.slice(2), print = (...given) => console.log(JSON.stringify(row(...given)));
if (world) print(world, Number(readers), Number(slope));
else {
  for (const name of Object.keys(R.FORMS)) for (const size of SIZES) for (const ms of SLOPES) print(name, size, ms);
  for (const ms of SLOPES) print("times add up", 1, ms, true);
}
