"""Measures pymdoccbor, isomdoc and sd-jwt on the documents of presentment's own measures.

usage: neighbours.py FOLDER MILLISECONDS
Prints lines of a name and microseconds, with a tab between; the best of five batches in processor time.
"""

import base64
import json
import logging
import pathlib
import sys
import time
import warnings
from datetime import date, timedelta

import cbor2
from cryptography import x509
from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_pem_public_key

logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")
folder, milliseconds = pathlib.Path(sys.argv[1]), int(sys.argv[2])
response = (folder / "response.cbor").read_bytes()
elements = cbor2.loads((folder / "elements.cbor").read_bytes())
document_type, name_spaces = elements["docType"], elements["nameSpaces"]
root = x509.load_pem_x509_certificate((folder / "root.pem").read_bytes())
signer = x509.load_pem_x509_certificate((folder / "signer.pem").read_bytes())
signer_key = load_pem_private_key((folder / "signer-key.pem").read_bytes(), None)
device_key = load_pem_public_key((folder / "device.pem").read_bytes())


def measure(name, work):
    best = float("inf")
    for _ in range(5):
        rounds, start = 0, time.thread_time()
        end = start + milliseconds / 5000
        while True:
            work()
            rounds += 1
            now = time.thread_time()
            if now >= end:
                break
        best = min(best, (now - start) / rounds)
    print(f"{name}\t{best * 1e6}", flush=True)


def coordinates(numbers):
    return numbers.x.to_bytes(32, "big"), numbers.y.to_bytes(32, "big")


def with_pymdoccbor():
    from pymdoccbor.mdoc.issuer import MdocCborIssuer
    from pymdoccbor.mdoc.verifier import MdocCbor

    def verify():
        document = MdocCbor()
        document.loads(response)
        if not document.verify(trusted_root_certs=[root]):
            raise ValueError("pymdoccbor does not verify the response")

    numbers = signer_key.private_numbers()
    x, y = coordinates(numbers.public_numbers)
    key = {"KTY": "EC2", "CURVE": "P_256", "ALG": "ES256", "X": x, "Y": y,
           "D": numbers.private_value.to_bytes(32, "big")}
    x, y = coordinates(device_key.public_numbers())
    holder = {"KTY": "EC2", "CURVE": "P_256", "X": x, "Y": y}
    today = date.today()
    validity = {"issuance_date": str(today), "expiry_date": str(today + timedelta(days=300))}
    certificate = str(folder / "signer.pem")

    def issue():
        issuer = MdocCborIssuer(private_key=key, alg="ES256")
        issuer.new(
            doctype=document_type, data={name: dict(values) for name, values in name_spaces.items()},
            validity=validity, devicekeyinfo=holder, cert_path=certificate)
        return issuer.dump()

    measure("pymdoccbor: verify (no device signature, no dates)", verify)
    measure("pymdoccbor: issue the 12 elements", issue)


def with_isomdoc():
    from isomdoc import create_mdoc, verify_device_response

    transcript = cbor2.loads((folder / "transcript.cbor").read_bytes())

    def verify():
        verify_device_response(response, transcript)

    def issue():
        document = create_mdoc(document_type, [signer], signer_key)
        for name, values in name_spaces.items():
            for identifier, value in values.items():
                document.add_data_item(name, identifier, value)
        return document.generate_credential(device_key)

    measure("isomdoc: verify (no certificate path, no dates)", verify)
    measure("isomdoc: issue the 12 elements", issue)


def with_sd_jwt():
    from jwcrypto import jwe, jwk
    from sd_jwt.verifier import SDJWTVerifier

    answer = json.loads((folder / "openid4vp-answer.json").read_text())["response"]
    expected = json.loads((folder / "openid4vp-expected.json").read_text())
    recipient = jwk.JWK.from_pem((folder / "recipient.pem").read_bytes())

    def issuer_key(_issuer, header):
        certificate = x509.load_der_x509_certificate(base64.b64decode(header["x5c"][0]))
        return jwk.JWK.from_pyca(certificate.public_key())

    def verify():
        opened = jwe.JWE()
        opened.deserialize(answer, recipient)
        for presentations in json.loads(opened.payload)["vp_token"].values():
            verifier = SDJWTVerifier(presentations[0], issuer_key, expected["audience"], expected["nonce"])
            if verifier.get_verified_payload()["given_name"] != "A value of given_name":
                raise ValueError("sd-jwt does not verify the answer")

    measure("sd-jwt: open and verify an answer (no certificate path, no dates)", verify)


for each in (with_pymdoccbor, with_isomdoc, with_sd_jwt):
    try:
        each()
    except Exception as problem:  # One that fails must not hide the other.
        print(f"{each.__name__}: {type(problem).__name__}: {problem}", file=sys.stderr)
