"""Measures how soon the stage can be used, in a headless Chromium. usage: first_use.py PRESENTMENT

It prints the medians of several visits with an empty cache: the first paint, the run that can be played, and the time
from the click on Verify Identity in a taken-over run to the selector on the phone; and the bytes of the first visit."""

import os
import pathlib
import statistics
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from patience import PATIENCE  # noqa: E402

VISITS = 7
SIZE = {"width": 1280, "height": 720}
RUN = "?scenario=headline&seed=7&step=1"

# The times are the page's own: they have no part of the measuring program.
WATCH = """
window.usable = new Promise((done) => new MutationObserver((_, observer) => {
  if (!document.querySelector("#bar[data-run]")) return;
  observer.disconnect();
  done(performance.now());
}).observe(document, { subtree: true, childList: true, attributes: true }));
"""
CLICK = """
() => new Promise((done) => {
  const buttons = [...document.querySelectorAll("#scene [data-act]")];
  const button = buttons.find((one) => one.textContent === "Verify Identity");
  let start;
  const observer = new MutationObserver(() => {
    if (!document.querySelector("#scene .sheet.selector")) return;
    observer.disconnect();
    requestAnimationFrame(() => done(performance.now() - start));
  });
  observer.observe(document.querySelector("#scene"), { subtree: true, childList: true });
  start = performance.now();
  button.click();
})
"""
BYTES = """
() => {
  const all = performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"));
  const sum = (list) => list.reduce((total, one) => total + one.decodedBodySize, 0);
  const [data, files] = [true, false].map((isData) =>
    all.filter(({ name }) => new URL(name).pathname.startsWith("/api/") === isData));
  return { files: sum(files), data: sum(data), requests: all.length };
}
"""


def visit(browser, url):
    """The times of one visit in milliseconds, and the bytes before the person acts."""
    page = browser.new_page(viewport=SIZE)
    page.set_default_timeout(PATIENCE * 1000)
    page.add_init_script(WATCH)
    page.goto(url + RUN)
    usable = page.evaluate("window.usable")
    bytes_read = page.evaluate(BYTES)
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    selector = page.evaluate(CLICK)
    page.close()
    return {"first paint": paint, "run can be played": usable, "click to selector": selector}, bytes_read


def measure(presentment):
    """Returns the lines of the report."""
    from playwright.sync_api import sync_playwright

    root = pathlib.Path(__file__).resolve().parents[3]
    server = subprocess.Popen([presentment, "serve", "--port", "0"], cwd=root, stdout=subprocess.PIPE, text=True)
    try:
        url = server.stdout.readline().strip()
        with sync_playwright() as playwright:
            arguments = ["--disable-dev-shm-usage"] + (["--no-sandbox"] if os.geteuid() == 0 else [])
            browser = playwright.chromium.launch(
                executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=arguments)
            visits = [visit(browser, url) for _ in range(VISITS)]
            browser.close()
    finally:
        server.terminate()
        server.wait(PATIENCE)
    lines = [f"{'of the stage':<20} median      first visit"]
    for name in visits[0][0]:
        times = [one[0][name] for one in visits]
        lines.append(f"{name:<20} {statistics.median(times):6.0f} ms {times[0]:10.0f} ms")
    read = visits[0][1]
    lines.append(f"{read['files'] / 1000:.0f} KB of files and {read['data'] / 1000:.0f} KB of data "
                 f"in {read['requests']} requests; load of the machine {os.getloadavg()[0]:.1f}")
    return lines


if __name__ == "__main__":
    print("\n".join(measure(sys.argv[1])))
