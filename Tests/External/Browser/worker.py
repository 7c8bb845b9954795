"""Runs stories for run.py. usage: worker.py DESCRIPTOR ADDRESS PRESENTMENT SCREENSHOTS

Receives the names of stories through the descriptor, and sends how each ended, until it receives None."""

import pathlib
import sys
import time
import traceback
from multiprocessing.connection import Connection

from playwright.sync_api import sync_playwright

# It adds the folder of the modules below to the path.
from story import STORIES, Setting, load
from patience import PATIENCE

HERE = pathlib.Path(__file__).parent


def describe(error):
    """The error, and the lines of this folder that led to it."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__)
              if pathlib.Path(frame.filename).parent == HERE and frame.filename != __file__]
    return "\n".join([f"{type(error).__name__}: {error}", *(
        f"{pathlib.Path(frame.filename).name}:{frame.lineno}: {frame.line}" for frame in frames)])


def main(descriptor, address, presentment, screenshots):
    load()
    runner = Connection(int(descriptor))
    with sync_playwright() as playwright:
        browser = playwright.chromium.connect(address, timeout=PATIENCE * 1000)
        setting = Setting(presentment, pathlib.Path(screenshots), playwright, browser)
        for name in iter(runner.recv, None):
            start = time.monotonic()
            failure = ""
            try:
                STORIES[name].run(setting)
            except Exception as error:
                failure = describe(error)
            runner.send((name, time.monotonic() - start, failure))
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
