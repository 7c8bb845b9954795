"""A plug-in for pytest: the fixture `phone`, the simulated phone of a test of your site.

usage: pip install pytest websocket-client; this file and bidi.py beside your tests, with
pytest_plugins = ["presentment_pytest"] in conftest.py;

    presentment serve --world scenarios/worlds/any-site.yaml --bidi 8081 &
    pytest

All workers of a run, as with pytest-xdist, use the one server: each test has worlds of its own. A test that fails
leaves a trace of each page and the calls as an HTTP Archive in the folder of --presentment-artifacts.
"""

import json
import pathlib
import re
import urllib.parse
import uuid

import pytest

from bidi import SET, BiDi


class Phone:
    """The simulated phone of a test. Its worlds end with it."""

    def __init__(self, bidi, test):
        self.bidi, self.test = bidi, test

    def address(self, url):
        """The address of a page with the name of the test, which the browser's tab keeps for the origin."""
        parts = urllib.parse.urlsplit(url)
        query = [*urllib.parse.parse_qsl(parts.query, keep_blank_values=True), ("presentment-test", self.test)]
        return urllib.parse.urlunsplit(parts._replace(query=urllib.parse.urlencode(query)))

    def accept(self, app="Wallet"):
        """The person picks an app and agrees."""
        self.bidi.command(SET, {"action": "respond", "presentment:app": app})

    def decline(self):
        """The person declines."""
        self.bidi.command(SET, {"action": "decline"})

    def wait(self):
        """The person does nothing."""
        self.bidi.command(SET, {"action": "wait"})

    def set_faults(self, *faults):
        """Replaces the faults for the next calls, for example "wallet.value-changed"."""
        self.command("setFaults", faults=faults)

    def perform(self, step):
        """Does a step of the scenario language, for example {"person": {"switches-off": "Wallet"}}."""
        self.command("perform", step=step)

    def calls(self):
        """The calls so far: what was asked and released, and who noticed what."""
        return self.command("getCalls")["calls"]

    def command(self, name, **parameters):
        return self.bidi.command(f"presentment:test.{name}", parameters)

    def write_artifacts(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        for number, trace in enumerate(self.command("getTrace")["traces"], 1):
            (folder / f"{self.test}-{number}.html").write_text(trace["page"], encoding="utf-8")
        archive = self.command("getArchive")["archive"]
        (folder / f"{self.test}.har").write_text(json.dumps(archive), encoding="utf-8")


def pytest_addoption(parser):
    group = parser.getgroup("presentment")
    group.addoption("--presentment-bidi", default="ws://127.0.0.1:8081/session", help="the second line of serve --bidi")
    group.addoption("--presentment-artifacts", default="presentment-artifacts", help="the folder for failed tests")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Notes the failure of a test for its fixtures, which end later."""
    report = (yield).get_result()
    item.presentment_failed = report.failed or getattr(item, "presentment_failed", False)


@pytest.fixture
def phone(request):
    """The simulated phone of the test."""
    name = re.sub(r"[^A-Za-z0-9_]+", "-", request.node.name)
    test = f"{name[:48]}-{uuid.uuid4().hex[:8]}"
    with BiDi(request.config.getoption("--presentment-bidi"), test) as bidi:
        made = Phone(bidi, test)
        yield made
        if getattr(request.node, "presentment_failed", False):
            made.write_artifacts(pathlib.Path(request.config.getoption("--presentment-artifacts")))
