"""Stories of the pages that reports are written as: of a run, of measures, of a search, and the map of a sweep."""

import re
import shutil
import subprocess

from looks import axe_core
from long_trace import ROOT
from story import register
from trace import AXE, SIZE
from window import Window, playwright_context

# The narrowest window of the stories of looks.
NARROW = {"width": 390, "height": 844}
# A short message, and one that has every kind of structure.
# The name of the last one is wider than a narrow window. It is long, so not every byte of it is altered.
SWEPT = {"44": 1, "10": 1, "49": 100}


class Page(Window):
    """The page of a report."""

    def __init__(self, setting, name, context, path):
        super().__init__(setting, name, context)
        self.page.goto(path.as_uri())

    def state(self):
        return f"the page begins with {self.text('header')[:300]!r}"


def run_report(presentment, folder):
    """The report of cases of which some fail."""
    shutil.copytree(ROOT / "scenarios" / "worlds", folder / "worlds")
    text = (ROOT / "scenarios/attacks/cloned-document.yaml").read_text(encoding="utf-8")
    start, _ = text.rsplit("  - website:", 1)
    failing = f"{start}  - website: {{ verified: {{ given_name: Kelly }} }}\n"
    (folder / "fails.yaml").write_text(failing, encoding="utf-8")
    (folder / "passes.yaml").write_text(text, encoding="utf-8")
    page = folder / "report.html"
    run = subprocess.run(
        [presentment, "run", "fails.yaml", "passes.yaml", "--report", f"html={page}", "--trace", "traces"], cwd=folder,
        capture_output=True, text=True)
    assert run.returncode == 1 and page.exists(), run
    return page


def sweep_map(number, stride=1):
    """Makes the map of one message of the headline."""
    def make(presentment, folder):
        page = folder / "map.html"
        run = subprocess.run(
            [presentment, "sweep", "scenarios/headline", "--only", number, "--stride", str(stride),
             "--html", str(page)], cwd=ROOT, capture_output=True, text=True)
        assert run.returncode == 0, run
        return page
    return make


def bench_page(presentment, folder):
    """The page of measures."""
    page = folder / "bench.html"
    run = subprocess.run(
        [presentment, "bench", "formats", "--milliseconds", "1", "--html", str(page)], capture_output=True, text=True)
    assert run.returncode == 0, run
    return page


def explore_page(presentment, folder):
    """The page of what a search reached."""
    page = folder / "explore.html"
    run = subprocess.run(
        [presentment, "explore", "scenarios/headline", "--runs", "24", "--html", str(page)], cwd=ROOT,
        capture_output=True, text=True)
    assert run.returncode == 0, run
    return page


PAGES = {
    "run": run_report, "bench": bench_page, "explore": explore_page,
    **{f"map-{number}": sweep_map(number, stride) for number, stride in SWEPT.items()}}


def story(make, name):
    """Declares a story: the page is read by axe, light and dark, and nothing of it is wider than a narrow window."""
    def run(setting):
        path = make(setting.presentment, setting.folder())
        for scheme in ["light", "dark"]:
            with playwright_context(setting, SIZE, color_scheme=scheme) as context:
                with Page(setting, f"{name}-{scheme}", context, path) as page:
                    page.page.evaluate(axe_core())
                    for details in page.find("details").all():
                        details.evaluate("element => { element.open = true; }")
                    result = page.run(AXE)
                    assert result["violations"] == [] and result["passes"] > 10, result
                    page.page.set_viewport_size(NARROW)
                    width = page.page.evaluate("document.documentElement.scrollWidth")
                    assert width <= NARROW["width"], width
                    # Paper is white, whatever the screen is.
                    page.page.emulate_media(media="print", color_scheme=scheme)
                    ground = page.page.evaluate("getComputedStyle(document.body).backgroundColor")
                    assert ground == "rgb(255, 255, 255)", ground
    return run


for kind, make in PAGES.items():
    register(f"report-{kind}", story, story(make, f"report-{kind}"), ["axe"])


def map_cells(setting):
    """Each byte of the message has a cell with its number, its outcome and a color."""
    path = sweep_map("44")(setting.presentment, setting.folder())
    with playwright_context(setting, SIZE) as context:
        with Page(setting, "report-map-cells", context, path) as page:
            titles = page.page.evaluate(
                "[...document.querySelectorAll('.map title')].map((title) => title.textContent)")
            found = set()
            for title in titles:
                first, last = re.match(r"bytes? (\d+)(?: to (\d+))?", title).groups()
                found |= set(range(int(first), int(last or first) + 1))
                assert re.search(r"noticed by|seen|unnoticed", title), title
            assert found == set(range(10)), titles
            # A byte of a structure has the name of its field.
            assert any("call" in title for title in titles), titles
            fills = page.page.evaluate(
                "[...document.querySelectorAll('.map path')].map((path) => getComputedStyle(path).fill)")
            assert "none" not in fills and "rgb(0, 0, 0)" not in fills, fills


register("report-map-cells", map_cells, map_cells)
