"""SD-JWT credentials with key binding (RFC 9901, SD-JWT VC)."""

import base64
import json
import os
from hashlib import sha256

from cryptography.hazmat.primitives.serialization import Encoding
from jwcrypto import jwk, jws

import certificates

TYPE = "urn:eudi:pid:1"
# Claims of SD-JWT VC that are always disclosed.
ALWAYS = {"iss", "nbf", "exp", "cnf", "vct", "status"}


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _require(condition, sentence):
    if not condition:
        raise ValueError(sentence)


def sign(payload, key, **header):
    """A compact JWS with ES256 over a value, or over bytes as they are."""
    data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    token = jws.JWS(data)
    token.add_signature(key, alg="ES256", protected=json.dumps({"alg": "ES256", **header}))
    return token.serialize(compact=True)


def header(compact):
    return json.loads(decode(compact.split(".")[0]))


def verified(compact, key):
    """The payload of a JWS, as bytes; raises if the signature is not by the key."""
    token = jws.JWS()
    token.allowed_algs = ["ES256"]
    token.deserialize(compact, key)
    return token.payload


def certificate_key(certificate):
    return jwk.JWK.from_pyca(certificate.public_key())


def chain(found):
    """The DER certificates of a header."""
    return [base64.b64decode(text, validate=True) for text in found["x5c"]]


def x5c(certificate):
    return [base64.b64encode(certificate.public_bytes(Encoding.DER)).decode()]


def digest(text):
    return encode(sha256(text.encode("ascii")).digest())


def disclosure(*content):
    return encode(json.dumps([encode(os.urandom(16)), *content]).encode())


def hidden(claims):
    """An object whose claims are selectively disclosable, also those in objects and in lists, and the disclosures."""
    digests, disclosures = [], []
    for name, value in claims.items():
        if isinstance(value, dict):
            value, inner = hidden(value)
            disclosures += inner
        elif isinstance(value, list):
            elements = [disclosure(one) for one in value]
            disclosures += elements
            value = [{"...": digest(one)} for one in elements]
        text = disclosure(name, value)
        disclosures.append(text)
        digests.append(digest(text))
    return {"_sd": sorted(digests + [digest(encode(os.urandom(8)))])}, disclosures


def issue(claims, holder, authority, now):
    """A credential whose claims are all selectively disclosable, with a decoy in each object."""
    key = jwk.JWK.generate(kty="EC", crv="P-256")
    signer = authority.leaf(
        "Utopia Credential Signer", key.get_op_key("verify"), certificates.DOCUMENT_SIGNER)
    content, disclosures = hidden(claims)
    content |= {
        "vct": TYPE, "cnf": {"jwk": holder.export_public(as_dict=True)}, "iat": int(now.timestamp()),
        "exp": int(now.timestamp()) + 200 * 86400, "_sd_alg": "sha-256",
    }
    return "~".join([sign(content, key, typ="dc+sd-jwt", x5c=x5c(signer)), *disclosures, ""])


def present(credential, paths, holder, audience, nonce, now):
    """The credential with the disclosures on the way to the paths and below them, and with key binding."""
    token, *disclosures = credential.split("~")[:-1]
    held = {digest(one): one for one in disclosures}
    shown = set()

    def walk(value, wanted):
        """Shows what the rest of a path leads to; an empty rest shows everything below."""
        if isinstance(value, dict):
            for one in value.get("_sd", []):
                if one in held:
                    name, inner = json.loads(decode(held[one]))[1:]
                    if not wanted or wanted[0] == name:
                        shown.add(held[one])
                        walk(inner, wanted[1:])
        elif isinstance(value, list):
            for position, one in enumerate(value):
                if not wanted or wanted[0] in (None, position):
                    text = held[one["..."]]
                    shown.add(text)
                    walk(json.loads(decode(text))[1], wanted[1:])

    content = json.loads(decode(token.split(".")[1]))
    for path in paths:
        walk(content, path)
    bound = "~".join([token, *(one for one in disclosures if one in shown), ""])
    binding = {"aud": audience, "nonce": nonce, "iat": int(now.timestamp()), "sd_hash": digest(bound)}
    return bound + sign(binding, holder, typ="kb+jwt")


def disclosed(content, disclosures):
    """The claims with every disclosure in its place; raises if one has none, or several."""
    held = {digest(one): json.loads(decode(one)) for one in disclosures}
    _require(len(held) == len(disclosures), "a disclosure is there twice")
    used = set()

    def take(one):
        _require(one not in used, "a digest is there twice")
        used.add(one)
        return held.get(one)

    def filled(value):
        if isinstance(value, list):
            found = [take(one["..."]) if isinstance(one, dict) and "..." in one else (None, one) for one in value]
            _require(all(one is None or len(one) == 2 for one in found), "an element's disclosure has a name")
            return [filled(one[1]) for one in found if one is not None]
        if not isinstance(value, dict):
            return value
        result = {name: filled(inner) for name, inner in value.items() if name not in ("_sd", "_sd_alg")}
        for one in value.get("_sd", []):
            found = take(one)
            if found is not None:
                _require(len(found) == 3, "a claim's disclosure has no name")
                name, inner = found[1:]
                _require(name not in result and name not in ("_sd", "..."), f"{name} is there twice")
                result[name] = filled(inner)
        return result

    result = filled(content)
    _require(held.keys() <= used, "a disclosure has no place")
    _require(not ALWAYS & {one[1] for one in held.values() if len(one) == 3}, "a claim may not be disclosable")
    return result


def at(claims, path):
    """The values that a path leads to, with the positions in place of every null."""
    found = [((), claims)]
    for part in path:
        step = []
        for place, value in found:
            if part is None and isinstance(value, list):
                step += [((*place, position), one) for position, one in enumerate(value)]
            elif isinstance(part, int) and isinstance(value, list) and part < len(value):
                step.append(((*place, part), value[part]))
            elif isinstance(part, str) and isinstance(value, dict) and part in value:
                step.append(((*place, part), value[part]))
        found = step
    return found


def verify(presentation, types, audience, nonce, anchors, now):
    """The issuer's name and the claims of a presentation; raises if it is not authentic."""
    token, *disclosures, binding = presentation.split("~")
    found = header(token)
    _require(found["typ"] == "dc+sd-jwt" and found["alg"] == "ES256", "the credential is of another type")
    signer = certificates.check_path(chain(found), anchors, certificates.DOCUMENT_SIGNER, now)
    content = json.loads(verified(token, certificate_key(signer)))
    _require(content.get("_sd_alg", "sha-256") == "sha-256", "the digests are of another algorithm")
    claims = disclosed(content, disclosures)
    _require(claims["vct"] in types, "the credential was not asked for")
    _require(claims.get("nbf", 0) <= now.timestamp() < claims.get("exp", 1 << 62), "the credential is not valid now")
    found = header(binding)
    _require(found["typ"] == "kb+jwt", "the key binding is of another type")
    bound = json.loads(verified(binding, jwk.JWK(**claims["cnf"]["jwk"])))
    _require(bound["aud"] == audience, "the holder signed for another audience")
    _require(bound["nonce"] == nonce, "the holder signed another nonce")
    _require(abs(bound["iat"] - now.timestamp()) < 600, "the holder signed at another time")
    _require(bound["sd_hash"] == digest(presentation[:presentation.rindex("~") + 1]), "the holder signed others")
    return certificates.common_name(signer.issuer), claims
