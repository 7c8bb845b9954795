#!/usr/bin/env python3
"""Tries `presentment test-verifier` and `new-target` against servers on this machine: the one of docs/your-site, and
servers that answer badly.

    test_command.py PRESENTMENT
"""

import contextlib
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "docs" / "your-site"), str(ROOT / "Tests" / "External"), str(pathlib.Path(__file__).parent)]
import bad  # noqa: E402
import scratch  # noqa: E402
import server as site  # noqa: E402
from patience import PATIENCE  # noqa: E402
from ports import free_port  # noqa: E402

PRESENTMENT = ""
site.TIME_FOR_A_LIST = PATIENCE
# Seconds of a call. Only a server that does not answer within a minute gets the short one.
TIMEOUT, SHORT_TIMEOUT = 60, 1


@contextlib.contextmanager
def serving(server):
    """Yields the port of a server that serves meanwhile."""
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        if hasattr(server, "folder"):
            shutil.rmtree(server.folder)


class Folder(scratch.Folder):
    def run_there(self, *arguments):
        return self.run_in_folder(PRESENTMENT, *arguments)


class OwnSite(Folder):
    """The page's five minutes with the server of docs/your-site."""

    def setUp(self):
        super().setUp()
        self.assertEqual(self.run_there("test-verifier", "--roots", "roots").returncode, 0)

    def test_five_minutes(self):
        with serving(site.start(PRESENTMENT, self.folder / "roots/issuer-roots.pem")) as port:
            address = f"http://localhost:{port}"
            begun = self.run_there("new-target", f"{address}/request")
            self.assertEqual(begun.returncode, 2, begun)
            self.assertIn("# Later calls can use $session", begun.stdout)
            made = self.run_there("new-target", f"{address}/request", "--submit", f"{address}/response")
            self.assertEqual(made.returncode, 0, made)
            self.assertIn('accepted: { json: "/verdict", is: verified }', made.stdout)
            self.write("shop.yaml", made.stdout)
            chosen = ["genuine.license", "issuer.expired", "wallet.value-changed", "sessions.*", "request.*", "http.*"]
            filters = [word for one in chosen for word in ("--filter", one)]
            tested = self.run_there(
                "test-verifier", "shop.yaml", *filters, "--strict", "--report", "junit=out.xml",
                "--report", "json=out.json")
            self.assertEqual(tested.returncode, 0, tested)
            self.assertIn(": nothing is wrong", tested.stdout)
            self.assertIn("wallet.value-changed", (self.folder / "out.xml").read_text())
            merged = self.run_there("merge", "out.json")
            self.assertEqual(merged.returncode, 0, merged)

    def test_list_of_issuers_and_reader(self):
        roots = self.folder / "roots"
        self.assertEqual((roots / "reader/key.pem").stat().st_mode & 0o777, 0o600)
        key = (roots / "reader/key.pem").read_bytes()
        again = self.run_there("test-verifier", "--roots", "roots", "--reader-domain", "shop.example")
        self.assertEqual(again.returncode, 0, again)
        self.assertIn("reader/certificate.pem: its certificate, for shop.example", again.stdout)
        self.assertEqual((roots / "reader/key.pem").read_bytes(), key)
        for domain in ("", "Shop.example", "shop.example:9000", "shop.example/a", "https://shop.example"):
            refused = self.run_there("test-verifier", "--roots", "roots", "--reader-domain", domain)
            self.assertEqual(refused.returncode, 2, refused)
        self.assertEqual(self.run_there("test-verifier", "--roots", "roots").returncode, 0)
        with serving(WithList(PRESENTMENT, roots / "list", 0, None, roots / "reader")) as port:
            self.write("shop.yaml", target(port, "request", "response", "accepted: { json: /verdict, is: verified }"))
            chosen = ["genuine.*", "trust.*", "device-key.*", "several-documents.*", "issuer.expired"]
            filters = [word for one in chosen for word in ("--filter", one)]
            tested = self.run_there("test-verifier", "shop.yaml", *filters, "--strict")
            self.assertEqual(tested.returncode, 0, tested)
            self.assertIn(": nothing is wrong", tested.stdout)

    def test_status_lists(self):
        lists = f"http://127.0.0.1:{free_port()}"
        page = (ROOT / "docs/test-your-server.md").read_text()
        [place] = [line for line in page.splitlines() if line.startswith("status-lists: {")]
        place = place.replace("http://127.0.0.1:9100", lists)
        for served, code in [(lists, 0), (None, 1)]:
            with serving(site.start(PRESENTMENT, self.folder / "roots/issuer-roots.pem", 0, served)) as port:
                self.write("shop.yaml", target(
                    port, "request", "response", "accepted: { json: /verdict, is: verified }",
                    "reason: /failure/check", place))
                tested = self.run_there("test-verifier", "shop.yaml", "--filter", "revocation.*", "--all")
                self.assertEqual(tested.returncode, code, tested)
                self.assertEqual(served is None, "the server fetched no status list" in tested.stdout, tested)
                self.assertEqual(served is None, "WRONGLY ACCEPTED" in tested.stdout, tested)
                self.assertEqual(served is not None, "the server's reason: status.revocation" in tested.stdout, tested)

    def test_port_of_status_lists_is_taken(self):
        with serving(site.start(PRESENTMENT, self.folder / "roots/issuer-roots.pem")) as port:
            self.write("shop.yaml", target(
                port, "request", "response", "accepted: { json: /verdict, is: verified }",
                f"status-lists: {{ address: http://127.0.0.1:{port} }}"))
            tested = self.run_there("test-verifier", "shop.yaml", "--filter", "revocation.*")
            self.assertEqual(tested.returncode, 2, tested)
            self.assertIn("[suite.status-lists]", tested.stdout)

    def test_server_without_the_roots(self):
        other = self.run_there("test-verifier", "--roots", "others", "--seed", "2")
        self.assertEqual(other.returncode, 0, other)
        with serving(site.start(PRESENTMENT, self.folder / "others/issuer-roots.pem")) as port:
            self.write("shop.yaml", target(port, "request", "response", "accepted: { json: /verdict, is: verified }"))
            tested = self.run_there("test-verifier", "shop.yaml", "--filter", "issuer.expired")
            self.assertEqual(tested.returncode, 2, tested)
            self.assertIn("does it trust the roots that --roots writes", tested.stdout)
            self.assertIn("[suite.genuine-refused]", tested.stdout)
            # The seed chooses the roots.
            tested = self.run_there("test-verifier", "shop.yaml", "--filter", "issuer.expired", "--seed", "2")
            self.assertEqual(tested.returncode, 0, tested)

    def test_wrong_verdicts_are_explained(self):
        with serving(site.start(PRESENTMENT, self.folder / "roots/issuer-roots.pem")) as port:
            self.write("shop.yaml", target(port, "request", "response", "accepted: { status: 200 }"))
            tested = self.run_there("test-verifier", "shop.yaml", "--filter", "issuer.expired", "--out", "wrong",
                                    "--update-known", "known.yaml", "--report", "json=a.json")
            self.assertEqual(tested.returncode, 1, tested)
            self.assertIn("WRONGLY ACCEPTED  1 (1 must)", tested.stdout)
            self.assertIn("1 fails this run", tested.stdout)
            self.assertEqual(self.run_there("merge", "a.json").returncode, 1)
            merged = self.run_there("merge", "a.json", "a.json", "--matrix", "compared.html")
            self.assertEqual(merged.returncode, 0, merged)
            self.assertIn("issuer.expired", (self.folder / "compared.html").read_text())
            explained = self.run_there("verify", "wrong/issuer.expired.json")
            self.assertEqual(explained.returncode, 1, explained)
            self.assertIn("mso.validity/expired", explained.stdout)
            known = (self.folder / "known.yaml").read_text()
            unexplained = self.run_there("test-verifier", "shop.yaml", "--known", "known.yaml")
            self.assertEqual(unexplained.returncode, 2, unexplained)
            self.assertIn("the reason of the known mistake is missing", unexplained.stderr)
            self.write("known.yaml", known.replace('"?"', "SHOP-212"))
            accepted = self.run_there(
                "test-verifier", "shop.yaml", "--known", "known.yaml", "--filter", "issuer.expired")
            self.assertEqual(accepted.returncode, 0, accepted)


    def test_server_that_trusts_nothing_makes_no_target(self):
        other = self.run_there("test-verifier", "--roots", "others", "--seed", "2")
        self.assertEqual(other.returncode, 0, other)
        for kind in (site.Server, WithoutVerdict):
            with serving(kind(PRESENTMENT, self.folder / "others/issuer-roots.pem", 0)) as port:
                address = f"http://localhost:{port}"
                made = self.run_there("new-target", f"{address}/request", "--submit", f"{address}/response")
                self.assertEqual(made.returncode, 2, made)
                self.assertIn("# accepted: ", made.stdout)
                self.assertIn("# does it trust the roots that --roots writes", made.stdout)

    def test_targets_look_at_what_every_acceptance_has(self):
        with serving(WithMore(PRESENTMENT, self.folder / "roots/issuer-roots.pem", 0)) as port:
            address = f"http://localhost:{port}"
            made = self.run_there("new-target", f"{address}/request", "--submit", f"{address}/response")
            self.assertEqual(made.returncode, 0, made)
            self.assertIn('accepted: { json: "/state/verdict", is: verified }', made.stdout)

    def test_secrets_stay_in_the_environment(self):
        with serving(site.start(PRESENTMENT, self.folder / "roots/issuer-roots.pem")) as port:
            address = f"http://localhost:{port}"
            self.write("shop.yaml", "\n".join([
                f"origin: {address}", f'begin: {{ call: "POST {address}/request", headers: {{ X-Key: $SHOP_KEY }} }}',
                f'submit: {{ call: "POST {address}/response", headers: {{ X-Key: "key $SHOP_KEY" }} }}',
                "accepted: { status: 200 }", ""]))
            reports = [word for form in ("json", "junit", "tap", "html", "jsonl")
                       for word in ("--report", f"{form}=out/report.{form}")] + ["--report", "github"]
            (self.folder / "out").mkdir()
            tested = self.run_in_folder(
                PRESENTMENT, "test-verifier", "shop.yaml", "--filter", "issuer.expired", "--filter", "genuine.license",
                "--filter", "sessions.same-answer-twice", "--all", "--out", "out/wrong", "--update-known",
                "out/known.yaml", *reports, env={**os.environ, "SHOP_KEY": "swordfish"})
            self.assertEqual(tested.returncode, 1, tested)
            written = [path for path in (self.folder / "out").rglob("*") if path.is_file()]
            self.assertEqual(len(written), 8, written)
            for path in written:
                self.assertNotIn("swordfish", path.read_text(), path)
            self.assertNotIn("swordfish", tested.stdout + tested.stderr)

    def test_cases_without_a_check_are_explained(self):
        with serving(site.start(PRESENTMENT, self.folder / "roots/issuer-roots.pem")) as port:
            # Every refusal is taken for an acceptance.
            self.write("shop.yaml", target(port, "request", "response", "accepted: { status: 200 }"))
            tested = self.run_there(
                "test-verifier", "shop.yaml", "--filter", "sessions.same-answer-twice", "--out", "wrong")
            self.assertEqual(tested.returncode, 1, tested)
            self.assertIn("      ISO/IEC 18013-5, 9.1.5\n", tested.stdout)
            explained = self.run_there("verify", "wrong/sessions.same-answer-twice.json")
            self.assertEqual(explained.returncode, 0, explained)

    def test_interrupted(self):
        with serving(Interrupting(PRESENTMENT, self.folder / "roots/issuer-roots.pem", 0)) as port:
            self.write("shop.yaml", target(port, "request", "response", "accepted: { json: /verdict, is: verified }"))
            process = subprocess.Popen(
                [PRESENTMENT, "test-verifier", "shop.yaml", "--jobs", "1", "--update-known", "known.yaml", "--report",
                 "junit=out.xml"],
                cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            Interrupting.last.process = process
            stdout, stderr = process.communicate()
            self.assertEqual(process.returncode, 143, stdout + stderr)
            self.assertIn("the run was interrupted [suite.interrupted]", stdout)
            self.assertIn("decided ", stdout)
            self.assertNotIn("decided 0", stdout)
            self.assertIn("the run was interrupted", (self.folder / "out.xml").read_text())
            self.assertEqual((self.folder / "known.yaml").read_text(), "[]\n")

    def test_wrong_pointers(self):
        with serving(site.start(PRESENTMENT, self.folder / "roots/issuer-roots.pem")) as port:
            for lines, message in (
                    (["accepted: { json: /nothing, is: a }"],
                     "shop.yaml:5:19: the answer to the first genuine one has nothing at '/nothing'"),
                    (["accepted: { json: /verdict, is: verified }", "elements: /nothing"],
                     "shop.yaml:6:11: the answer with the verified elements has nothing at '/nothing'")):
                self.write("shop.yaml", target(port, "request", "response", *lines))
                tested = self.run_there("test-verifier", "shop.yaml", "--filter", "genuine.license")
                self.assertEqual(tested.returncode, 2, tested)
                self.assertIn(message, tested.stdout)
                self.assertIn("[suite.target]", tested.stdout)
            self.write("shop.yaml", target(
                port, "request", "response", "accepted: { json: /verdict, is: verified }", "elements: /documents",
                "reason: /nowhere"))
            tested = self.run_there(
                "test-verifier", "shop.yaml", "--filter", "genuine.*", "--filter", "issuer.expired")
            self.assertEqual(tested.returncode, 0, tested)
            self.assertIn("note: shop.yaml:7:9: no refusing answer has anything at '/nowhere'", tested.stdout)


class WithoutVerdict(site.Server):
    """A refusal has the session and a reason, and no verdict."""

    def verify(self, session, protocol, data):
        found = super().verify(session, protocol, data)
        return found if found["verdict"] == "verified" else {"session": session, "why": found["failure"]["check"]}


class WithMore(site.Server):
    """Says when it answered, and whom it verified, before it says so."""

    def verify(self, session, protocol, data):
        found = super().verify(session, protocol, data)
        elements = [one for space in (found["documents"] or [{"elements": {}}])[0]["elements"].values()
                    for one in space.items()]
        return {"time": time.time(), "person": dict(elements) or None, "state": {"verdict": found["verdict"]}}


class Interrupting(site.Server):
    """Interrupts the program that calls it at a later answer."""

    last = process = None
    answers = 0

    def __init__(self, *arguments):
        super().__init__(*arguments)
        Interrupting.last = self

    def verify(self, session, protocol, data):
        self.answers += 1
        if self.answers == 10:
            self.process.send_signal(signal.SIGTERM)
        return super().verify(session, protocol, data)


class WithList(site.Server):
    """Trusts a signed list of issuing authorities."""

    def run(self, command, *arguments, **others):
        if command == "verify":
            place = arguments.index("--issuer-root")
            arguments = (*arguments[:place], "--vical", self.roots / "issuers.vical",
                         "--vical-signer", self.roots / "signer-root.pem")
        return super().run(command, *arguments, **others)


def target(port, begin, submit, *lines, timeout=TIMEOUT):
    address = f"http://localhost:{port}"
    return "\n".join([
        f"origin: {address}", f"begin: POST {address}/{begin}", f"submit: POST {address}/{submit}",
        f"limits: {{ timeout: {timeout} s }}", *lines, ""])


class OwnServer(Folder):
    """A website's server outside the world of a scenario."""

    def setUp(self):
        super().setUp()
        issuer = "{ name: Spaceport DMV, country: US, state: US-CA }"
        self.write("world.yaml", f"authorities: {{ issuers: {{ dmv: {issuer} }} }}\nwebsites: {{}}\ndevices: {{}}\n")
        self.write("license.yaml", "{ type: org.iso.18013.5.1.mDL, elements: { given_name: Kelly } }\n")
        issued = self.run_there("issue", "license.yaml", "--world", "world.yaml", "--seed", "7", "--write-device-key",
                                "key.pem", "--issuer-root", "root.pem", "--out", "license.cbor")
        self.assertEqual(issued.returncode, 0, issued)

    def scenario(self, server, expected="website: { verified: { given_name: Kelly, age_over_21: true } }", port=9):
        text = (ROOT / "scenarios/own-server/a-server-outside.yaml").read_text()
        start = text[text.index("world:"):text.index("matrix:")].replace("spaceport-dmv", "dmv")
        lines = [line for line in start.splitlines() if "recording:" not in line]
        first = next(n for n, line in enumerate(lines) if line.strip() == "server:")
        lines[first + 1:first + 7] = [f"        {line}" for line in server]
        text = "\n".join(lines).replace("http://localhost:9000", f"http://localhost:{port}")
        steps = ["person: { visits: my-shop, on: kellys-iphone }", "person: { taps: Verify Identity }",
                 "person: { picks: Wallet }", "person: { authorizes-with: face-id }", expected]
        self.write("shop.yaml", "scenario: My shop\nseed: 7\n" + text + "\nsteps:\n"
                   + "".join(f"  - {step}\n" for step in steps))

    @staticmethod
    def server(port, begin="request", submit="response", timeout=TIMEOUT):
        return [f"begin: POST http://localhost:{port}/{begin}", f"submit: POST http://localhost:{port}/{submit}",
                "accepted: { json: /verdict, is: verified }", f"limits: {{ timeout: {timeout} s }}"]

    def test_recorded_and_replayed(self):
        with serving(site.start(PRESENTMENT, self.folder / "root.pem")) as port:
            self.scenario(self.server(port), port=port)
            live = self.run_there("run", "shop.yaml", "--record", "shop.har", "--trace", "live")
            self.assertEqual(live.returncode, 0, live)
        gone = self.run_there("run", "shop.yaml")
        self.assertEqual(gone.returncode, 2, gone)
        self.assertIn("the server gave no answer", gone.stdout)
        replayed = self.run_there("run", "shop.yaml", "--replay", "shop.har", "--trace", "again", "--repeat", "3")
        self.assertEqual(replayed.returncode, 0, replayed)
        same = self.run_there("diff", "live", "again")
        self.assertEqual(same.returncode, 0, same)
        other = self.run_there("run", "shop.yaml", "--replay", "shop.har", "--seed", "8")
        self.assertEqual(other.returncode, 2, other)
        self.assertEqual((self.folder / "shop.har").stat().st_mode & 0o777, 0o600)
        altered = (self.folder / "shop.har").read_text().replace("given_name", "family_nam")
        self.write("altered.har", altered)
        self.assertEqual(self.run_there("run", "shop.yaml", "--replay", "altered.har").returncode, 1)
        # The same seed, and another document: the phone's answer has other bytes.
        self.scenario(self.server(port), port=port)
        text = (self.folder / "shop.yaml").read_text()
        self.write("shop.yaml", text.replace("resident_city: Mojave", "resident_city: Moab"))
        differs = self.run_there("run", "shop.yaml", "--replay", "shop.har")
        self.assertEqual(differs.returncode, 2, differs)
        self.assertIn("the recording has another call here", differs.stdout)
        again = "  - page: { replays: same-session }\n  - website: { refused: own-server.accepted }\n"
        self.write("shop.yaml", text + again)
        longer = self.run_there("run", "shop.yaml", "--replay", "shop.har")
        self.assertEqual(longer.returncode, 2, longer)
        self.assertIn("the recording has no further call", longer.stdout)
        for text in ("", "{}", '{"log": {"entries": [{}]}}', altered[:-40]):
            self.write("broken.har", text)
            broken = self.run_there("run", "shop.yaml", "--replay", "broken.har")
            self.assertEqual(broken.returncode, 2, broken)
            self.assertIn("broken.har: ", broken.stderr)

    def test_variables_stay_in_the_environment(self):
        with serving(site.start(PRESENTMENT, self.folder / "root.pem")) as port:
            lines = self.server(port)
            lines[0] = f'begin: {{ call: "POST http://localhost:{port}/request", headers: {{ X-Key: $SHOP_KEY }} }}'
            self.scenario(lines, port=port)
            missing = self.run_there("run", "shop.yaml")
            self.assertEqual(missing.returncode, 2, missing)
            self.assertIn("the environment has no variable SHOP_KEY", missing.stdout)
            given = self.run_in_folder(PRESENTMENT, "run", "shop.yaml", "--record", "shop.har", "--trace", "live",
                                       env={**os.environ, "SHOP_KEY": "swordfish"})
            self.assertEqual(given.returncode, 0, given)
            for path in ("shop.har", "live/shop.trace.jsonl"):
                self.assertNotIn("swordfish", (self.folder / path).read_text())

    def test_servers_that_say_nothing(self):
        with serving(bad.start()) as port:
            for way, message in BadServers.WAYS.items():
                if way in ("unreadable-request", "old-clock"):
                    continue  # The phone refuses the one, and nothing looks at the other.
                with self.subTest(way=way):
                    timeout = SHORT_TIMEOUT if way in BadServers.LATE else TIMEOUT
                    # Whatever the page is expected to show, the case is undecided.
                    refused = "website: { refused: own-server.accepted }"
                    self.scenario(self.server(port, way, way, timeout), refused, port)
                    run = self.run_there("run", "shop.yaml")
                    self.assertEqual(run.returncode, 2, run)
                    self.assertIn(message, run.stdout)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10, BadServers.MEMORY)

    def test_answers_that_are_unclear(self):
        with serving(site.start(PRESENTMENT, self.folder / "root.pem")) as port:
            for accepted, message in ((["refused: { json: /verdict, is: verified }"], "accepting and refusing"),
                                      (["refused: { json: /verdict, is: no }"], "neither accepting nor refusing")):
                lines = self.server(port)
                if "neither" in message:
                    lines[2] = "accepted: { json: /verdict, is: yes }"
                self.scenario(lines + accepted, "website: { refused: own-server.accepted }", port)
                run = self.run_there("run", "shop.yaml")
                self.assertEqual(run.returncode, 2, run)
                self.assertIn(message, run.stdout)

    def test_two_answers_that_count(self):
        with serving(site.start(PRESENTMENT, self.folder / "root.pem")) as port:
            lines = self.server(port)
            lines[2] = "accepted: { status: 200 }"
            self.scenario(lines, port=port)
            text = (self.folder / "shop.yaml").read_text()
            self.write("shop.yaml", text + "  - page: { replays: same-session }\n")
            run = self.run_there("run", "shop.yaml")
            self.assertEqual(run.returncode, 1, run)
            self.assertIn("[invariant.answered-once/session]", run.stdout)

    def test_a_person_who_waits_too_long(self):
        with serving(site.start(PRESENTMENT, self.folder / "root.pem")) as port:
            self.scenario(self.server(port), port=port)
            text = (self.folder / "shop.yaml").read_text()
            step = "  - person: { authorizes-with: face-id }\n"
            self.write("shop.yaml", text.replace(step, "  - person: { waits: 20 min }\n" + step))
            run = self.run_there("run", "shop.yaml")
            self.assertEqual(run.returncode, 2, run)
            self.assertIn("seconds ahead of this machine's", run.stdout)

    def test_mistakes_in_the_world(self):
        self.scenario(self.server(9))
        shutil.copy(ROOT / "scenarios/own-server/files/shop.har", self.folder)
        text = (self.folder / "shop.yaml").read_text()
        other = "    other: { origin: https://other.example, brand: { name: Other, icon: o.svg }%s }\n"
        authority = "    readers:\n      shop-authority: { root: root.pem%s }\n  websites:\n"
        for change, message in (
                (("      server:\n", "      signs-for: []\n      server:\n"), "has no 'signs-for'"),
                (("      server:\n", "      recording: license.yaml\n      server:\n"), "the recording is not JSON"),
                (("  websites:\n", authority % ", certificate-days: 9"), "has no 'certificate-days'"),
                (("  websites:\n", authority % "" + "    other:\n      origin: https://other.example\n"
                  "      brand: { name: Other, icon: o.svg }\n      signs-for: [shop-authority]\n      asks: {}\n"),
                 "shop-authority certifies readers outside the world, and not other"),
                (("  websites:\n", "  websites:\n" + other % ", asks: {}, recording: shop.har"),
                 "a recording is of a 'server' outside the world"),
                (("  websites:\n", "  websites:\n" + other % ""), "the key 'asks' is missing")):
            with self.subTest(message=message):
                self.assertIn(change[0], text)
                self.write("shop.yaml", text.replace(*change, 1))
                linted = self.run_there("lint", "shop.yaml")
                self.assertEqual(linted.returncode, 2, linted)
                self.assertIn(message, linted.stdout + linted.stderr)

    def test_other_machines(self):
        self.scenario([line.replace("localhost:9", "shop.example") for line in self.server(9)])
        run = self.run_there("run", "shop.yaml")
        self.assertEqual(run.returncode, 2, run)
        self.assertIn("--remote", run.stdout)

    def test_elsewhere_nothing_calls(self):
        self.scenario(self.server(9))
        for command in (["sweep", "shop.yaml"], ["explore", "shop.yaml", "--runs", "1"]):
            run = self.run_there(*command)
            self.assertEqual(run.returncode, 2, run)

    def test_usage(self):
        self.scenario(self.server(9))
        for arguments in (["--record", "a", "--replay", "b"], ["--record", "a", "--list"], ["--replay", "missing.har"]):
            run = self.run_there("run", "shop.yaml", *arguments)
            self.assertIn(run.returncode, (2, 64), run)
        self.scenario(["begin: POST http://localhost:9/a"])
        linted = self.run_there("lint", "shop.yaml")
        self.assertIn("the key 'submit' is missing", linted.stdout + linted.stderr)


class Files(Folder):
    """A library without a server: presentment's own `verify` on files."""

    CHOSEN = ["genuine.*", "issuer.expired", "wallet.value-changed", "sessions.no-session",
              "device-key.es384-another-nonce", "several-documents.*"]

    def verdict(self, name, accepted, **others):
        (self.folder / "suite/verdicts" / f"{name}.json").write_text(json.dumps({"accepted": accepted, **others}))

    def test_library(self):
        filters = [word for one in self.CHOSEN for word in ("--filter", one)]
        written = self.run_there("test-verifier", "--write-files", "suite", *filters)
        self.assertEqual(written.returncode, 0, written)
        undecided = self.run_there("test-verifier", "--files", "suite", *filters)
        self.assertEqual(undecided.returncode, 2, undecided)
        self.assertIn("[suite.genuine-refused]", undecided.stdout)
        for file in (self.folder / "suite/cases").iterdir():
            verified = self.run_there("verify", file)
            self.verdict(file.stem, verified.returncode == 0, reason=verified.stdout.splitlines()[-1])
        judged = self.run_there("test-verifier", "--files", "suite", *filters, "--strict")
        self.assertEqual(judged.returncode, 0, judged)
        # Cases of sessions have no file.
        self.assertIn("planned 30, decided 29, not tested 1", judged.stdout)
        self.verdict("issuer.expired", True)
        self.verdict("wallet.value-changed", None)
        self.verdict("genuine.longest-name", False)
        (self.folder / "suite/verdicts/genuine.short-validity.json").write_text("")
        judged = self.run_there("test-verifier", "--files", "suite", *filters, "--out", "wrong")
        self.assertEqual(judged.returncode, 1, judged)
        self.assertIn("undecided 2: 1 wrongly accepted, 1 wrongly refused\n2 fail this run", judged.stdout)
        self.assertIn("the library refused", judged.stdout)
        self.assertIn("suite/verdicts/genuine.short-validity.json, byte 0", judged.stdout)
        self.assertNotIn("the server", judged.stdout)
        self.assertIn("mso.validity/expired", self.run_there("verify", "wrong/issuer.expired.json").stdout)
        # A library without other curves does not show that it refuses anything of theirs.
        self.verdict("genuine.device-es384", False)
        self.verdict("issuer.expired", False)
        judged = self.run_there("test-verifier", "--files", "suite", "--filter", "*es384*")
        self.assertEqual(judged.returncode, 1, judged)
        self.assertIn("1 wrongly refused", judged.stdout)
        self.assertIn("decided 2, not tested 4", judged.stdout)


class Prepared(site.Server):
    """Has begun its sessions before they are asked for: the time of a call is short."""

    READY = 4

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.ready = []

    def prepare(self):
        self.ready = [super(Prepared, self).begin() for _ in range(self.READY)]

    def begin(self):
        return self.ready.pop() if self.ready else super().begin()


class BadServers(Folder):
    """Each ends with a clear error, in bounded time and memory."""

    WAYS = {
        "loop": "redirects more than 20 times", "elsewhere": "redirects to another server",
        "credentials-in-address": "redirects to", "no-json": "is not JSON", "no-options": "has no options",
        "unreadable-request": "the phone does not answer the server's request",
        "old-clock": "the server's clock differs", "slow": "did not answer in time", "closed": "gave no answer",
        "no-http": "is not HTTP", "huge": "longer than 1048576 bytes",
        "endless": "longer than 1048576 bytes", "dripping": "did not answer in time", "nothing": "begins no session",
    }
    LATE = {"slow", "dripping"}
    # The ways without an answer that could be judged, each with the number of calls of one that is handed in.
    SILENT = {"loop": 21, "elsewhere": 1, "credentials-in-address": 1, "slow": 1, "closed": None, "no-http": 1,
              "huge": 1, "endless": 1, "dripping": 1}
    # Of the command with the client that it starts.
    MEMORY = 512 << 20

    def test_ways(self):
        with serving(bad.start()) as port:
            for way, message in self.WAYS.items():
                with self.subTest(way=way):
                    timeout = SHORT_TIMEOUT if way in self.LATE else TIMEOUT
                    self.write("bad.yaml", target(port, way, way, timeout=timeout))
                    tested = self.run_there("test-verifier", "bad.yaml", "--filter", "issuer.expired")
                    self.assertEqual(tested.returncode, 2, tested)
                    self.assertIn(message, tested.stdout)
                    self.assertIn("decided 0", tested.stdout)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10, self.MEMORY)

    def test_no_answer_to_a_credential(self):
        roots = self.run_there("test-verifier", "--roots", "roots")
        self.assertEqual(roots.returncode, 0, roots)
        prepared = Prepared(PRESENTMENT, self.folder / "roots/issuer-roots.pem", 0)
        with serving(prepared) as good:
            server = bad.start()
            with serving(server) as port:
                for way, calls in self.SILENT.items():
                    with self.subTest(way=way):
                        timeout = SHORT_TIMEOUT if way in self.LATE else TIMEOUT
                        if way in self.LATE:
                            prepared.prepare()
                        text = target(good, "request", "response", timeout=timeout)
                        place = f"http://localhost:{good}/response"
                        self.write("bad.yaml", text.replace(place, f"http://localhost:{port}/{way}"))
                        tested = self.run_there("test-verifier", "bad.yaml", "--filter", "issuer.expired")
                        self.assertEqual(tested.returncode, 2, tested)
                        self.assertIn(self.WAYS[way], tested.stdout)
                        self.assertIn("[suite.genuine-refused]", tested.stdout)
                        self.assertIn("is the address of submit right?", tested.stdout)
                        self.assertNotIn("does it trust the roots", tested.stdout)
                        # A client may repeat a call whose connection was closed.
                        self.assertIn(server.calls["/" + way], [calls] if calls else [1, 2])

    def test_unreachable(self):
        self.write("bad.yaml", target(9, "request", "response"))
        tested = self.run_there("test-verifier", "bad.yaml")
        self.assertEqual(tested.returncode, 2, tested)
        self.assertIn("gave no answer", tested.stdout)

    def test_no_tls(self):
        with serving(bad.start()) as port:
            self.write("bad.yaml", target(port, "no-json", "no-json").replace("http:", "https:"))
            tested = self.run_there("test-verifier", "bad.yaml")
            self.assertEqual(tested.returncode, 2, tested)
            self.assertIn("no TLS connection", tested.stdout)

    def test_other_machines(self):
        text = "origin: https://shop.example\nbegin: POST https://shop.example/a\nsubmit: POST https://shop.example/b\n"
        self.write("far.yaml", text)
        tested = self.run_there("test-verifier", "far.yaml")
        self.assertEqual(tested.returncode, 2, tested)
        self.assertIn("--remote", tested.stderr)
        made = self.run_there("new-target", "https://shop.example/a")
        self.assertEqual(made.returncode, 2, made)
        self.assertIn("--remote", made.stderr)

    def test_usage(self):
        listed = self.run_there("test-verifier", "--list", "--json", "--filter", "issuer.expired")
        self.assertEqual(listed.returncode, 0, listed)
        [case] = json.loads(listed.stdout)
        self.assertEqual((case["id"], case["weight"], case["clause"]),
                         ("issuer.expired", "must", "ISO/IEC 18013-5, 9.3.1"))
        for arguments in (["a.yaml", "--json"], ["a.yaml", "--jobs", "0"],
                          ["--filter", "issuer.expires", "--list"], ["missing.yaml"], [], ["--list", "--roots", "a"],
                          ["a.yaml", "--files", "b"], ["--files", "missing"]):
            tested = self.run_there("test-verifier", *arguments)
            self.assertEqual(tested.returncode, 2, tested)
        self.assertIn("no such folder", tested.stderr)
        self.assertIn("did you mean 'issuer.expired'?",
                      self.run_there("test-verifier", "--filter", "issuer.expires", "--list").stderr)


if __name__ == "__main__":
    PRESENTMENT = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
