#!/usr/bin/env python3
"""Tries the server of docs/examples/relying-party-server: what it accepts, and that its sessions outlive it.

    test_example_server.py PRESENTMENT SERVER [--all]

With --all it must do every case of `presentment test-verifier` right, otherwise those that it must by a clause.
"""

import concurrent.futures
import contextlib
import http.client
import json
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import time
import unittest
import urllib.error
import urllib.request
from datetime import datetime, timedelta, timezone

import cbor2
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "Tests" / "External"), str(ROOT / "Tests" / "External" / "Interoperability")]
import certificates  # noqa: E402
import cose  # noqa: E402
import patience  # noqa: E402
import scratch  # noqa: E402
from ports import free_port  # noqa: E402

PRESENTMENT = SERVER = ""
IS_WHOLE = False
# Seconds of a call of the suite. Only a server that does not answer within a minute reaches its end.
TIMEOUT = 60
WORLD = ROOT / "scenarios/worlds/spaceport.yaml"
ORIGINS = ["https://shop.example", "https://kiosk.shop.example"]
LICENSE, NAME_SPACE = "org.iso.18013.5.1.mDL", "org.iso.18013.5.1"
LIST_SIGNER = x509.ObjectIdentifier("1.0.18013.5.1.8")
SIGNED = "openid4vp-v1-signed"
PEM = serialization.Encoding.PEM


def eventually(holds):
    end = time.monotonic() + patience.PATIENCE
    while not holds():
        if time.monotonic() > end:
            raise AssertionError("it never came")
        time.sleep(0.05)


def pem_of(key, *chain):
    private = key.private_bytes(PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return (private + b"".join(one.public_bytes(PEM) for one in chain)).decode()


class Running:
    """A process of the server."""

    def __init__(self, configuration, log):
        self.file = log
        with open(log, "w") as file:
            self.process = subprocess.Popen([SERVER, configuration], stdout=subprocess.PIPE, stderr=file, text=True)
        self.address = self.process.stdout.readline().strip()

    def stop(self, number=signal.SIGKILL):
        if self.process.returncode is None:
            self.process.send_signal(number)
            self.process.communicate()
        return self.process.returncode

    def end(self):
        """The exit code of a server that cannot start."""
        self.process.communicate(timeout=patience.PATIENCE)
        return self.process.returncode

    @property
    def log(self):
        return self.file.read_text()

    def call(self, path, body=None, origin=None):
        """The status and the body."""
        request = urllib.request.Request(self.address + path, body, {"Origin": origin} if origin else {})
        request.method = "GET" if body is None else "POST"
        try:
            with urllib.request.urlopen(request, timeout=patience.PATIENCE) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, refused.read().decode()

    def begin(self, origin=ORIGINS[0]):
        status, text = self.call("/presentments", b"", origin)
        if status != 200:
            raise AssertionError(text)
        begun = json.loads(text)
        return begun["session"], begun["options"]

    def submit(self, session, credential):
        status, text = self.call(f"/presentments/{session}/response", json.dumps(credential).encode())
        return status, json.loads(text)

    def metric(self, name):
        return sum(float(line.split()[1]) for line in self.call("/metrics")[1].splitlines() if line.startswith(name))


class ExampleServer(scratch.Folder):
    def setUp(self):
        super().setUp()
        (self.folder / "roots").mkdir()
        (self.folder / "readers").mkdir()
        (self.folder / "sessions.key").write_bytes(os.urandom(32))
        self.now = datetime.now(timezone.utc).replace(microsecond=0)
        self.authority = certificates.Authority("Reader Root", self.now - timedelta(days=20))
        self.add_reader("first")
        example = json.loads((ROOT / "docs/examples/relying-party-server/server.json").read_text())
        self.configuration = example | {"address": "127.0.0.1:0", "refreshSeconds": 1}
        self.configuration["roots"].pop("lists")

    def add_reader(self, name):
        key = ec.generate_private_key(ec.SECP256R1())
        leaf = self.authority.leaf(name, key.public_key(), certificates.READER, "shop.example")
        # The server may read the folder now, so the file must be whole.
        self.write(f"{name}.tmp", pem_of(key, leaf))
        os.rename(self.folder / f"{name}.tmp", self.folder / "readers" / f"{name}.pem")

    def start(self, *, fails=False, **changes):
        self.write("server.json", json.dumps(self.configuration | changes))
        running = Running(self.folder / "server.json", self.folder / f"{len(list(self.folder.iterdir()))}.log")
        self.addCleanup(running.stop)
        if not fails:
            self.assertRegex(running.address, "^http://", running.address or running.stop() or running.log)
        return running

    def trust_world(self):
        self.answer(self.options_of_a_request(), root=self.folder / "roots" / "world.pem")

    def options_of_a_request(self):
        made = self.run_in_folder(
            PRESENTMENT, "request", "--origin", ORIGINS[0], "--document-type", LICENSE, "--element",
            f"{NAME_SPACE}:family_name", "--out", "own.json", "--page", "own.page.json")
        self.assertEqual(made.returncode, 0, made)
        return json.loads((self.folder / "own.page.json").read_text())

    def answer(self, options, origin=ORIGINS[0], protocol=None, root=None):
        """The credential with which a wallet answers."""
        self.write("options.json", json.dumps(options))
        options = [*(["--protocol", protocol] if protocol else []), *(["--issuer-root", root] if root else [])]
        made = self.run_in_folder(
            PRESENTMENT, "respond", "options.json", "--origin", origin, "--world", WORLD, "--app", "Wallet",
            "--out", "answered.json", *options)
        self.assertEqual(made.returncode, 0, made)
        response = json.loads((self.folder / "answered.json").read_text())["response"]
        # With annex C it is the text alone.
        return response if protocol else {"protocol": "org-iso-mdoc", "data": {"response": response}}

    def check(self, session, credential, running, status, verdict):
        """Hands an answer in, and compares the status, and the verdict or the check that failed."""
        found, text = running.submit(session, credential)
        self.assertEqual(found, status, text)
        self.assertIn(verdict, (text["verdict"], (text["failure"] or {}).get("check")), text)
        self.assertEqual(bool(text["documents"]), status == 200)
        return text

    def test_the_suite(self):
        self.assertEqual(self.run_in_folder(PRESENTMENT, "test-verifier", "--roots", "roots").returncode, 0)
        port = free_port()
        origin, lists = f"http://localhost:{port}", f"http://127.0.0.1:{free_port()}"
        # A sandbox refuses a signed request from another origin before the server's turn.
        running = self.start(address=f"127.0.0.1:{port}", origins=[origin], statusListProxy=lists, readers=None)
        self.write("target.yaml", f"""
origin: {origin}
begin: POST {origin}/presentments
submit: {{ call: "POST {origin}/presentments/$session/response", body: $credential }}
reason: /failure/check
status-lists: {{ address: {lists}, unreachable: accept, stale: accept }}
limits: {{ timeout: {TIMEOUT} s }}
""")
        listed = self.run_in_folder(PRESENTMENT, "test-verifier", "--list").stdout
        chosen = [] if IS_WHOLE else [line.split()[0] for line in listed.splitlines() if " must " in line]
        self.assertEqual(bool(chosen), not IS_WHOLE)
        tested = self.run_in_folder(
            PRESENTMENT, "test-verifier", "target.yaml", "--strict", *(f"--filter={one}" for one in chosen))
        self.assertEqual(tested.returncode, 0, tested.stdout)
        self.assertRegex(tested.stdout, "decided [0-9]+.*: nothing is wrong")
        self.assertEqual(running.stop(signal.SIGTERM), 0)
        self.assertRegex(running.log, r"info relying-party: .*failed=element\.digest")

    def test_sessions_outlive_the_server(self):
        self.trust_world()
        running = self.start()
        sessions = [(*running.begin(origin), origin, protocol) for origin in ORIGINS for protocol in (None, SIGNED)]
        running.stop(signal.SIGKILL)
        running = self.start()
        for session, options, origin, protocol in sessions:
            credential = self.answer(options, origin, protocol)
            verdict = self.check(session, credential, running, 200, "verified")
            self.assertIn("family_name", verdict["documents"][0]["elements"][NAME_SPACE])
            self.check(session, credential, running, 422, "session.unused")
        running.stop(signal.SIGKILL)
        running = self.start()
        self.check(session, credential, running, 422, "session.unused")
        self.check("other", credential, running, 422, "session.known")
        self.assertEqual(running.call("/health"), (200, "ok\n"))
        self.assertEqual(running.call("/presentments", b"", "https://other.example")[0], 403)
        self.assertEqual(running.metric("presentments_answered_total"), 2)

    def test_one_of_twenty_answers_is_accepted(self):
        self.trust_world()
        servers = [self.start(), self.start()]
        for _ in range(3):
            session, options = servers[0].begin()
            credential = self.answer(options)
            with concurrent.futures.ThreadPoolExecutor(20) as pool:
                submitted = [pool.submit(servers[number % 2].submit, session, credential) for number in range(20)]
                results = [one.result() for one in submitted]
            accepted = [text for status, text in results if status == 200]
            self.assertEqual([one["verdict"] for one in accepted], ["verified"], results)
            others = [text["failure"]["check"] for status, text in results if status == 422]
            self.assertEqual(others, ["session.unused"] * 19, results)

    def test_killed_under_load(self):
        self.trust_world()
        servers = [self.start(), self.start()]
        sessions = [servers[0].begin() for _ in range(4)]
        answers = [(session, self.answer(options)) for session, options in sessions]
        accepted = []

        def submit(number):
            session, credential = answers[number % len(answers)]
            try:
                status, text = servers[number // len(answers) % 2].submit(session, credential)
            except (OSError, http.client.HTTPException):
                return
            if status == 200:
                accepted.append(session)
                servers[0].process.kill()
            else:
                self.assertEqual(text["failure"]["check"], "session.unused")
        with concurrent.futures.ThreadPoolExecutor(20) as pool:
            list(pool.map(submit, range(80)))
        self.assertTrue(accepted)
        servers[0] = self.start()
        for session, credential in answers:
            # One that the killed server began to verify is lost: the person is asked again.
            self.check(session, credential, servers[0], 422, "session.unused")
        self.assertEqual(len(accepted), len(set(accepted)))

    def test_another_reader_key(self):
        self.trust_world()
        running = self.start()
        session, options = running.begin()
        self.assertEqual(running.metric('presentments_begun_total{reader="first"}'), 1)
        self.authority.now += timedelta(days=10)
        self.add_reader("second")

        def signs():
            running.begin()
            return running.metric('presentments_begun_total{reader="second"}')
        eventually(signs)
        self.check(session, self.answer(options, protocol=SIGNED), running, 200, "verified")
        # A file that cannot be read leaves the keys that were.
        self.write("readers/third.pem", "no key")
        eventually(lambda: running.metric("refreshes_failed_total"))
        session, options = running.begin()
        self.check(session, self.answer(options), running, 200, "verified")

    def issue(self, number, root):
        """A list of issuing authorities with one of them."""
        info = {
            "certificate": root.public_bytes(serialization.Encoding.DER), "docType": [LICENSE],
            "serialNumber": cbor2.CBORTag(2, root.serial_number.to_bytes(20, "big").lstrip(b"\0")),
            "ski": root.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value.digest}
        content = {
            "version": "1.0", "vicalProvider": "Example", "date": cbor2.CBORTag(0, f"{self.now:%Y-%m-%dT%H:%M:%SZ}"),
            "vicalIssueID": number, "certificateInfos": [info]}
        message = cose.sign(cbor2.dumps(content), self.list_key, [self.list_signer.public_bytes(
            serialization.Encoding.DER)])
        (self.folder / "issuers.vical").write_bytes(cbor2.dumps(message))

    def test_roots_of_a_list(self):
        self.trust_world()
        os.rename(self.folder / "roots" / "world.pem", self.folder / "world.pem")
        root = x509.load_pem_x509_certificate((self.folder / "world.pem").read_bytes())
        provider = certificates.Authority("Provider", self.now)
        self.list_key = ec.generate_private_key(ec.SECP256R1())
        self.list_signer = provider.leaf("Signer", self.list_key.public_key(), LIST_SIGNER)
        self.write("vical-providers.pem", provider.pem)
        self.configuration["roots"]["lists"] = [{"file": "issuers.vical", "providers": "vical-providers.pem"}]
        self.issue(7, root)
        running = self.start()
        session, options = running.begin()
        self.check(session, self.answer(options), running, 200, "verified")
        running.stop()
        self.issue(6, root)
        refused = self.start(fails=True)
        self.assertEqual(refused.end(), 1)
        self.assertIn("issuers.vical: ", refused.log)

    def test_sessions_end(self):
        self.trust_world()
        sessions = self.configuration["sessions"]
        running = self.start(sessions=sessions | {"seconds": 600}, refreshSeconds=600)
        session, options = running.begin()
        text = next(one["data"]["encryptionInfo"] for one in options["digital"]["requests"]
                    if one["protocol"] == "org-iso-mdoc")
        stored = b"".join(file.read_bytes() for file in self.folder.glob("sessions.sqlite*"))
        self.assertIn(session.encode(), stored)
        self.assertNotIn(text.encode(), stored)
        credential = self.answer(options)
        running.stop()
        running = self.start(sessions=sessions | {"seconds": 0})
        late, _ = running.begin()
        with contextlib.closing(sqlite3.connect(self.folder / "sessions.sqlite")) as database:
            eventually(lambda: database.execute("SELECT identifier FROM session").fetchall() == [(session,)])
        self.check(late, credential, running, 422, "session.known")
        self.check(session, credential, running, 200, "verified")

    def test_mistakes_in_the_configuration(self):
        (self.folder / "sessions.key").write_bytes(b"short")
        refused = self.start(fails=True)
        self.assertEqual(refused.end(), 1)
        self.assertIn("not 32 bytes", refused.log)


if __name__ == "__main__":
    PRESENTMENT, SERVER = (str(pathlib.Path(sys.argv.pop(1)).resolve()) for _ in range(2))
    IS_WHOLE = "--all" in sys.argv
    unittest.main(argv=[one for one in sys.argv if one != "--all"])
