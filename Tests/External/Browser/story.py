"""The list of the stories that run.py runs. A decorator declares each of them once, where it is written."""

import dataclasses
import importlib
import importlib.util
import os
import pathlib
import shutil
import sys
import tempfile
from typing import Any, Callable, Tuple

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path += [str(ROOT / "Tests" / "External"), str(ROOT / "docs" / "your-site")]


@dataclasses.dataclass(frozen=True)
class Setting:
    """What the stories of one run share."""

    presentment: str
    screenshots: pathlib.Path
    playwright: Any
    browser: Any

    def folder(self):
        """A new folder. The runner removes it."""
        return pathlib.Path(tempfile.mkdtemp())


@dataclasses.dataclass(frozen=True)
class Story:
    """A story. `run` takes the setting; `needs` names what a machine may lack."""

    name: str
    description: str
    run: Callable
    needs: Tuple[str, ...] = ()
    is_long: bool = False

    def lack(self):
        """The reason to skip the story on this machine, or None."""
        return next((reason for need in self.needs for has, reason in [NEEDS[need]] if not has()), None)


def has_package(name):
    return importlib.util.find_spec(name) is not None


def chromium():
    return os.environ.get("CHROMIUM", "/usr/bin/chromium")


def chromedriver():
    return os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver")


def drivers_node():
    """The Node.js that Playwright's package brings."""
    import playwright
    return pathlib.Path(playwright.__file__).parent / "driver" / "node"


NEEDS = {
    "axe": (lambda: has_package("axe_playwright_python"), "requires the Python package axe-playwright-python"),
    "drivers-node": (lambda: drivers_node().exists(), "requires the driver of the Python package playwright"),
    "pytest": (lambda: has_package("pytest") and has_package("websocket"),
               "requires the Python packages pytest and websocket-client"),
    "selenium": (lambda: has_package("selenium") and shutil.which(chromedriver()) is not None,
                 "requires the Python package selenium and chromedriver"),
    "site": (lambda: has_package("markdown_it"), "requires the Python package markdown-it-py"),
    "zbarimg": (lambda: shutil.which("zbarimg") is not None, "requires zbarimg, of the package zbar-tools"),
}

MODULES = ["stage", "hand", "counter", "plays", "looks", "views", "sites", "trace", "reports", "site_pages"]
STORIES = {}


def load():
    """Declares the stories."""
    for name in MODULES:
        importlib.import_module(name)


def register(name, function, run, needs=(), is_long=False):
    """Adds a story. A long one starts before the others, so that it does not run alone at the end."""
    if name in STORIES:
        raise ValueError(f"two stories are named {name}")
    description = " ".join((function.__doc__ or "").split())
    STORIES[name] = Story(name, description, run, tuple(needs), is_long)
