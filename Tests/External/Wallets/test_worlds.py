#!/usr/bin/env python3
"""Tries worlds in which an app's program is outside: the wallet of docs/your-wallet, with mistakes, and programs that
answer badly.

    test_worlds.py PRESENTMENT [TEST]
"""

import base64
import json
import pathlib
import resource
import shutil
import sys
import threading
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(ROOT / "docs/your-site"), str(HERE.parent), str(HERE)]
import scratch  # noqa: E402
import server as site  # noqa: E402

PRESENTMENT = ""
# Seconds. Only a program that does not answer reaches the short one's end.
TIMEOUT, SHORT_TIMEOUT = 60, 1
SHIPPED = ROOT / "scenarios/own-wallet/a-wallet-outside.yaml"
WITH_SERVER = ROOT / "scenarios/own-wallet/a-wallet-and-a-server-outside.yaml"
EXAMPLE = ROOT / "docs/your-wallet/wallet.py"
VISIT = ["person: { visits: my-shop, on: kellys-iphone }", "person: { taps: Verify Identity }"]
PICK = [*VISIT, "person: { picks: My Wallet }"]
AGREE = [*PICK, "person: { taps: Accept }"]
VERIFIED = "website: { verified: { given_name: Kelly, age_over_21: true }, without: [family_name, resident_city] }"


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Folder(scratch.Folder):
    def run_there(self, *arguments):
        return self.run_in_folder(PRESENTMENT, *arguments)

    def scenario(self, steps, *program, timeout=TIMEOUT, changes=()):
        """The world of the shipped scenario with another program."""
        text = SHIPPED.read_text()
        words = json.dumps([sys.executable, "-B", *map(str, program or [EXAMPLE])])
        world = text[text.index("world:"):text.index("matrix:")]
        lines = []
        for line in world.splitlines():
            if "program:" in line:
                indent = line[:line.index("program:")]
                lines += [f"{indent}program: {words}", f"{indent}limits: {{ timeout: {timeout} s }}"]
            elif "recording:" not in line:
                lines.append(line)
        world = "\n".join(lines)
        for old, new in changes:
            self.assertIn(old, world)
            world = world.replace(old, new, 1)
        steps = "".join(f"  - {step}\n" for step in steps)
        return self.write("shop.yaml", f"scenario: My wallet\nseed: 7\nthink-time: false\n{world}\nsteps:\n{steps}")

    def trace(self, folder="live"):
        return (self.folder / folder / "shop.trace.jsonl").read_text()

    def passes(self, *arguments):
        run = self.run_there("run", "shop.yaml", "--programs", *arguments)
        self.assertEqual(run.returncode, 0, run)
        return run


class Worlds(Folder):
    def test_shipped_cases_live(self):
        text = SHIPPED.read_text().replace("../../docs", str(ROOT / "docs"))
        text = text.replace("program: python3", f"program: {sys.executable} -B")
        self.write("shop.yaml", "".join(line for line in text.splitlines(True) if "recording:" not in line))
        self.passes("--record", "shop.har", "--trace", "live", "--jobs", "2")
        self.assertEqual((self.folder / "shop.har").stat().st_mode & 0o777, 0o600)
        replayed = self.run_there("run", "shop.yaml", "--replay", "shop.har", "--trace", "again", "--repeat", "3")
        self.assertEqual(replayed.returncode, 0, replayed)
        same = self.run_there("diff", "live", "again")
        self.assertEqual(same.returncode, 0, same)
        self.assertIn("6 same, 0 different", same.stdout)

    def test_shipped_cases_with_a_server_live(self):
        self.write("world.yaml", "authorities: { issuers: { spaceport-dmv: { name: Spaceport DMV, country: US, "
                   "state: US-CA } } }\nwebsites: {}\ndevices: {}\n")
        self.write("license.yaml", "{ type: org.iso.18013.5.1.mDL, elements: { given_name: Kelly } }\n")
        for arguments in (["test-verifier", "--roots", "roots"],
                          ["issue", "license.yaml", "--world", "world.yaml", "--seed", "7", "--write-device-key",
                           "key.pem", "--issuer-root", "root.pem", "--out", "license.cbor"]):
            made = self.run_there(*arguments)
            self.assertEqual(made.returncode, 0, made)
        server = site.start(PRESENTMENT, self.folder / "root.pem", reader=self.folder / "roots/reader")
        text = WITH_SERVER.read_text().replace("../../docs", str(ROOT / "docs"))
        text = text.replace("files/shop-root.pem", "roots/reader/root.pem")
        text = text.replace("program: python3", f"program: {sys.executable} -B")
        text = text.replace("localhost:9000", f"localhost:{server.server_port}")
        self.write("shop.yaml", "".join(line for line in text.splitlines(True) if "recording:" not in line))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            self.passes("--record", "shop.har", "--trace", "live")
        finally:
            server.shutdown()
            server.server_close()
            shutil.rmtree(server.folder)
        recorded = json.loads((self.folder / "shop.har").read_text())["log"]
        self.assertTrue(recorded["entries"] and recorded["_wallets"])
        replayed = self.run_there("run", "shop.yaml", "--replay", "shop.har", "--trace", "again", "--repeat", "3")
        self.assertEqual(replayed.returncode, 0, replayed)
        same = self.run_there("diff", "live", "again")
        self.assertEqual(same.returncode, 0, same)
        self.assertIn("6 same, 0 different", same.stdout)
        # Without the server, or without the program, nothing passes.
        gone = self.run_there("run", "shop.yaml", "--programs")
        self.assertEqual(gone.returncode, 2, gone)
        self.assertIn("the server gave no answer", gone.stdout)
        self.assertEqual(self.run_there("run", "shop.yaml").returncode, 2)

    def test_recordings(self):
        self.scenario([*AGREE, VERIFIED])
        self.passes("--record", "shop.har")
        for arguments, message in (
                (["--seed", "8"], "nothing of the program of My Wallet is recorded for 'My wallet' with the seed 8"),
                (["--seed", "7"], None)):
            run = self.run_there("run", "shop.yaml", "--replay", "shop.har", *arguments)
            self.assertEqual(run.returncode, 2 if message else 0, run)
            self.assertIn(message or "passed", run.stdout)
        recorded = json.loads((self.folder / "shop.har").read_text())
        messages = recorded["log"]["_wallets"]
        words = [json.loads(one["message"])["do"] for one in messages]
        self.assertEqual(words, ["provision", "store", "registrations", "request", "agree"])
        self.assertEqual([json.loads(one["message"])["id"] for one in messages], [1, 2, 3, 4, 5])
        # The same with another document: the first message with it differs.
        text = (self.folder / "shop.yaml").read_text()
        self.write("shop.yaml", text.replace("resident_city: Mojave", "resident_city: Moab"))
        differs = self.run_there("run", "shop.yaml", "--replay", "shop.har")
        self.assertEqual(differs.returncode, 2, differs)
        self.assertIn("the recording has another message", differs.stdout)
        self.write("shop.yaml", text + "".join(f"  - {step}\n" for step in PICK))
        longer = self.run_there("run", "shop.yaml", "--replay", "shop.har")
        self.assertEqual(longer.returncode, 2, longer)
        self.assertIn("the recording has no further message", longer.stdout)
        self.write("shop.yaml", text)
        answer = json.loads(messages[4]["answer"])
        messages[4]["answer"] = json.dumps({**answer, "answer": answer["answer"][:-8] + "AAAAAAAA"})
        self.write("altered.har", json.dumps(recorded))
        self.assertEqual(self.run_there("run", "shop.yaml", "--replay", "altered.har").returncode, 1)
        for change in ({}, {"case": 7}, {"time": -1}, {"answer": None}):
            messages[0] = {**messages[0], **change} if change else {}
            self.write("broken.har", json.dumps(recorded))
            broken = self.run_there("run", "shop.yaml", "--replay", "broken.har")
            self.assertEqual(broken.returncode, 2, broken)
            self.assertIn("log._wallets[0] is not a message that presentment recorded", broken.stderr)

    def test_no_program_starts_without_permission(self):
        self.scenario([*AGREE, VERIFIED], HERE / "spy.py", self.folder / "got")
        for arguments in (["run", "shop.yaml"], ["sweep", "shop.yaml"], ["explore", "shop.yaml", "--runs", "1"],
                          ["lint", "shop.yaml"], ["run", "shop.yaml", "--list"]):
            run = self.run_there(*arguments)
            self.assertEqual(run.returncode, 0 if arguments[0] == "lint" or "--list" in arguments else 2, run)
        self.assertIn("give --programs if you trust", self.run_there("run", "shop.yaml").stdout)
        self.assertFalse((self.folder / "got").exists())

    def test_what_the_program_gets(self):
        """Each message has what the protocol says and nothing else, in the order of what the person does."""
        other = ("        My Wallet:\n", """        Other Wallet:
          trusts-readers: [harbor-authority]
          documents:
            - type: org.iso.18013.5.1.mDL
              issuer: spaceport-dmv
              elements: { family_name: Hidden-Name, given_name: Secret-Name, age_over_21: true, weight: 71 }
        My Wallet:
""")
        self.scenario(
            [*PICK, "person: { taps: Decline }", *VISIT[1:], "person: { picks: Other Wallet }",
             "person: { taps: Accept }", "website: { verified: { given_name: Secret-Name } }", *AGREE, VERIFIED],
            HERE / "spy.py", self.folder / "got", changes=[other])
        self.passes("--trace", "live")
        lines = (self.folder / "got/lines").read_text().splitlines()
        messages = [json.loads(line) for line in lines]
        # Nothing of the request that the other app answered.
        self.assertEqual([one["do"] for one in messages], [
            "provision", "store", "registrations", "request", "decline", "request", "agree"])
        members = {
            "provision": {"documentType", "documentIdentifier", "readerRoots", "issuerRoots"},
            "store": {"documentType", "documentIdentifier", "document"}, "registrations": set(),
            "request": {"origin", "partial"}, "decline": {"to"}, "agree": {"to", "raw"}}
        for number, message in enumerate(messages, 1):
            self.assertEqual(set(message) - {"id", "do"}, members[message["do"]])
            self.assertEqual(message["id"], number)
        for one in (messages[3], messages[5]):
            self.assertEqual(set(one["partial"]), {"documents", "useCases", "readers"})
            self.assertEqual(one["origin"], "https://shop.example")
        self.assertEqual((messages[4]["to"], messages[6]["to"]), (4, 6))
        raw = json.loads(messages[6]["raw"])
        self.assertEqual(set(raw), {"deviceRequest", "encryptionInfo"})
        # Before the agreement nothing of the raw request: neither its nonce and key, nor its signature.
        earlier = "\n".join(lines[:6])
        self.assertNotIn(raw["encryptionInfo"][20:60], earlier)
        self.assertNotIn(raw["deviceRequest"][-60:], earlier)
        whole = "\n".join(lines).encode() + b"".join(decode(one["document"]) for one in messages if "document" in one)
        for secret in (b"Secret-Name", b"Hidden-Name"):
            self.assertNotIn(secret, whole)
        self.assertIn(b"Kelly", whole)
        self.assertEqual((self.folder / "got/starts").read_text(), "started\n")

    def test_secrets_stay_in_the_program(self):
        self.scenario([*AGREE, VERIFIED], HERE / "spy.py", self.folder / "got")
        self.passes("--record", "shop.har", "--trace", "live")
        (number,) = json.loads((self.folder / "got/keys").read_text())
        key = number.to_bytes(32, "big")
        encoded = base64.urlsafe_b64encode(key).rstrip(b"=").decode()
        texts = self.trace() + (self.folder / "shop.har").read_text()
        for secret in (encoded, base64.b64encode(key).decode(), key.hex(), str(number), "swordfish"):
            self.assertNotIn(secret, texts)
        # No message of the trace has the key's bytes.
        for line in self.trace().splitlines():
            for text in self.texts(json.loads(line)):
                try:
                    self.assertNotIn(key, decode(text))
                except ValueError:
                    pass

    def texts(self, value):
        if isinstance(value, str):
            yield value
        elif isinstance(value, (list, dict)):
            for one in value.values() if isinstance(value, dict) else value:
                yield from self.texts(one)

    def test_the_view_is_the_programs(self):
        """A view without the elements that the answer has, and one that warns."""
        self.scenario(
            [*PICK, "consent: { gives: [], mentions: [] }", "person: { taps: Accept }",
             "website: { verified: { given_name: Kelly } }"],
            HERE / "mistakes.py", "answers-without-showing")
        run = self.run_there("run", "shop.yaml", "--programs")
        self.assertEqual(run.returncode, 1, run)
        self.assertIn("[invariant.consent/element]", run.stdout)
        self.scenario(
            [*PICK, "consent: { certified: false, mentions: [unknown shop], requester: Shady }",
             "person: { taps: Decline }"], HERE / "warns.py")
        self.passes()

    def test_style_and_owner(self):
        wallet = ("          trusts-readers", "          style: wallet\n          trusts-readers")
        self.scenario(
            [*PICK, "consent: { agrees-with: [face-id] }", "person: { authorizes-with: { face-id: fails } }",
             "consent: { notice: Face not recognized }", "person: { authorizes-with: passcode }", VERIFIED],
            changes=[wallet])
        self.passes()

    def test_restarts_and_removal(self):
        self.scenario(
            [*PICK, "person: { restarts: kellys-iphone }", *AGREE, VERIFIED, "person: { removes: My Wallet }", *VISIT,
             "selector: { shows: [] }", "person: { installs: My Wallet }", "person: { allows: My Wallet }",
             *AGREE, VERIFIED], HERE / "spy.py", self.folder / "got")
        self.passes("--record", "shop.har", "--trace", "live")
        # The program runs through the restart; the removal ends it.
        self.assertEqual((self.folder / "got/starts").read_text(), "started\n" * 2)
        replayed = self.run_there("run", "shop.yaml", "--replay", "shop.har", "--trace", "again")
        self.assertEqual(replayed.returncode, 0, replayed)
        self.assertEqual(self.trace(), self.trace("again"))

    def test_another_device_asks(self):
        laptop = ("  devices:\n", "  devices:\n    laptop: { kind: desktop, browser: chromium-2026 }\n")
        self.scenario(
            ["person: { visits: my-shop, on: laptop }", "person: { taps: Verify Identity }",
             "person: { scans: laptop, with: kellys-iphone }", "person: { picks: My Wallet }",
             "person: { taps: Accept }", "website: { verified: { given_name: Kelly } }"], changes=[laptop])
        self.passes()

    def test_a_person_who_waits_too_long(self):
        self.scenario([*PICK, "person: { waits: 20 min }", "person: { taps: Accept }", VERIFIED])
        run = self.run_there("run", "shop.yaml", "--programs")
        self.assertEqual(run.returncode, 2, run)
        self.assertIn("seconds ahead of this machine's", run.stdout)

    def test_faults_of_wallets_do_not_act(self):
        self.scenario(["fault: wallet.value-changed", *AGREE, "website: { refused: element.digest }"])
        self.assertEqual(self.run_there("run", "shop.yaml", "--programs").returncode, 1)

    def test_mistakes_in_the_world(self):
        self.scenario([*AGREE, VERIFIED])
        text = (self.folder / "shop.yaml").read_text()
        words = next(line for line in text.splitlines() if "program:" in line)
        for change, message in (
                ((words, words.split("program:")[0] + "style: custom"), "'limits' is about the 'program' of an app"),
                ((words, words.split("program:")[0] + "program: []"), "not a program with its arguments"),
                (("timeout: 60 s", "timeout: 2 h"), "shop.yaml:"),
                (("limits: {", "recording: shop.yaml\n          limits: {"), "the recording is not JSON"),
                (("              issuer: spaceport-dmv",
                  "              issuer: spaceport-dmv\n              copied: true"),
                 "is a copy, but the program of the app makes the keys")):
            with self.subTest(message=message):
                self.assertIn(change[0], text)
                self.write("shop.yaml", text.replace(*change, 1))
                linted = self.run_there("lint", "shop.yaml")
                self.assertEqual(linted.returncode, 2, linted)
                self.assertIn(message, linted.stdout + linted.stderr)


class BadApps(Folder):
    """Each leaves its case undecided, with the cause, in bounded memory. The cases expect what such a program
    could pass for: an app that cancels."""

    WAYS = {
        ("provision", "ends"): "there is no wallet here", ("provision", "hangs"): "did not answer within 1 s",
        ("provision", "no-json"): "not a JSON object", ("provision", "nothing"): "no member deviceKey",
        ("store", "nothing"): "does not say \"stored\": true", ("registrations", "nothing"): "has no list of that name",
        ("registrations", "no-root"): "is not a certificate", ("registrations", "no-text"): "a registration has",
        ("registrations", "endless"): "longer than 1048576 bytes", ("request", "hangs"): "did not answer within 1 s",
        ("request", "other-id"): "answered another message", ("request", "list"): "not a JSON object",
        ("request", "no-elements"): "neither 'shows' with 'elements' nor 'refused'",
        ("request", "unsupported"): "neither 'shows' with 'elements' nor 'refused'",
        ("request", "ends"): "there is no wallet here", ("request", "later"): "answered another message",
        ("agree", "ends"): "there is no wallet here", ("agree", "hangs"): "did not answer within 1 s",
        ("agree", "not-base64url"): "is not base64url", ("agree", "nothing"): "neither 'answer' nor 'refused'",
        ("agree", "endless"): "longer than 1048576 bytes", ("decline", "ends"): "there is no wallet here",
    }
    MEMORY = 512 << 20

    def test_ways(self):
        for (word, way), message in self.WAYS.items():
            with self.subTest(word=word, way=way):
                if word in ("agree", "request"):
                    steps = [*AGREE, "exception: { name: NotAllowedError }"]
                elif word == "decline":
                    steps = [*PICK, "person: { taps: Decline }", "website: { falls-back: NotAllowedError }"]
                else:
                    steps = [*VISIT, "selector: { shows: [] }"]
                timeout = SHORT_TIMEOUT if way == "hangs" else TIMEOUT
                self.scenario(steps, HERE / "bad_app.py", word, way, timeout=timeout)
                run = self.run_there("run", "shop.yaml", "--programs")
                self.assertEqual(run.returncode, 2, run)
                self.assertIn(message, run.stdout)
                self.assertIn("0 passed, 0 failed, 1 undecided", run.stdout)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10, self.MEMORY)

    def test_a_program_that_does_not_exist(self):
        self.scenario([*VISIT, "selector: { shows: [] }"])
        text = (self.folder / "shop.yaml").read_text()
        words = next(line for line in text.splitlines() if "program:" in line)
        self.write("shop.yaml", text.replace(words, words.split("program:")[0] + "program: missing-program"))
        run = self.run_there("run", "shop.yaml", "--programs")
        self.assertEqual(run.returncode, 2, run)
        self.assertIn("missing-program", run.stdout)

    def test_no_program_remains(self):
        """Programs end with their case, also if it fails."""
        for steps in ([*AGREE, VERIFIED], [*PICK, "consent: { gives: [] }"], [*VISIT, "selector: { shows: [] }"]):
            self.scenario(steps, HERE / "stays.py", self.folder / "pids")
            self.run_there("run", "shop.yaml", "--programs")
        pids = (self.folder / "pids").read_text().split()
        self.assertEqual(len(pids), 3)
        for pid in pids:
            self.assertFalse(pathlib.Path("/proc", pid).exists(), pid)


if __name__ == "__main__":
    PRESENTMENT = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
