"""Inputs of any size: for each kind of file, valid ones and awkward ones."""

import base64
import itertools
import json
import random

# Parts of a file that are written at once, so that this process stays small.
PART = 1 << 16


class TooSmall(Exception):
    """A size in which a content has no room."""


def filled(size, head, units, tail=b"", between=b""):
    """As many units as fit between a head and a tail."""
    left = size - len(head) - len(tail)
    if left < 0:
        raise TooSmall
    yield head
    part, length, is_first = [], 0, True
    for unit in units:
        unit = unit if is_first else between + unit
        if len(unit) > left:
            break
        is_first = False
        part.append(unit)
        left -= len(unit)
        length += len(unit)
        if length >= PART:
            yield b"".join(part)
            part, length = [], 0
    yield b"".join(part)
    yield tail


def numbered(form):
    return (form.replace("#", str(number)).encode() for number in itertools.count())


def repeated(unit):
    return itertools.repeat(unit)


def nested(size, outer, inner, end):
    count = (size - len(inner)) // (len(outer) + len(end))
    yield outer * count + inner + end * count


def noise(count):
    return random.Random(1).randbytes(max(0, count))


def head(kind, count):
    """The head of a CBOR item."""
    if count < 0:
        raise TooSmall
    return bytes([kind << 5 | 26]) + count.to_bytes(4, "big")


def embedded(size):
    """CBOR in byte strings, each in the next."""
    item = b"\x00"
    while len(item) + 7 <= size:
        item = b"\xd8\x18" + head(2, len(item)) + item
        if len(item) > 100_000:
            break
    yield item


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")


JSON = {
    "array of numbers": lambda size: filled(size, b"[", repeated(b"0"), b"]", b","),
    "array of objects": lambda size: filled(size, b"[", repeated(b"{}"), b"]", b","),
    "small members": lambda size: filled(size, b"{", numbered('"m#":0'), b"}", b","),
    "members of one name": lambda size: filled(size, b"{", repeated(b'"m":0'), b"}", b","),
    "long text": lambda size: filled(size, b'{"text":"', repeated(b"a" * 64), b'"}'),
    "long name": lambda size: filled(size, b'{"', repeated(b"a" * 64), b'":0}'),
    "escapes": lambda size: filled(size, b'{"text":"', repeated(rb"\u00e9"), b'"}'),
    "long number": lambda size: filled(size, b"[", repeated(b"1" * 64), b"]"),
    "nested arrays": lambda size: nested(size, b"[", b"0", b"]"),
    "nested objects": lambda size: nested(size, b'{"a":', b"0", b"}"),
    "texts in base64": lambda size: filled(size, b"[", repeated(b'"ogECAwQ"'), b"]", b","),
}

CBOR = {
    "array of numbers": lambda size: filled(size, head(4, size - 5), repeated(b"\x00")),
    "array of empty maps": lambda size: filled(size, head(4, size - 5), repeated(b"\xa0")),
    "map": lambda size: filled(
        size, head(5, (size - 5) // 10), (b"\x68%08d\x00" % number for number in itertools.count())),
    "byte string": lambda size: filled(size, head(2, size - 5), [noise(size - 5)]),
    "text": lambda size: filled(size, head(3, size - 5), [b"a" * (size - 5)]),
    "text of combining marks": lambda size: filled(size, head(3, (size - 5) // 2 * 2), repeated("́".encode())),
    "string in chunks": lambda size: filled(size, b"\x5f", repeated(b"\x41\x00"), b"\xff"),
    "nested arrays": lambda size: nested(size, b"\x81", b"\x00", b""),
    "embedded items": embedded,
    "byte strings": lambda size: filled(size, head(4, (size - 5) // 4), repeated(b"\x43\x83\x01\x02")),
}

TEXTS = {
    "noise": lambda size: [noise(size)],
    "spaces": lambda size: filled(size, b"", repeated(b" " * 64)),
    "line feeds": lambda size: filled(size, b"", repeated(b"\n" * 64)),
    "zero bytes": lambda size: filled(size, b"", repeated(bytes(64))),
    "hexadecimal of a byte string": lambda size: [(head(2, size // 2 - 5) + noise(size // 2 - 5)).hex().encode()],
    "hexadecimal of an array": lambda size: [(head(4, size // 2 - 5) + bytes(size // 2 - 5)).hex().encode()],
    "base64url of a byte string": lambda size: [base64url(head(2, size * 3 // 4 - 5) + noise(size * 3 // 4 - 5))],
    "lines of base64": lambda size: filled(size, b"", repeated(b"QUJD" * 16 + b"\n")),
}


def armored(name, size):
    body = base64.b64encode(b"\x30\x84" + (size * 3 // 4).to_bytes(4, "big") + noise((size - 64) * 3 // 4))
    return [b"-----BEGIN %s-----\n" % name + body[:max(0, size - 64)] + b"\n-----END %s-----\n" % name]


def pem(certificate):
    """Files of PEM. The certificate is one in PEM."""
    begin = b"-----BEGIN CERTIFICATE-----\n"
    return {
        "many certificates": lambda size: filled(size, b"", repeated(certificate)),
        "different certificates": lambda size: filled(size, b"", (altered(certificate, n) for n in itertools.count())),
        "one long certificate": lambda size: armored(b"CERTIFICATE", size),
        "beginnings": lambda size: filled(size, b"", repeated(begin)),
        "empty certificates": lambda size: filled(size, b"", repeated(begin + b"-----END CERTIFICATE-----\n")),
        "text around": lambda size: filled(size, certificate, repeated(b"# a comment\n"), certificate),
    }


def altered(certificate, number):
    """A certificate with another serial number; its signature does not verify."""
    lines = certificate.decode().split("\n")
    data = bytearray(base64.b64decode("".join(lines[1:-2])))
    data[20:24] = number.to_bytes(4, "big")
    return b"\n".join([b"-----BEGIN CERTIFICATE-----", base64.b64encode(data), b"-----END CERTIFICATE-----", b""])


def line(value):
    return json.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode() + b"\n"


def traces(recorded, other=0):
    """Traces. The recorded one is a run's; a number makes others of the same form, which differ in each message."""
    lines = [json.loads(text) for text in recorded.splitlines()]
    messages = sum("message" in one for one in lines)

    def again():
        """The run again and again, later each time."""
        for turn in itertools.count():
            for one in lines:
                one = {**one, "line": one["line"] + turn * len(lines), "time": one["time"] + turn * 10**10}
                if "message" in one:
                    message = dict(one["message"], number=one["message"]["number"] + turn * messages)
                    if "answers" in message:
                        message["answers"] += turn * messages
                    if other and message["type"].endswith("json"):
                        content = base64.b64decode(message["bytes"]) + b" " * other
                        message["bytes"] = base64.b64encode(content).decode()
                    one["message"] = message
                yield line(one)

    def message(number, content, kind="application/json"):
        return {"by": "browser:a", "line": number, "time": 1757955600000000000 + number, "message": {
            "bytes": base64.b64encode(content).decode(), "kind": "load", "number": number,
            "to": "page:site@a", "type": kind}}

    def single(content, kind="application/json"):
        return lambda size: [line(message(1, content(max(1, (size - 240) * 3 // 4), other), kind))]

    def small():
        for number in itertools.count(1):
            yield line(message(number, b"[%d]" % (number * (other + 1))))

    return {
        "a run again and again": lambda size: filled(size, b"", again()),
        "small messages": lambda size: filled(size, b"", small()),
        "a long message, array": single(
            lambda size, by: b"".join(filled(size, b"[", repeated(b"%d" % by), b"]", b","))),
        "a long message, members": single(
            lambda size, by: b"".join(filled(size, b"{", numbered('"m#":%d' % by), b"}", b","))),
        "a long message, text": single(lambda size, by: b'"' + b"ab"[by:by + 1] * size + b'"'),
        "a long message, CBOR": single(
            lambda size, by: head(4, size) + bytes([by]) * size, "application/cbor"),
        "a long message, bytes": single(
            lambda size, by: noise(size) + bytes([by]), "application/octet-stream"),
        "lines of other JSON": lambda size: filled(size, b"", repeated(b"{}\n")),
    }


def exchanges(recorded, certificate):
    """Exchange files, verified ones and others."""
    exchange = json.loads(recorded)

    def text(value):
        return json.dumps(value).encode()

    def with_member(value, name, outer=None):
        """The exchange with a member whose units take the rest of the size."""
        def make(size):
            copy = json.loads(recorded)
            (copy[outer] if outer else copy)[name] = "MEMBER"
            before, _, after = text(copy).partition(b'"MEMBER"')
            left = size - len(before) - len(after)
            if left < 16:
                raise TooSmall
            return itertools.chain([before], value(left), [after])
        return make

    quoted = {key: (lambda make: lambda size: itertools.chain([b'"'], make(size - 2), [b'"']))(make) for key, make in {
        "noise": lambda size: filled(size, b"", [base64url(noise(size * 3 // 4))]),
        "wide": lambda size: [base64url(head(4, size * 3 // 4 - 5) + bytes(size * 3 // 4 - 5))],
        "deep": lambda size: [base64url(b"\x81" * (size * 3 // 4))],
    }.items()}
    quoted_certificate = text(certificate.decode())
    made = {f"unknown member: {name}": with_member(JSON[name], "note") for name in (
        "array of numbers", "small members", "long text", "nested arrays")}
    made["many trusted issuers"] = with_member(
        lambda size: filled(size, b"[", repeated(quoted_certificate), b"]", b","), "trustedIssuers")
    made["many certificates of an issuer"] = with_member(
        lambda size: filled(size, b'["', repeated(quoted_certificate[1:-1]), b'"]'), "trustedIssuers")
    made["long origin"] = with_member(lambda size: [b'"https://' + b"a" * (size - 10) + b'"'], "origin")
    for name, value in quoted.items():
        made[f"request: {name}"] = with_member(value, "deviceRequest", "request")
        made[f"encryption info: {name}"] = with_member(value, "encryptionInfo", "request")
        if "response" in exchange:
            made[f"response: {name}"] = with_member(value, "response")
    return made


def reports(recorded):
    """JSON reports of runs."""
    report = json.loads(recorded)
    case = dict(report["cases"][0])

    def of(form):
        def make(size):
            fields = text = None
            copy = {**report, "cases": ["CASES"]}
            copy["run"] = {key: value for key, value in report["run"].items() if key != "shard"}
            count = 1
            units = []
            left = size - len(json.dumps(copy)) - 40
            while True:
                fields = {**case, "number": count, "name": form.replace("#", str(count))}
                text = json.dumps(fields).encode()
                if len(text) + 1 > left:
                    break
                left -= len(text) + 1
                units.append(text)
                count += 1
            copy["run"]["entries"] = len(units)
            copy["totals"] = {**report["totals"], "passed": len(units)}
            before, _, after = json.dumps(copy).encode().partition(b'"CASES"')
            yield before
            yield b",".join(units)
            yield after
        return make

    return {
        "many cases": of("case #"),
        "cases of one name": of("case"),
        "long names": of("a" * 600 + " #"),
        **{f"other JSON: {name}": JSON[name] for name in (
            "array of numbers", "small members", "long text", "nested arrays")},
    }


def benches(size):
    figure = {"best": 1.5, "kind": "count", "median": 1.5, "name": "figure", "topic": "program"}
    return filled(size, b'{"cores":2,"load":1,"figures":[', repeated(json.dumps(figure).encode()), b"]}", b",")


def scenarios(text):
    """Scenario files, after a short one."""
    text = text if text.endswith("\n") else text + "\n"
    start, steps = text.split("steps:\n")
    last = steps.splitlines(keepends=True)[-1]

    def after(whole, units, tail=b""):
        return lambda size: filled(size, whole.encode(), units(), tail)

    def instead(units, tail=b""):
        return lambda size: filled(size, b"", units(), tail)

    return {
        "comments": after(text, lambda: repeated(b"# a comment\n")),
        "one long comment": after(text + "#", lambda: repeated(b"a" * 64), b"\n"),
        "empty lines": after(text, lambda: repeated(b"\n" * 16)),
        "spaces at the end": after(text, lambda: repeated(b" " * 16)),
        "many cases": after(text + "matrix:\n", lambda: numbered("  - { case: case # }\n")),
        "cases with changes": after(text + "matrix:\n", lambda: numbered(
            "  - case: case #\n    because: it is number #\n    changes: { seed: # }\n")),
        "many steps": lambda size: filled(size, f"{start}steps:\n{steps}".encode(), repeated(last.encode())),
        "long title": lambda size: filled(
            size, b"scenario: ", repeated(b"a word "), b"\n" + text.encode().partition(b"\n")[2]),
        "unknown keys": after(text, lambda: numbered("key-#: 0\n")),
        "one key again": after(text, lambda: repeated(b"seed: 7\n")),
        "wrong steps": lambda size: filled(size, f"{start}steps:\n".encode(), repeated(b"  - nothing\n")),
        "long list in a line": after(text + "tags: [", lambda: repeated(b"a, "), b"a]\n"),
        "nested lists": lambda size: nested(size, b"[", b"a", b"]"),
        "nested by indentation": lambda size: filled(size, b"", (b" " * n + b"a:\n" for n in itertools.count())),
        "anchors and aliases": after(text, lambda: numbered("a#: &a# [x]\nb#: *a#\n")),
        "aliases of aliases": after(
            text + "a0: &a0 [x, x, x, x, x, x, x, x]\n",
            lambda: (f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 8)}]\n".encode() for n in itertools.count(1))),
        "quoted text in lines": after(text + 'because: "', lambda: repeated(b"a word\n  "), b'"\n'),
        "escapes": after(text + 'because: "', lambda: repeated(rb"\u00e9"), b'"\n'),
        "block text": after(text + "because: |\n", lambda: repeated(b"  a word\n")),
        "not closed": instead(lambda: repeated(b"{ a: ")),
        "control characters": instead(lambda: repeated(b"\x01")),
        "no UTF-8": instead(lambda: repeated(b"\xff")),
        "tabs": instead(lambda: repeated(b"\t")),
        "question marks": instead(lambda: repeated(b"? ")),
        "list dashes": instead(lambda: repeated(b"- ")),
        "directives": instead(lambda: repeated(b"%YAML 1.2\n")),
        "documents": instead(lambda: repeated(b"---\n")),
        "tags": instead(lambda: repeated(b"!a ")),
    }


def worlds(text):
    """World files, after a short one with the elements of its first document last in this text's middle."""
    before, name, after = text.partition("              family_name: Rover\n")

    def in_document(units, tail=b""):
        return lambda size: filled(size, (before + name).encode(), units(), tail + after.encode())

    assert name, "the world has another form"
    return {
        "comments": lambda size: filled(size, text.encode(), repeated(b"# a comment\n")),
        "many elements": in_document(lambda: numbered("              element_#: a\n")),
        "one long element": in_document(
            lambda: itertools.chain([b"              element: "], repeated(b"a" * 64)), b"\n"),
        "many authorities": lambda size: filled(
            size, b"authorities:\n  issuers:\n",
            numbered("    issuer-#: { name: Issuer #, country: US }\n"),
            text.partition("  issuers:\n")[2].encode()),
        "unknown keys": lambda size: filled(size, text.encode(), numbered("key-#: 0\n")),
        "nested lists": lambda size: nested(size, b"[", b"a", b"]"),
    }


def keys(size, kind):
    """Private keys, in PEM or as a JSON Web Key with a long member."""
    if kind == "PEM":
        return armored(b"PRIVATE KEY", size)
    return filled(size, b'{"kty":"EC","crv":"P-256","x":"', repeated(b"A" * 64), b'"}')
