"""Makes the pictures of the documentation. usage: pictures.py PRESENTMENT FOLDER

The folder gets a phone that asks for consent, the page of a run that failed and the report of two cases, in WebP.
"""

import pathlib
import sys

from animation import one_browser, take
from demo import Demo, Server
from long_trace import make_failing_page
from reports import Page, run_report
from window import playwright_context

SIZE = {"width": 1120, "height": 700}
# The whole phone, without a list to scroll.
TALL = {"width": 1120, "height": 1000}
CONSENT = "scenario=headline&seed=7&step=4"
PHONE = "#scene .device .phone"
# The pages of files, each with the function that makes it.
PAGES = {"trace.webp": make_failing_page, "report.webp": run_report}
# A picture of the documentation is in every clone.
LIMIT = 150_000


def pictures(setting):
    """Yields the name and the content of each picture."""
    looks = {"color_scheme": "light", "reduced_motion": "reduce"}
    encoder = setting.browser.new_page()
    with Server(setting) as server, playwright_context(setting, TALL, **looks) as context:
        with Demo(setting, "phone", context, server) as demo:
            demo.open_stage(CONSENT)
            yield "phone.webp", take(demo, encoder, demo.find(PHONE).first.bounding_box())
    for name, make in PAGES.items():
        path = make(setting.presentment, setting.folder())
        with playwright_context(setting, SIZE, **looks) as context, Page(setting, name, context, path) as page:
            yield name, take(page, encoder)


def main():
    presentment, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    with one_browser(presentment) as setting:
        for name, (data, width, height) in pictures(setting):
            assert len(data) <= LIMIT, f"{name} has {len(data)} bytes, more than {LIMIT}"
            (folder / name).write_bytes(data)
            print(f"{folder / name}: {width} x {height}, {len(data) // 1000} KB")


if __name__ == "__main__":
    main()
