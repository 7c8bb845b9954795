"""Runs the web-platform-tests of digital-credentials in Chromium against the simulated browsers.

usage: run.py PRESENTMENT --wpt CHECKOUT [--profile PROFILE]... [--filter TEXT] [--quiet]

CHECKOUT is a folder with a checkout of web-platform-tests, of which digital-credentials, common, permissions-policy and
resources are read. The tests are not changed: presentment.js is loaded before each page, and
resources/testdriver-vendor.js is the vendor file of presentment. Exit code 1 if a subtest fails without an explanation.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys
import time
import urllib.request

from selenium import webdriver
from selenium.common.exceptions import WebDriverException

import files

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "Tests/External"), str(ROOT / "Tests/External/Browser")]
import chromium  # noqa: E402
from patience import PATIENCE  # noqa: E402

PROFILES = ["spec-2026-08", "safari-26.0", "safari-main-2026", "chromium-2026"]
FOLDER = "digital-credentials"
STATES = ["passed", "failed", "timed out", "not run", "precondition failed"]

# Subtests of what a browser does not have: a pattern for "file: subtest", a pattern for the profile, and the reason.
NOT_APPLICABLE = [
    (r"(?i)(/|\b)issue\b|-issue\b|\.issue\(", "safari|chromium", "this browser does not have DigitalCredential.issue"),
    (r"(?i)(/|\b)create\b|-create\b|\.create\(|\bcreate\(\)", "safari",
     "this browser creates other credential types only"),
]

# The reasons of failures: a pattern for "file: subtest", a pattern for the profile, and the reason.
EXPLANATIONS = [
    (r"static-methods.*willRequestConditionalCreation", "",
     "the browser around the page does not have Credential.willRequestConditionalCreation"),
    (r"create\.tentative.*cross-origin iframe", "",
     "the test's frame of another origin has no attribute allow, so the permissions policy denies the call"),
    (r"create\.tentative.*after call to create", "",
     "the test names the protocol openid4vci, and the standard only knows openid4vci-v1"),
    (r"user-activation\.https.*create\(\) consumes", "",
     "the test's list is empty, and the standard keeps the activation of such a call"),
    (r"user-activation\.https.*create\(\) calling", "", "the activation of the test's get() with openid4vp is left"),
    (r"enabled-on-self.*create=\(self\) allows the top-level", "", "the test does not import makeCreateOptions"),
    (r"concurrent-requests", "safari-26", "this browser rejects a second call with InvalidStateError"),
    (r"(get\.tentative|user-activation)\.https\.html: .*(after call to get|without user activation|consumes user)", "",
     "the test names the protocol openid4vp, and the standard only knows openid4vp-v1-unsigned and the like"),
    (r"with one unknown protocol with malformed data|bogus requests", "",
     "Web IDL converts the data of every request before a protocol is dropped, as in WebKit and Chromium"),
    (r"/issue(-enabled|\.disabled).*Permissions-Policy header", "",
     "the browser around the page does not know digital-credentials-issue, and a script cannot read the header"),
    (r"get-mdoc-request-validation", "chromium", "this browser leaves the data to the platform"),
    (r"get-mdoc-request-validation.*(deviceRequest|encryptionInfo)", "safari-26",
     "this browser drops malformed requests and opens an empty chooser"),
    (r"get-mdoc-request-validation", "", "the platform's sandbox parses the CBOR of a request, not the browser"),
    (r"/get\..*Mediation is implicitly", "safari",
     "this browser refuses conditional mediation, as Credential Management does"),
    (r"openid4vp|leak to other frames", "safari", "this browser allows org-iso-mdoc only"),
    (r"webdriver/.*(decline|leak to other frames)", "chromium-2026",
     "a person who declines causes NetworkError in this browser"),
]


def server(program):
    """Starts presentment, and returns the process and the port."""
    process = subprocess.Popen(
        [program, "serve", "--port", "0", "--world", "scenarios/worlds/any-site.yaml"], cwd=ROOT,
        stdout=subprocess.PIPE, text=True)
    return process, int(re.search(r":(\d+)/", process.stdout.readline())[1])


def tests(root, text):
    """The addresses of the tests below the checkout."""
    for file in sorted((root / FOLDER).rglob("*")):
        path = file.relative_to(root).as_posix()
        if {"support", "resources", "permissions-policy"} & set(file.relative_to(root).parts) or text not in path:
            continue
        if file.suffix == ".html":
            yield path
        elif path.endswith(".any.js"):
            yield path.removesuffix(".js") + ".html"


def results(driver, address):
    """The harness's results of a test, as (name, state, message)."""
    driver.get(address)
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = driver.execute_script("return window.wptResults")
        if found:
            if found["status"] not in (0, None) and not found["tests"]:
                return [("the harness", "failed", found["message"])]
            return [(one["name"], STATES[one["status"]], one["message"]) for one in found["tests"]]
        time.sleep(0.05)
    return [("the harness", "timed out", f"no result in {PATIENCE} seconds")]


def reason(table, subject, profile):
    for pattern, profiles, why in table:
        if re.search(pattern, subject) and re.search(profiles, profile):
            return why
    return None


def run(program, checkout, profile, text, is_quiet):
    """Runs all tests with a profile, and returns the counts by state."""
    process, port = server(program)
    home = f"http://demo.localhost:{port}"
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/testdriver-vendor.js") as response:
        vendor = response.read().decode()
    injected = f'<script src="{home}/presentment.js" data-overlay="none" data-browser="{profile}"></script>'
    # The certificate of wpt's own hosts is made for this run.
    served = files.Files(checkout, {"/resources/testdriver-vendor.js": vendor}, injected)
    servers = files.serve(served)
    counts = collections.Counter()
    driver = chromium.start((900, 700), ["--ignore-certificate-errors"])
    try:
        for path in tests(checkout, text):
            scheme = "http" if ".http." in path else "https"
            address = f"{scheme}://{files.HOST}:{served.ports[scheme, 0]}/{path}"
            try:
                found = results(driver, address)
            except WebDriverException as error:
                found = [("the harness", "failed", str(error).splitlines()[0])]
            for name, state, message in found:
                subject = f"{path}: {name}"
                out = reason(NOT_APPLICABLE, subject, profile)
                why = None
                if out:
                    state = "not applicable"
                elif state != "passed":
                    why = reason(EXPLANATIONS, subject, profile)
                    state = "failed"
                    counts["explained" if why else "unexplained"] += 1
                counts[state] += 1
                if state == "failed" or not is_quiet:
                    print(f"{state:<15}{subject}")
                if state == "failed":
                    print(f"{'':15}{(message or '-').splitlines()[0]}\n{'':15}why: {why or 'unknown'}")
    finally:
        driver.quit()
        for one in servers:
            one.shutdown()
        process.terminate()
        process.wait()
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--wpt", required=True, type=pathlib.Path)
    parser.add_argument("--profile", action="append")
    parser.add_argument("--filter", default="")
    parser.add_argument("--quiet", action="store_true", help="print failures and counts only")
    arguments = parser.parse_args()
    program = str(pathlib.Path(arguments.program).resolve())
    unexplained = 0
    for profile in arguments.profile or PROFILES:
        counts = run(program, arguments.wpt.resolve(), profile, arguments.filter, arguments.quiet)
        print(f"{profile}: {counts['passed']} passed, {counts['failed']} failed ({counts['explained']} explained), "
              f"{counts['not applicable']} not applicable", flush=True)
        unexplained += counts["unexplained"]
    sys.exit(1 if unexplained else 0)


if __name__ == "__main__":
    main()
