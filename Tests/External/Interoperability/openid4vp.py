#!/usr/bin/env python3
"""Both ends of an exchange with OpenID4VP over the Digital Credentials API, on jwcrypto, to test presentment against.

    openid4vp.py verify FILE                        as a website's server: exit 0 verified, 1 refused
    openid4vp.py request --origin ORIGIN --out FILE make a request
    openid4vp.py respond FILE --out FILE            as a wallet, with an issuer of its own
    openid4vp.py tamper FILE --with FAULT --out FILE
"""

import base64
import json
import os
import pathlib
import sys
from datetime import datetime, timezone
from hashlib import sha256

import cbor2
from cryptography import x509
from jwcrypto import jwe, jwk

import certificates
import exchange as files
import mdoc
import sdjwt
from sdjwt import decode, encode

UNSIGNED, SIGNED, MULTISIGNED = (f"openid4vp-v1-{kind}" for kind in ("unsigned", "signed", "multisigned"))
REQUEST_TYPE = "oauth-authz-req+jwt"
CREDENTIAL = {
    "given_name": "Erika", "family_name": "Müstermann", "address": {"locality": "Utopia City", "region": "North"},
    "nationalities": ["UT", "DE"], "age": 54,
}
PATHS = [["given_name"], ["address", "locality"], ["nationalities", None], ["age"]]


def _require(condition, sentence):
    if not condition:
        raise ValueError(sentence)


# Requests


def parameters(protocol, data, origin, anchors=None):
    """The parameters of a request, whose signatures verify."""
    if protocol == UNSIGNED:
        return data
    if protocol == SIGNED:
        found = json.loads(authentic(data["request"], anchors))
        check_client(found["client_id"], sdjwt.header(data["request"]))
    else:
        for one in data["signatures"]:
            compact = f"{one['protected']}.{data['payload']}.{one['signature']}"
            found = json.loads(authentic(compact, anchors))
            header = sdjwt.header(compact)
            check_client(header["client_id"], header)
        _require("client_id" not in found, "the payload names a client too")
    _require(origin in found["expected_origins"], "the request is for another origin")
    return found


def authentic(compact, anchors):
    header = sdjwt.header(compact)
    _require(header["typ"] == REQUEST_TYPE and header["alg"] == "ES256", "the request is of another type")
    encoded = sdjwt.chain(header)
    leaf = x509.load_der_x509_certificate(encoded[0])
    if anchors is not None:
        certificates.check_path(encoded, anchors, certificates.READER, datetime.now(timezone.utc))
    return sdjwt.verified(compact, sdjwt.certificate_key(leaf))


def check_client(client, header):
    prefix, _, name = client.partition(":")
    encoded = sdjwt.chain(header)[0]
    if prefix == "x509_hash":
        _require(name == encode(sha256(encoded).digest()), "the client's certificate is another one")
    else:
        _require(prefix == "x509_san_dns", "the client has another prefix")
        names = x509.load_der_x509_certificate(encoded).extensions.get_extension_for_class(x509.SubjectAlternativeName)
        _require(name in names.value.get_values_for_type(x509.DNSName), "the client's certificate is another one's")


def transcript(origin, asked):
    """[null, null, ["OpenID4VPDCAPIHandover", digest]], with the thumbprint of the key of an encrypted answer."""
    thumbprint = decode(recipient(asked).thumbprint()) if asked["response_mode"] == "dc_api.jwt" else None
    info = cbor2.dumps([origin, asked["nonce"], thumbprint])
    return [None, None, ["OpenID4VPDCAPIHandover", sha256(info).digest()]]


def recipient(asked):
    keys = asked["client_metadata"]["jwks"]["keys"]
    return jwk.JWK(**next(one for one in keys if one.get("use", "enc") == "enc" and one["alg"] == "ECDH-ES"))


def encryptions(asked):
    return asked["client_metadata"].get("encrypted_response_enc_values_supported", ["A128GCM"])


def items(query):
    """The request for a document, as annex C has it."""
    spaces = {}
    for claim in query["claims"]:
        space, element = claim["path"]
        spaces.setdefault(space, {})[element] = claim.get("intent_to_retain", False)
    return {"docType": query["meta"]["doctype_value"], "nameSpaces": spaces}


def request(arguments):
    now = datetime.now(timezone.utc)
    key = jwk.JWK.generate(kty="EC", crv="P-256", use="enc", alg="ECDH-ES", kid="answer-1")
    if arguments.format == "mso_mdoc":
        meta, paths = {"doctype_value": mdoc.DRIVING_LICENCE}, [
            [mdoc.NAME_SPACE, one] for one in ("family_name", "birth_date", "portrait", "driving_privileges")]
    else:
        meta, paths = {"vct_values": [sdjwt.TYPE]}, PATHS
    algorithms = {"mso_mdoc": {"issuerauth_alg_values": [-7, -9], "deviceauth_alg_values": [-7, -9]},
                  "dc+sd-jwt": {"sd-jwt_alg_values": ["ES256"], "kb-jwt_alg_values": ["ES256"]}}
    asked = {
        "response_type": "vp_token", "response_mode": "dc_api" if arguments.plain else "dc_api.jwt",
        "nonce": encode(os.urandom(24)),
        "dcql_query": {"credentials": [
            {"id": "one", "format": arguments.format, "meta": meta, "claims": [{"path": path} for path in paths]}]},
        "client_metadata": {"vp_formats_supported": algorithms},
    }
    if not arguments.plain:
        asked["client_metadata"] |= {
            "jwks": {"keys": [key.export_public(as_dict=True)]},
            "encrypted_response_enc_values_supported": [arguments.encryption],
        }
    data = asked
    if arguments.protocol != UNSIGNED:
        authority = certificates.Authority("Utopia Reader Root", now)
        asked["expected_origins"] = ["https://other.example", arguments.origin]
        signers = [signer(authority, arguments.origin, "x509_hash")]
        if arguments.protocol == SIGNED:
            reader, chain, client = signers[0]
            data = {"request": sdjwt.sign(asked | {"client_id": client}, reader, typ=REQUEST_TYPE, x5c=chain)}
        else:
            signers.append(signer(authority, arguments.origin, "x509_san_dns"))
            payload, signatures = json.dumps(asked).encode(), []
            for reader, chain, client in signers:
                protected, _, signature = sdjwt.sign(
                    payload, reader, typ=REQUEST_TYPE, x5c=chain, client_id=client).split(".")
                signatures.append({"protected": protected, "signature": signature})
            data = {"payload": encode(payload), "signatures": signatures}
        if arguments.reader_root:
            pathlib.Path(arguments.reader_root).write_text(authority.pem)
    exchange = {"origin": arguments.origin, "protocol": arguments.protocol, "request": data, "trustedIssuers": []}
    if not arguments.plain:
        exchange["recipientPrivateKey"] = key.export(as_dict=True)
    files.write(arguments.out, exchange)
    return 0


def signer(authority, origin, prefix):
    """A reader's key, certificates and client identifier."""
    key = jwk.JWK.generate(kty="EC", crv="P-256")
    domain = origin.removeprefix("https://")
    chain = sdjwt.x5c(authority.leaf("verifier", key.get_op_key("verify"), certificates.READER, domain))
    digest = encode(sha256(base64.b64decode(chain[0])).digest())
    return key, chain, f"{prefix}:{digest if prefix == 'x509_hash' else domain}"


# Answers


def respond(arguments):
    exchange = files.read(arguments.file)
    anchors = arguments.trusted_reader and x509.load_pem_x509_certificates(
        pathlib.Path(arguments.trusted_reader).read_bytes())
    origin = exchange["origin"]
    asked = parameters(exchange["protocol"], exchange["request"], origin, anchors)
    now = datetime.now(timezone.utc).replace(microsecond=0)
    authority = certificates.Authority("Utopia Root", now)
    holder = jwk.JWK.generate(kty="EC", crv="P-256")
    device = holder.get_op_key("sign")
    token = {}
    for query in asked["dcql_query"]["credentials"]:
        if query["format"] == "mso_mdoc":
            issued = mdoc.issue(files.ELEMENTS, device.public_key(), authority, now)
            response = mdoc.present(issued, items(query), device, transcript(origin, asked))
            token[query["id"]] = [encode(response)]
        else:
            issued = sdjwt.issue(CREDENTIAL, holder, authority, now)
            paths = [claim["path"] for claim in query["claims"]]
            token[query["id"]] = [
                sdjwt.present(issued, paths, holder, f"origin:{origin}", asked["nonce"], now)]
    exchange["response"] = {"protocol": exchange["protocol"], "data": sealed({"vp_token": token}, asked)}
    exchange["trustedIssuers"] = [authority.pem]
    files.write(arguments.out, exchange)
    if arguments.write_document:
        document = issued.encode() if isinstance(issued, str) else cbor2.dumps(issued)
        pathlib.Path(arguments.write_document).write_bytes(document)
        pathlib.Path(arguments.write_device_key).write_text(holder.export())
    return 0


def sealed(content, asked):
    """The data of an answer, encrypted if the request asks for that."""
    if asked["response_mode"] == "dc_api":
        return content
    key = recipient(asked)
    header = {"alg": "ECDH-ES", "enc": encryptions(asked)[-1], "kid": key["kid"], "apv": encode(os.urandom(8))}
    token = jwe.JWE(json.dumps(content).encode(), protected=json.dumps(header), recipient=key)
    return {"response": token.serialize(compact=True)}


def opened(exchange, asked):
    """The content of an answer."""
    data = exchange["response"]["data"]
    if asked["response_mode"] == "dc_api":
        return data
    _require(set(data) == {"response"}, "the answer is not encrypted")
    header = sdjwt.header(data["response"])
    _require(header["enc"] in encryptions(asked), "the request does not list the encryption")
    _require(header.get("kid") == recipient(asked).get("kid"), "the answer is for another key")
    token = jwe.JWE(algs=["ECDH-ES", "A128GCM", "A256GCM"])
    token.deserialize(data["response"], jwk.JWK(**exchange["recipientPrivateKey"]))
    return json.loads(token.payload)


def path_text(place):
    text = ""
    for part in place:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def shown(query, presentation, exchange, asked, anchors, now):
    """What presentment's JSON has of a verified presentation."""
    origin = exchange["origin"]
    if query["format"] == "mso_mdoc":
        wanted = items(query)
        (kind, issuer, values), = mdoc.verify_response(
            decode(presentation), transcript(origin, asked), [wanted], anchors, now)
        for space, elements in wanted["nameSpaces"].items():
            _require(elements.keys() == values[space].keys(), "an element is missing")
        return {"id": query["id"], "docType": kind, "issuer": issuer, "elements": files.plain(values)}
    issuer, claims = sdjwt.verify(
        presentation, query["meta"]["vct_values"], f"origin:{origin}", asked["nonce"], anchors, now)
    found = {}
    for claim in query["claims"]:
        values = sdjwt.at(claims, claim["path"])
        _require(values, "a claim is missing")
        found |= {path_text(place): value for place, value in values}
    return {"id": query["id"], "vct": claims["vct"], "issuer": issuer, "claims": found}


def verify(arguments):
    exchange = files.read(arguments.file)
    now = datetime.now(timezone.utc)
    try:
        asked = parameters(exchange["protocol"], exchange["request"], exchange["origin"])
        anchors = files.anchors(exchange, arguments.file)
        token = opened(exchange, asked)["vp_token"]
        queries = asked["dcql_query"]["credentials"]
        _require(token.keys() == {query["id"] for query in queries}, "other queries are answered")
        documents = []
        for query in queries:
            presentation, = token[query["id"]]
            documents.append(shown(query, presentation, exchange, asked, anchors, now))
    except Exception as problem:  # Any error in untrusted input refuses it.
        print(f"refused: {type(problem).__name__}: {problem}")
        return 1
    print(json.dumps({"documents": documents}))
    return 0


# Altered answers

FAULTS = ("ciphertext", "value", "issuer-signature", "device-signature", "origin", "nonce")


def altered(text, place):
    """The text with another character of base64url at a place."""
    place %= len(text)
    return text[:place] + ("A" if text[place] != "A" else "B") + text[place + 1:]


def altered_document(presentation, fault):
    response = files.listed(cbor2.loads(decode(presentation)))
    one = response["documents"][0]
    if fault == "value":
        space = next(iter(one["issuerSigned"]["nameSpaces"].values()))
        item = dict(cbor2.loads(space[0].value))
        item["elementValue"] = "Somebody Else"
        space[0] = mdoc.embedded(item)
    else:
        signed = one["issuerSigned"]["issuerAuth"]
        if fault == "device-signature":
            signed = one["deviceSigned"]["deviceAuth"]["deviceSignature"]
        signed[3] = files.flipped(signed[3], 40)
    return encode(cbor2.dumps(response))


def altered_credential(presentation, fault):
    token, *disclosures, binding = presentation.split("~")
    if fault == "value":
        content = json.loads(decode(disclosures[0]))
        content[-1] = "Somebody Else"
        disclosures[0] = encode(json.dumps(content).encode())
    elif fault == "issuer-signature":
        token = altered(token, -20)
    else:
        binding = altered(binding, -20)
    return "~".join([token, *disclosures, binding])


def tamper(arguments):
    exchange, fault = files.read(arguments.file), getattr(arguments, "with")
    asked = parameters(exchange["protocol"], exchange["request"], exchange["origin"])
    data = exchange["response"]["data"]
    if fault == "ciphertext":
        parts = data["response"].split(".")
        parts[3] = altered(parts[3], 40)
        data["response"] = ".".join(parts)
    elif fault == "origin":
        exchange["origin"] = exchange["origin"].replace("://", "://other.")
    elif fault == "nonce":
        _require(exchange["protocol"] == UNSIGNED, "the nonce of a signed request cannot be altered")
        exchange["request"]["nonce"] = altered(asked["nonce"], 3)
    else:
        content = opened(exchange, asked)
        for query in asked["dcql_query"]["credentials"]:
            alter = altered_document if query["format"] == "mso_mdoc" else altered_credential
            content["vp_token"][query["id"]] = [alter(content["vp_token"][query["id"]][0], fault)]
        exchange["response"]["data"] = sealed(content, asked)
    files.write(arguments.out, exchange)


def add_to_request(command):
    command.add_argument("--protocol", choices=(UNSIGNED, SIGNED, MULTISIGNED), default=UNSIGNED)
    command.add_argument("--format", choices=("mso_mdoc", "dc+sd-jwt"), default="mso_mdoc")
    command.add_argument("--encryption", choices=("A128GCM", "A256GCM"), default="A256GCM")
    command.add_argument("--plain", action="store_true")


def main():
    return files.run_command(
        verify, request, respond, tamper, FAULTS, add_to_request,
        lambda command: command.add_argument("--trusted-reader"))


if __name__ == "__main__":
    sys.exit(main())
