"""How fast wllama, which is llama.cpp in WebAssembly, continues a text in the same browser."""

from typing import Any

from playwright.sync_api import Browser

from benchmarks.page_site import new_page
from book import assets
from book.paths import ROOT
from book.serve import served
from course.published import fetch

FOLDER = ROOT / "_build" / "peers" / "wllama"
PIN: dict[str, Any] = {  # not in `book/assets.toml`, for readers do not need it
    "name": "@wllama/wllama",
    "version": "2.4.0",
    "integrity": "sha512-KuVHeTUXcqHF01d85q3nWaRSVLpszULNGjO+nx4cyZ8sBjZvKSMViWNCfcs/"
    "1w2bqjyegERJzWsrdQSHSEoSlQ==",
    "files": {"esm/index.min.js": "", "esm/single-thread/wllama.wasm": ""},
}
NAME = f"wllama {PIN['version']} with one thread"
PAGE = "<!doctype html><link rel=icon href=data:,><input type=file>"

# A browser compiles quickly at first and again, better, while the code runs: the second run counts.
CONTINUE = """async ([prompt, count]) => {
  const { Wllama } = await import(new URL("index.min.js", location.href));
  const paths = { "single-thread/wllama.wasm": new URL("wllama.wasm", location.href).href };
  const model = new Wllama(paths, { suppressNativeLog: true });
  await model.loadModel([...document.querySelector("input").files], { n_threads: 1 });
  await model.samplingInit({ temp: 0 });
  const next = async (ids) => {
    await model.decode(ids, {});
    return (await model.samplingSample()).token;
  };
  let began;
  for (let run = 0; run < 2; run++) {
    await model.kvClear();
    let token = await next(await model.tokenize(prompt));
    began = performance.now();
    for (let i = 0; i < count; i++) token = await next([token]);
  }
  return (1000 * count) / (performance.now() - began);
}"""


def rate(browser: Browser, prompt: str, count: int) -> float:
    """Tokens in a second after the first one, greedy, from the file that our page reads, too."""
    assets.renew(FOLDER, PIN, lambda: assets.fetch_all([PIN], FOLDER))
    (FOLDER / "index.html").write_text(PAGE, encoding="utf-8")
    with served(folder=FOLDER) as url, new_page(browser) as page:
        page.goto(f"{url}/index.html")
        page.locator("input").set_input_files(fetch.place())
        return float(page.evaluate(CONTINUE, [prompt, count]))
