#!/usr/bin/env python3
"""Lets an app of a world present a document that pymdoccbor issued.

    test_documents.py PRESENTMENT
"""

import datetime
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
from base64 import urlsafe_b64encode

import cbor2
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from pymdoccbor.mdoc.issuer import MdocCborIssuer

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Tests" / "External" / "Interoperability"))
import certificates  # noqa: E402

PRESENTMENT = ""
DOCUMENT_TYPE, NAME_SPACE = "org.iso.18013.5.1.mDL", "org.iso.18013.5.1"


def number(value):
    return value.to_bytes(32, "big")


def issued(now):
    """The root in PEM, the device key, and `IssuerSigned`."""
    authority = certificates.Authority("Pym Root", now - datetime.timedelta(hours=1))
    signer, device = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    certificate = authority.leaf("Pym Document Signer", signer.public_key(), certificates.DOCUMENT_SIGNER)
    point = device.public_key().public_numbers()
    issuer = MdocCborIssuer(
        private_key={"KTY": "EC2", "CURVE": "P_256", "ALG": "ES256", "KID": b"signer",
                     "D": number(signer.private_numbers().private_value)}, alg="ES256")
    issuer.new(
        data={NAME_SPACE: {"given_name": "Pym", "family_name": "Doc", "age_over_21": True}}, doctype=DOCUMENT_TYPE,
        validity={"issuance_date": now.strftime("%Y-%m-%d"),
                  "expiry_date": (now + datetime.timedelta(days=30)).strftime("%Y-%m-%d")},
        devicekeyinfo={"KTY": "EC2", "CURVE": "P_256", "X": number(point.x), "Y": number(point.y)},
        x509_chain=[certificate.public_bytes(serialization.Encoding.DER)])
    response = issuer.signed
    return authority.pem, device, cbor2.dumps(response["documents"][0]["issuerSigned"])


class Presented(unittest.TestCase):
    def test_document(self):
        now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
        root, device, document = issued(now)
        with tempfile.TemporaryDirectory(prefix="presentment-") as name:
            folder = pathlib.Path(name)
            (folder / "root.pem").write_text(root)
            (folder / "license.cbor").write_bytes(document)
            private = urlsafe_b64encode(number(device.private_numbers().private_value)).rstrip(b"=").decode()
            (folder / "key.jwk").write_text(json.dumps({"kty": "EC", "crv": "P-256", "d": private}))
            scenario = (ROOT / "scenarios/documents/from-files.yaml").read_text()
            world = scenario[scenario.index("world:"):scenario.index("matrix:")].replace("files/", "")
            world = world.replace("          com.example.utopia: { ferry_pass: show }\n", "")
            (folder / "worlds").mkdir()
            shutil.copy(ROOT / "scenarios/worlds/spaceport.yaml", folder / "worlds")
            steps = ["person: { visits: spaceship-rentals, on: kellys-iphone }", "person: { taps: Verify Identity }",
                     "person: { picks: Local Driving Authority }", "person: { taps: Accept }",
                     "website: { verified: { given_name: Pym, age_over_21: true } }"]
            clock = (now + datetime.timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
            (folder / "pym.yaml").write_text(
                f"scenario: A document of pymdoccbor\nclock: {clock}\n{world}steps:\n"
                + "".join(f"  - {step}\n" for step in steps))
            run = subprocess.run([PRESENTMENT, "run", "pym.yaml"], cwd=folder, capture_output=True, text=True)
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)


if __name__ == "__main__":
    PRESENTMENT = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
