"""Verification by `presentment verify`."""

import json
import os
import pathlib
import subprocess
import tempfile

from cryptography.hazmat.primitives.serialization import Encoding

import hpke
from checks import Refusal
from exchange import encode

PROGRAM = pathlib.Path(__file__).parents[3] / ".build" / "debug" / "presentment"


class WithPresentment:
    def __init__(self, roots, program=PROGRAM):
        self.program = program
        self.roots = [one.public_bytes(Encoding.PEM).decode() for one in roots]

    def verify(self, answer):
        descriptor, path = tempfile.mkstemp(suffix=".json")
        try:
            with os.fdopen(descriptor, "w") as file:
                json.dump(self.exchange(answer), file)
            done = subprocess.run([self.program, "verify", path, "--json"], capture_output=True, text=True)
        finally:
            os.unlink(path)
        report = json.loads(done.stdout)
        if report.get("verdict") != "verified":
            raise Refusal(self.reason(report))
        return [{"docType": one["docType"], "elements": one["elements"]} for one in report["documents"]]

    def exchange(self, answer):
        session = answer.session
        encoded = hpke.point(session.key.public_key())
        number = session.key.private_numbers().private_value.to_bytes(32, "big")
        key = {"kty": "EC", "crv": "P-256", "x": encode(encoded[1:33]), "y": encode(encoded[33:]), "d": encode(number)}
        return {
            "origin": session.origin, "request": session.request_data, "recipientPrivateKey": key,
            "trustedIssuers": self.roots, "response": {"protocol": answer.protocol, "data": answer.data},
        }

    def reason(self, report):
        failure = report.get("failure") or report.get("error") or {}
        return "/".join(filter(None, [failure.get("check") or failure.get("code"), failure.get("reason")]))
