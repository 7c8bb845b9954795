"""The wallet of docs/your-wallet with one mistake.

    mistakes.py NAME
    mistakes.py --list
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "docs" / "your-wallet"))
import wallet  # noqa: E402
from wallet import cbor2, ec, encode  # noqa: E402

# Each mistake with the case that finds it, and the verdict.
MISTAKES = {}
ACCEPTED, ANSWER, REFUSED, UNCLEAN = "wrongly-accepted", "wrong-answer", "wrongly-refused", "not-refused-cleanly"


def mistake(case, verdict=ACCEPTED):
    def add(function):
        MISTAKES[function.__name__.replace("_", "-")] = (function, case, verdict)
        return function
    return add


def nothing(*_):
    pass


@mistake("reader.revoked")
def ignores_revocation():
    wallet.check_revoked = nothing


@mistake("signature.altered")
def ignores_reader_signature():
    wallet.check_signatures = nothing


@mistake("signature.another-origin")
def ignores_origin_in_signature():
    def check(request, session):
        problem = None
        for origin in ("https://shop.example", "https://other.example"):
            try:
                return genuine(request, wallet.transcript(last["encryptionInfo"], origin))
            except Exception as found:
                problem = found
        raise problem

    last = {}
    genuine, loads = wallet.check_signatures, wallet.json.loads

    def remembering(text):
        value = loads(text)
        if isinstance(value, dict) and "encryptionInfo" in value:
            last.update(value)
        return value

    wallet.json.loads, wallet.check_signatures = remembering, check


@mistake("transcript.another-session")
def signs_are_of_any_session():
    wallet.check_signatures = lambda request, session: None


@mistake("reader.unsigned")
def answers_unsigned_requests():
    genuine = wallet.check_readers
    wallet.check_readers = lambda chains, origin: chains and genuine(chains, origin)
    signatures = wallet.check_signatures
    wallet.check_signatures = lambda request, session: "readerAuthAll" in request and signatures(request, session)


@mistake("reader.unknown")
def trusts_every_reader():
    wallet.check_readers = nothing


@mistake("reader.unknown-with-root")
def trusts_roots_that_readers_send():
    genuine = wallet.check_reader

    def check(chain, origin):
        if len(chain) > 1:
            wallet.roots.append(wallet.x509.load_der_x509_certificate(chain[-1]))
        genuine(chain, origin)

    wallet.check_reader = check


@mistake("reader.self-made")
def trusts_names_of_issuers():
    wallet.check_signer = nothing


@mistake("reader.expired")
def ignores_end_of_validity():
    def check(certificate):
        now = wallet.datetime.now(wallet.timezone.utc)
        wallet.require(certificate.not_valid_before_utc <= now, "not valid yet")

    wallet.check_dates = check


@mistake("reader.not-yet-valid")
def ignores_beginning_of_validity():
    def check(certificate):
        now = wallet.datetime.now(wallet.timezone.utc)
        wallet.require(now <= certificate.not_valid_after_utc, "expired")

    wallet.check_dates = check


@mistake("reader.another-host")
def ignores_host_of_certificate():
    wallet.check_host = nothing


@mistake("reader.document-signer")
def ignores_purpose_of_certificate():
    wallet.check_purpose = nothing

    def check(leaf, origin):
        try:
            leaf.extensions.get_extension_for_class(wallet.x509.SubjectAlternativeName)
        except wallet.x509.ExtensionNotFound:
            return
        host(leaf, origin)

    host, wallet.check_host = wallet.check_host, check


@mistake("genuine.names", ANSWER)
def releases_surplus():
    genuine = wallet.document

    def document(kind, elements, session):
        names = {
            space: [cbor2.loads(item.value)["elementIdentifier"] for item in items]
            for space, items in wallet.documents[kind]["nameSpaces"].items()}
        return genuine(kind, names, session)

    wallet.document = document


@mistake("genuine.names", ANSWER)
def releases_less():
    genuine = wallet.document
    wallet.document = lambda kind, elements, session: genuine(
        kind, {space: names[:1] for space, names in elements.items()}, session)


@mistake("genuine.names", ANSWER)
def answers_without_showing():
    genuine = wallet.show

    def show(message):
        shown = genuine(message)
        return {"shows": {**shown["shows"], "elements": {}}}

    wallet.show = show


@mistake("genuine.names", ANSWER)
def binds_to_another_origin():
    genuine = wallet.document

    def document(kind, elements, session):
        return genuine(kind, elements, [None, None, ["dcapi", wallet.sha256(b"https://shop.example/").digest()]])

    wallet.document = document


@mistake("genuine.names", ANSWER)
def seals_for_another_session():
    genuine = wallet.seal
    wallet.seal = lambda response, key, session: genuine(response, key, [None, None, ["dcapi", bytes(32)]])


@mistake("genuine.names", ANSWER)
def signs_with_another_key():
    genuine = wallet.signed
    wallet.signed = lambda payload, key: genuine(payload, ec.generate_private_key(ec.SECP256R1()))


@mistake("genuine.two-documents", ANSWER)
def answers_with_one_document():
    genuine = wallet.agree

    def agree(message):
        partial, origin, elements = wallet.views[message["to"]]
        wallet.views[message["to"]] = (partial, origin, dict(list(elements.items())[:1]))
        return genuine(message)

    wallet.agree = agree


@mistake("genuine.fresh-key", ANSWER)
def seals_with_the_same_key():
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Interoperability"))
    import hpke

    ephemeral = ec.generate_private_key(ec.SECP256R1())

    def seal(response, key, session):
        enc, sealed = hpke.seal(response, key, cbor2.dumps(session), ephemeral)
        return cbor2.dumps(["dcapi", {"enc": enc, "cipherText": sealed}])

    wallet.seal = seal


@mistake("genuine.port", REFUSED)
def forgets_ports():
    genuine = wallet.transcript
    wallet.transcript = lambda info, origin: genuine(info, origin.removesuffix(":8443"))


@mistake("genuine.names", REFUSED)
def warns_always():
    genuine = wallet.show

    def show(message):
        shown = genuine(message)
        return {"shows": {**shown["shows"], "warning": "Do you know this website?"}}

    wallet.show = show


@mistake("raw-request.more-elements")
def does_not_compare():
    def agree(message):
        partial, origin, _ = wallet.views[message["to"]]
        request = cbor2.loads(wallet.decode(wallet.json.loads(message["raw"])["deviceRequest"]))
        wallet.views[message["to"]] = (partial, origin, wallet.held(wallet.parts(request)))
        return genuine(message)

    genuine, wallet.agree, wallet.check_agreed = wallet.agree, agree, nothing


@mistake("raw-request.another-reader")
def does_not_compare_readers():
    genuine = wallet.parts
    wallet.check_agreed = lambda request, partial: wallet.require(
        genuine(request) | {"readers": []} == partial | {"readers": []}, "differs")


@mistake("raw-request.retained")
def does_not_compare_retention():
    def without(partial):
        return [
            (one["documentType"], {space: list(names) for space, names in one["elements"].items()})
            for one in partial["documents"]]

    wallet.check_agreed = lambda request, partial: wallet.require(
        without(wallet.parts(request)) == without(partial), "differs")


@mistake("origin.withheld")
def answers_without_origin():
    genuine = wallet.show
    wallet.show = lambda message: genuine({"origin": "https://shop.example", **message})


@mistake("consent.declined")
def ignores_declining():
    wallet.decline = lambda message: {"cancelled": True}


@mistake("consent.again")
def answers_again():
    genuine = wallet.agree

    def agree(message):
        view = wallet.views[message["to"]]
        answer = genuine(message)
        wallet.views[message["to"]] = view
        return answer

    wallet.agree = agree


@mistake("consent.never-asked")
def answers_without_asking():
    genuine = wallet.agree

    def agree(message):
        if message["to"] not in wallet.views:
            request = cbor2.loads(wallet.decode(wallet.json.loads(message["raw"])["deviceRequest"]))
            partial = wallet.parts(request)
            wallet.views[message["to"]] = (partial, "https://shop.example", wallet.held(partial))
        return genuine(message)

    wallet.agree = agree


@mistake("consent.another-view")
def mixes_views():
    genuine = wallet.agree
    wallet.agree = lambda message: genuine({**message, "to": max(wallet.views, default=0)})


@mistake("form.short-nonce")
def takes_short_nonces():
    def recipient(text):
        key = cbor2.loads(wallet.decode(text))[1]["recipientPublicKey"]
        return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), b"\x04" + key[-2] + key[-3])

    wallet.recipient = recipient


@mistake("form.version")
def takes_every_version():
    wallet.check_agreed = lambda request, partial: wallet.require(wallet.parts(request) == partial, "differs")


@mistake("form.not-json", UNCLEAN)
def ends_at_malformed_requests():
    genuine = wallet.agree

    def agree(message):
        try:
            wallet.json.loads(message["raw"])
        except ValueError:
            sys.exit("a malformed request")
        return genuine(message)

    wallet.agree = agree


def answers_all():
    """Whatever can be answered is answered."""
    def agree(message):
        origin = wallet.views.get(message["to"], (None, "https://shop.example"))[1]
        raw = wallet.json.loads(message["raw"])
        request = cbor2.loads(wallet.decode(raw["deviceRequest"]))
        session = wallet.transcript(raw["encryptionInfo"], origin)
        elements = wallet.held(wallet.parts(request))
        documents = [wallet.document(kind, some, session) for kind, some in elements.items()]
        response = cbor2.dumps({"version": "1.0", "documents": documents, "status": 0})
        key = cbor2.loads(wallet.decode(raw["encryptionInfo"]))[1]["recipientPublicKey"]
        point = b"\x04" + key[-2] + key[-3]
        sealed = wallet.seal(response, ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point), session)
        return {"answer": encode(sealed)}

    wallet.check_readers, wallet.agree = nothing, agree
    ignores_declining()
    answers_without_origin()


def refuses_all():
    wallet.show = lambda message: {"refused": "no"}


if __name__ == "__main__":
    if sys.argv[1] == "--list":
        print("\n".join(MISTAKES))
    else:
        found = {"answers-all": (answers_all,), "refuses-all": (refuses_all,), **MISTAKES}
        found[sys.argv[1]][0]()
        wallet.main()
