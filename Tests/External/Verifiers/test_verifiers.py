#!/usr/bin/env python3
"""Which server accepts which answer, and that each check of the careful server is what refuses something.

    test_verifiers.py PRESENTMENT [--all]      --all: every fault of the catalogue, for the table alone

Answers come from `presentment answer`, and from a wallet in Python where the forger needs an issuer's key.
"""

import argparse
import http.client
import json
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime, timezone
from importlib.util import find_spec

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

import server  # noqa: E402 (it also finds the modules of Interoperability)

import answers  # noqa: E402
import cbor2  # noqa: E402
from cryptography.hazmat.primitives.serialization import NoEncryption, PrivateFormat  # noqa: E402
from cases import MAY, NOT_FOR_THE_PHONE, OPTIONS, REFUSED, REFUSED_BY  # noqa: E402
from exchange import decode  # noqa: E402
from patience import PATIENCE  # noqa: E402

HERE = pathlib.Path(__file__).parent
WORLD = HERE.parents[2] / "scenarios" / "worlds" / "any-site.yaml"
SEED = "7"
ROUNDS = 20
# The servers whose packages are installed.
NAMES = [name for name in server.VERIFIERS if name not in ("pymdoccbor", "isomdoc") or find_spec(name)]


class Client:
    """Calls a server as its page does."""

    def __init__(self, origin):
        self.origin = origin

    def call(self, path, body, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", int(self.origin.rpartition(":")[2]), timeout=PATIENCE)
        try:
            connection.request("POST", path, body, {"Origin": self.origin, **(headers or {})})
            response = connection.getresponse()
            return response.status, json.loads(response.read())
        finally:
            connection.close()

    def begin(self):
        status, begun = self.call("/request", b"")
        assert status == 200, begun
        return begun["session"], begun["options"]

    def submit(self, session, answer, headers=None):
        return self.call("/response", json.dumps({"session": session, **answer}), headers)


class Answers:
    """Makes answers, genuine ones and others."""

    def __init__(self, presentment, folder):
        self.presentment, self.folder = presentment, folder
        self.wallet = answers.Wallet(datetime.now(timezone.utc))
        self.roots = folder / "roots"
        self.roots.mkdir()
        (self.roots / "wallet.pem").write_text(self.wallet.trusted)
        session = server.Sessions(frozenset()).begin("http://localhost:1")
        self.of_phone(session.options, session.origin, roots=self.roots / "world.pem")

    def make(self, case, options, origin):
        """The answer of a case: no fault, one of presentment, or a forgery."""
        if callable(case):
            return case(self.wallet, answers.Request(options, origin))
        return self.of_phone(options, origin, case)

    def of_phone(self, options, origin, fault=None, roots=None):
        page = self.folder / "page.json"
        page.write_text(json.dumps(options))
        command = [
            self.presentment, "answer", "--request", page, "--origin", origin, "--world", WORLD, "--sandbox",
            "in-process", "--seed", SEED]
        command += ["--fault", fault] if fault else []
        command += ["--issuer-roots", roots] if roots else []
        done = subprocess.run([str(one) for one in command], capture_output=True, text=True)
        if done.returncode != 0:
            raise NoAnswer(done.stderr.strip())
        answer = json.loads(done.stdout)
        return {"protocol": answer["protocol"], "data": answer["data"]}


class NoAnswer(Exception):
    """The phone does not answer with this fault."""


@contextmanager
def running(made, name, *options):
    """A client of a server that runs meanwhile."""
    command = [sys.executable, "-B", HERE / "server.py", name, "--roots", made.roots, *options]
    if name == "presentment":
        command += ["--presentment", made.presentment]
    process = subprocess.Popen([str(one) for one in command], stdout=subprocess.PIPE, text=True)
    try:
        origin = process.stdout.readline().strip()
        assert origin, f"the server {name} did not start"
        yield Client(origin)
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def is_accepted(made, client, case):
    """True or false; an error of the server is neither."""
    session, options = client.begin()
    status, answered = client.submit(session, made.make(case, options, client.origin))
    assert status == 200, f"{title(case)}: status {status} {answered}"
    if answered["verdict"] == "refused":
        assert not answered["documents"], f"{title(case)}: a refusal shows values"
    return answered["verdict"] == "verified"


def title(case):
    return case or "genuine" if not callable(case) else f"python: {case.__name__.replace('_', ' ')}"


# What is about the calls and not about one answer: each check with what a server without it does.

def takes_unknown_session(made, client):
    _, options = client.begin()
    status, answered = client.submit("0" * 32, made.make(None, options, client.origin))
    assert status in (200, 404), answered
    return answered["verdict"] == "verified"


def takes_answer_twice(made, client):
    session, options = client.begin()
    answer = made.make(None, options, client.origin)
    assert client.submit(session, answer)[1]["verdict"] == "verified"
    return client.submit(session, answer)[1]["verdict"] == "verified"


def takes_two_answers_at_once(made, client):
    with ThreadPoolExecutor(2) as threads:
        for _ in range(ROUNDS):
            session, options = client.begin()
            answer = made.make(answers.every_document, options, client.origin)
            answered = list(threads.map(lambda _: client.submit(session, answer)[1]["verdict"], range(2)))
            assert "verified" in answered, answered
            if answered == ["verified", "verified"]:
                return True
    return False


def takes_answer_to_another_session(made, client):
    _, options = client.begin()
    session, _ = client.begin()
    return client.submit(session, made.make(None, options, client.origin))[1]["verdict"] == "verified"


def takes_answer_to_another_site(made, client):
    session, options = client.begin()
    other = "https://attacker.example"
    answer = made.make(None, options, other)
    return client.submit(session, answer, {"Origin": other})[1]["verdict"] == "verified"


def repeats(member):
    def repeated(made, client):
        first, second = (encryption_info(client.begin()[1])[member] for _ in range(2))
        return first == second
    repeated.__name__ = f"repeats the {member}"
    return repeated


def has_short_nonce(made, client):
    return len(encryption_info(client.begin()[1])["nonce"]) < 16


def encryption_info(options):
    return cbor2.loads(decode(options["digital"]["requests"][0]["data"]["encryptionInfo"]))[1]


def reads_long_body(made, client):
    return client.call("/response", b" " * (server.LONGEST_BODY + 1))[0] != 413


# Malformed bodies.
BODIES = [b"", b"{", b"[]", b"null", b'{"session": 1}', b'{"session": "a", "protocol": "b", "data": []}', b"[" * 9999,
          b"\xff\xfe"]


def has_errors_of_its_own(made, client):
    statuses = {client.call("/response", body)[0] for body in BODIES}
    assert statuses <= {400, 500}, statuses
    return 500 in statuses


def takes_late_answer(made, client):
    return is_accepted(made, client, None)


def shows_values_of_refused(made, client):
    session, options = client.begin()
    _, answered = client.submit(session, made.make("issuer.expired", options, client.origin))
    assert answered["verdict"] == "refused"
    return bool(answered["documents"])


OF_CALLS = {
    "session-expires": takes_late_answer, "session-known": takes_unknown_session, "session-once": takes_answer_twice,
    "session-at-once": takes_two_answers_at_once,
    "fresh-nonce": repeats("nonce"), "fresh-key": repeats("recipientPublicKey"), "nonce-length": has_short_nonce,
    "body-limit": reads_long_body, "clean-errors": has_errors_of_its_own, "refusal-empty": shows_values_of_refused,
    "transcript-nonce": takes_answer_to_another_session, "transcript-origin": takes_answer_to_another_site,
}


class Failures(list):
    def expect(self, condition, sentence):
        if not condition:
            self.append(sentence)
            print(f"FAILED: {sentence}", flush=True)


def compare(made, cases, failures):
    """Prints which server accepts which answer."""
    table = {}
    for name in NAMES:
        with running(made, name) as client:
            for case in cases:
                try:
                    table[name, case] = is_accepted(made, client, case)
                except NoAnswer:
                    table[name, case] = None
            if name not in ("accept-all", "refuse-all"):
                failures.expect(not takes_answer_twice(made, client), f"{name} takes an answer twice")
                failures.expect(
                    not takes_answer_to_another_session(made, client), f"{name} takes an answer to another session")
            failures.expect(not takes_unknown_session(made, client), f"{name} takes an answer without a session")
    print(f"{'':54}" + " ".join(f"{name:11}" for name in NAMES).rstrip())
    for case in cases:
        words = ({True: "ACCEPTED", False: "-", None: "no answer"}[table[name, case]] for name in NAMES)
        print(f"{title(case):54}" + " ".join(f"{word:11}" for word in words).rstrip(), flush=True)
    return table


def catalogue(presentment):
    """Every fault that can reach a server without lists of revoked documents."""
    listed = subprocess.run([presentment, "faults"], capture_output=True, text=True, check=True).stdout
    names = [line.split()[0] for line in listed.splitlines() if line[:1].strip()]
    return [
        one for one in names if one.startswith(("issuer.", "wallet.", "browser.", "network.response"))
        and not one.startswith(("issuer.status-", "wallet.in-app-", "wallet.transcript.in-person."))]


def check_table(table, genuine, dishonest, failures):
    for case in (*genuine, *dishonest):
        failures.expect(table["accept-all", case], f"accept-all refuses {title(case)}")
        failures.expect(not table["refuse-all", case], f"refuse-all accepts {title(case)}")
    for name in NAMES:
        # The packages have fewer algorithms, and presentment lacks the brainpool curves.
        for case in {"careful": genuine, "refuse-all": []}.get(name, genuine[:2]):
            failures.expect(table[name, case], f"{name} refuses {title(case)}")
    for case in dishonest:
        failures.expect(not table["careful", case], f"careful accepts {title(case)}")
        if case not in MAY:
            failures.expect(not table["presentment", case], f"presentment accepts {title(case)}")


def check_planted(made, name, failures):
    """Takes out a check: what it refuses is then accepted, and genuine answers still are."""
    cases, call = REFUSED_BY.get(name, []), OF_CALLS.get(name)
    genuine = answers.every_document if name in NOT_FOR_THE_PHONE else None
    if call or name in OPTIONS:
        with running(made, "careful", *OPTIONS.get(name, [])) as client:
            for case in cases:
                failures.expect(not is_accepted(made, client, case), f"careful accepts {title(case)}")
            failures.expect(not call or not call(made, client), f"careful does what {name} forbids")
            failures.expect(
                is_accepted(made, client, genuine) != (name == "session-expires"), f"careful, {name}: genuine answer")
    with running(made, "careful", *OPTIONS.get(name, []), "--without", name) as client:
        failures.expect(is_accepted(made, client, genuine), f"without {name}: refuses {title(genuine)}")
        found = [title(case) for case in cases if is_accepted(made, client, case)]
        found += [call.__name__.replace("_", " ")] if call and call(made, client) else []
    print(f"{name:28}{len(found)} of {len(cases) + bool(call)}: {', '.join(found)}", flush=True)
    failures.expect(found, f"nothing shows that {name} was taken out")
    failures.expect(len(found) == len(cases) + bool(call), f"{name} is not the only check that refuses its cases")


def check_reader(made, failures):
    """A signed request verifies."""
    root, key = answers.Root("Utopia Reader Root", made.wallet.now), answers.ec.generate_private_key(
        answers.ec.SECP256R1())
    purpose = answers.x509.ExtendedKeyUsage([answers.certificates.READER]), True
    leaf = answers.certificate(
        answers.name("verifier.example"), key.public_key(), root.root.subject, root.key, made.wallet.now,
        answers.usage(digital_signature=True), purpose)
    file = made.folder / "reader.pem"
    file.write_bytes(key.private_bytes(
        answers.Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()) + leaf.public_bytes(answers.Encoding.PEM))
    with running(made, "careful", "--reader", file) as client:
        page = made.folder / "page.json"
        page.write_text(json.dumps(client.begin()[1]))
        command = [
            made.presentment, "respond", page, "--origin", client.origin, "--world", WORLD, "--device",
            "kellys-iphone", "--app", "Wallet", "--out", made.folder / "answered.json"]
        done = subprocess.run([str(one) for one in command], capture_output=True, text=True)
        failures.expect("readerAuthAll[0] verifies" in done.stdout, f"the reader's signature: {done.stdout}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("presentment", type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    arguments = parser.parse_args()
    failures = Failures()
    for name in set(server.VERIFIERS) - set(NAMES):
        print(f"left out: {name}, which is not installed")
    with tempfile.TemporaryDirectory() as folder:
        made = Answers(arguments.presentment.resolve(), pathlib.Path(folder))
        genuine = [None, *answers.GENUINE]
        if arguments.all:
            compare(made, [*genuine, *catalogue(made.presentment)], failures)
        else:
            dishonest = list(dict.fromkeys([
                *(case for name, cases in REFUSED_BY.items() if name not in OPTIONS for case in cases), *REFUSED]))
            check_table(compare(made, [*genuine, *dishonest], failures), genuine, dishonest, failures)
            print()
            for name in server.checks.PHRASES:
                check_planted(made, name, failures)
            check_reader(made, failures)
    print(f"\n{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
