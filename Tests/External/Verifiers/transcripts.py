"""The session transcript of annex C, and what a server takes for one that tries to please every wallet."""

from collections import namedtuple
from hashlib import sha256

import cbor2
from cbor2 import CBORTag

import mdoc
from checks import Checking, declare

declare("transcript-origin", "The transcript has the server's own origin in its exact spelling.")
declare("transcript-nonce", "The transcript and the key are those of this session, not of another one of the server.")
declare("transcript-form", "The transcript has the structure of annex C and the text of the encryption information.")

# The contents of DeviceAuthentication, the info of HPKE, and the session whose key opens the answer.
Transcript = namedtuple("Transcript", "value info session")


class Transcripts(Checking):
    def accepted(self, session, others, claimed_origin):
        """The one transcript; without checks also others, which a server tries one after the other."""
        sessions = [session] if self.makes("transcript-nonce") else [session, *others]
        for one in sessions:
            origins = [one.origin]
            if not self.makes("transcript-origin"):
                origins += spellings(one.origin) + [claimed_origin]
            for origin in origins:
                yield whole(mdoc.transcript(one.encryption_info, origin), one)
            if not self.makes("transcript-form"):
                yield from forms(one)


def whole(value, session):
    return Transcript(value, cbor2.dumps(value), session)


def spellings(origin):
    """Texts that are taken for an origin."""
    scheme, host = origin.split("://")
    name, _, port = host.partition(":")
    suffix = f":{port}" if port else ""
    other = {"http": "https", "https": "http"}[scheme]
    return [
        f"{origin}/", f"{scheme}://{name}", f"{other}://{host}", host, name, f"{scheme}://www.{host}",
        f"{scheme}://{name.upper()}{suffix}", f"{scheme}://{name.title()}{suffix}", f"{origin}/verify",
        f"{origin}/login", f"{origin}/index.html", "null", "", None,
    ]


def forms(session):
    """Values that are taken for the transcript."""
    text, origin = session.encryption_info, session.origin
    decoded = session.encryption_info_bytes
    right = mdoc.transcript(text, origin)
    encoded, digest = cbor2.dumps(right), right[2][1]
    padded = text + "=" * (-len(text) % 4)
    standard = padded.replace("-", "+").replace("_", "/")
    for info in (padded, standard, standard.rstrip("="), decoded, cbor2.loads(decoded), CBORTag(24, decoded)):
        yield whole(mdoc.transcript(info, origin), session)
    yield whole(mdoc.transcript(origin, text), session)
    for item in ([text, origin], cbor2.dumps([text, origin]), digest.hex(), digest.hex().upper()):
        yield whole([None, None, ["dcapi", item]], session)
    for marker in ("org-iso-mdoc", "org.iso.mdoc", "DCAPI", "dc-api", "DCAPIHandover"):
        yield whole([None, None, [marker, digest]], session)
    parameters = cbor2.dumps(cbor2.loads(decoded)[1])
    yield whole([None, CBORTag(24, parameters), right[2]], session)
    yield whole(CBORTag(24, encoded), session)
    yield whole(encoded, session)
    yield whole(right[2], session)
    yield Transcript(sha256(encoded).digest(), sha256(encoded).digest(), session)
    yield Transcript(None, b"", session)
