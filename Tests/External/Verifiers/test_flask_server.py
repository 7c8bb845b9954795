#!/usr/bin/env python3
"""Tries the Flask server of docs/your-site as docs/your-server.md does, and without some of its checks.

    test_flask_server.py PRESENTMENT [--all]

With --all it must do every case of `presentment test-verifier` right, otherwise one of each kind. Needs the packages of
the page: Flask, cbor2 and cryptography.
"""

import contextlib
import json
import pathlib
import re
import subprocess
import sys
import threading
import unittest
from unittest import mock

from werkzeug.serving import make_server

ROOT = pathlib.Path(__file__).resolve().parents[3]
SITE = ROOT / "docs" / "your-site"
sys.path[:0] = [str(SITE), str(ROOT / "Tests" / "External")]
import document_checks  # noqa: E402
import flask_server  # noqa: E402
import scratch  # noqa: E402
import status_lists  # noqa: E402
from patience import PATIENCE  # noqa: E402
from ports import free_port  # noqa: E402

PRESENTMENT = ""
flask_server.TIME_FOR_A_LIST = PATIENCE
IS_WHOLE = False
# Seconds of a call of the suite. Only a server that does not answer within a minute reaches its end.
TIMEOUT = 60
PAGE = (ROOT / "docs" / "your-server.md").read_text()
CHOSEN = [
    "genuine.*", "trust.*", "clock.*", "revocation.*", "several-documents.*", "sessions.*", "request.*", "http.*",
    "issuer.signature-altered", "issuer.expired", "issuer.signer-expired", "issuer.element-date-offset",
    "issuer.status-list.*", "wallet.second-value-changed", "wallet.another-device-key",
    "wallet.signs-for-another-origin", "wallet.element-not-requested", "wallet.no-documents", "device-key.*"]
# Requests with room for mistakes that the page's has none for.
ELEMENTS = {
    "dates": ["given_name", "family_name", "birth_date", "issue_date", "age_over_21"],
    "two-ages": ["given_name", "age_over_21", "age_over_70"],
}
flask_server.ASKED.update({
    name: {flask_server.LICENSE: {"org.iso.18013.5.1": elements}} for name, elements in ELEMENTS.items()})


@contextlib.contextmanager
def serving(roots, lists=None):
    """The origin of the server, which runs in this process."""
    server = make_server("127.0.0.1", 0, flask_server.app, threaded=True)
    origin = f"http://localhost:{server.server_port}"
    flask_server.configure(roots, origin, lists)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield origin
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class FlaskServer(scratch.Folder):
    def setUp(self):
        super().setUp()
        self.roots = self.folder / "suite-roots" / "issuer-roots.pem"
        made = self.run_there("test-verifier", "--roots", "suite-roots")
        self.assertEqual(made.returncode, 0, made)

    def run_there(self, *arguments):
        return self.run_in_folder(PRESENTMENT, *arguments)

    def target(self, origin, kind, *lines):
        self.write("shop.yaml", "\n".join([
            f"origin: {origin}", f"begin: POST {origin}/request/{kind}", f"submit: POST {origin}/response",
            "accepted: { json: /verdict, is: verified }", f"limits: {{ timeout: {TIMEOUT} s }}", *lines, ""]))

    def verdicts(self, *chosen):
        """The exit code, what was printed, and the verdict of each case."""
        filters = [word for one in chosen for word in ("--filter", one)]
        done = self.run_there("test-verifier", "shop.yaml", "--strict", *filters, "--report", "json=out.json")
        cases = json.loads((self.folder / "out.json").read_text())["cases"]
        return done, {one["name"].partition(":")[0]: one["verdict"] for one in cases}

    def test_the_page(self):
        port = free_port()
        command = [sys.executable, "-B", str(SITE / "flask_server.py"), str(self.roots), "--port", str(port)]
        process = subprocess.Popen(command, cwd=self.folder, stderr=subprocess.PIPE, text=True)
        try:
            while "Running on" not in process.stderr.readline():
                self.assertIsNone(process.poll(), "the server did not start")
            drain = threading.Thread(target=process.stderr.read)
            drain.start()
            origin = f"http://localhost:{port}"
            made = self.run_there("new-target", f"{origin}/request", "--submit", f"{origin}/response")
            self.assertEqual(made.returncode, 0, made)
            shown = re.search(r"```yaml\n(.*?)```", PAGE, re.S).group(1).splitlines()
            written = made.stdout.replace(str(port), "9000").splitlines()
            self.assertEqual(shown, [line for line in written if line and not line.startswith("#")])
            self.write("shop.yaml", made.stdout)
            done, _ = self.verdicts("genuine.license", "issuer.expired")
            self.assertEqual(done.returncode, 0, done)
            self.assertIn("planned 2, decided 2: nothing is wrong", done.stdout)
            page = self.run_in_folder("curl", "-sS", f"{origin}/")
            self.assertIn("Verify Identity", page.stdout, page)
        finally:
            process.terminate()
            process.wait()
            drain.join()
            process.stderr.close()

    def test_nothing_is_wrong(self):
        lists = f"http://127.0.0.1:{free_port()}"
        place = re.search(r"^status-lists: .*$", PAGE, re.M).group().replace("http://127.0.0.1:9100", lists)
        chosen = [] if IS_WHOLE else CHOSEN
        with serving(self.roots, lists) as origin:
            self.target(origin, "dates", place)
            done, cases = self.verdicts(*chosen)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn(": nothing is wrong", done.stdout)
            self.assertEqual(cases["revocation.revoked"], "passed")
            self.assertEqual(cases["issuer.element-date-offset"], "passed")
            for kind, case in [
                    ("two-ages", "issuer.ages-contradict"),
                    ("license-and-photo-id", "several-documents.second-value-changed")]:
                self.target(origin, kind)
                done, cases = self.verdicts("genuine.license", "issuer.ages-contradict", "several-documents.*")
                self.assertEqual((done.returncode, cases[case]), (0, "passed"), done)

    def test_a_check_that_is_taken_out_is_found(self):
        for module, name, replacement, case in [
                (document_checks, "verify_device", nothing, "wallet.another-device-key"),
                (document_checks, "verify_requested", nothing, "wallet.element-not-requested"),
                (document_checks, "verify_dates", nothing, "issuer.expired"),
                (document_checks, "has_issued", lambda *_: True, "issuer.signer-of-another-root"),
                (document_checks, "is_valid_at", lambda *_: True, "issuer.signer-expired")]:
            with self.subTest(name), mock.patch.object(module, name, replacement), serving(self.roots) as origin:
                self.target(origin, "dates")
                done, cases = self.verdicts("genuine.license", case)
                self.assertEqual((done.returncode, cases[case]), (1, "failed"), done)
        with mock.patch.object(status_lists, "verify_status", nothing), serving(self.roots) as origin:
            self.target(origin, "license", f"status-lists: {{ address: http://127.0.0.1:{free_port()} }}")
            done, cases = self.verdicts("revocation.revoked")
            self.assertEqual(cases["revocation.revoked"], "failed", done)


def nothing(*_):
    """Takes the place of a check."""


if __name__ == "__main__":
    IS_WHOLE = "--all" in sys.argv
    PRESENTMENT = str(pathlib.Path(sys.argv[1]).resolve())
    unittest.main(argv=[sys.argv[0], *(one for one in sys.argv[2:] if one != "--all")])
