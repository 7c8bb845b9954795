"""Judges how a command ended: its exit code, its output, its files, and what it left."""

import dataclasses
import json
import re
import stat
import xml.etree.ElementTree

from execution import USUAL

# How much of a difference is shown.
SHOWN = 100


@dataclasses.dataclass
class Usual:
    """How a command ends in usual surroundings: the measure of every other end."""

    end: object
    # The files that are new or changed, by path.
    files: dict
    seconds: float


def text_of(content):
    return content.decode("utf-8", "backslashreplace")


def shown(path):
    """A path without characters that could steer a terminal or end a line."""
    return "".join(one if one.isprintable() else repr(one)[1:-1] for one in text_of(path))


def lines_of_json(content):
    """The values of lines of JSON. Raises ValueError if one is cut or there is none."""
    if not content:
        raise ValueError("it is empty")
    if not content.endswith(b"\n"):
        raise ValueError("its last line is cut")
    return [json.loads(line) for line in content.decode().splitlines()]


def defect(path, content):
    """What is missing in a file, by the ending of its name; None for a whole one."""
    name = path.rpartition(b"/")[2].decode("utf-8", "replace")
    try:
        if name.endswith(".jsonl"):
            lines_of_json(content)
        elif name.endswith(".json"):
            json.loads(content.decode())
        elif name.endswith((".xml", ".svg")):
            xml.etree.ElementTree.fromstring(content)
        elif name.endswith(".html"):
            return None if content.endswith(b"</html>\n") else "it has no end"
        elif name.endswith(".tap"):
            points = re.findall(rb"^(?:not )?ok \d", content, re.M)
            plan = re.search(rb"^1\.\.(\d+)", content, re.M)
            if not plan or int(plan[1]) != len(points) and b"Bail out!" not in content:
                return "it has not as many points as planned"
        elif name.endswith(".pem"):
            if content.count(b"-----BEGIN ") != content.count(b"-----END ") or not content.endswith(b"-----\n"):
                return "it has no end"
        return None if content else "it is empty"
    except (ValueError, xml.etree.ElementTree.ParseError) as error:
        return str(error)


def without_times(value):
    """A JSON value without the times of this machine."""
    if isinstance(value, dict):
        return {name: without_times(one) for name, one in value.items() if name != "seconds"}
    return [without_times(one) for one in value] if isinstance(value, list) else value


def comparable(name, content):
    """The content of a file or of standard output without what differs each time, for comparisons."""
    try:
        if name.endswith(".trace.jsonl"):
            return content
        if name.endswith(".jsonl"):
            return sorted(json.dumps(without_times(line), sort_keys=True) for line in lines_of_json(content))
        if name.endswith(".json") or content.startswith(b"{\n"):
            return without_times(json.loads(content.decode()))
    except ValueError:
        return content
    if name.endswith((".xml", ".html", ".tap")):
        return re.sub(rb"[\d.]+(?: m?s\b)?", b"0", content)
    return re.sub(rb'"seconds":[\d.e-]+', b"", content)


def difference(found, expected):
    """The place of the first difference of two outputs."""
    found, expected = text_of(found).splitlines(), text_of(expected).splitlines()
    for number, (one, other) in enumerate(zip(found, expected), 1):
        if one != other:
            return f"line {number} is {one[:SHOWN]!r}, expected {other[:SHOWN]!r}"
    return f"{len(found)} lines, expected {len(expected)}"


def codes(numbers):
    return " or ".join(map(str, sorted(numbers, key=lambda one: (one < 0, one))))


class Judge:
    """Collects what is wrong with an end."""

    def __init__(self, command, usual, surroundings=USUAL, expects=None, compares=True, renamed=None):
        """
        - expects: the exit codes, other than the usual one and, where the surroundings excuse it, 2.
        - compares: whether output and files must be those of the usual end, not just whole.
        - renamed: pairs of bytes that replace parts of the usual paths.
        """
        self.command, self.usual, self.surroundings = command, usual, surroundings
        self.compares = compares and not command.is_random
        self.codes = set(expects) if expects else {usual.end.code} | ({2} if surroundings.excuses else set())
        self.files = dict(usual.files)
        for old, new in renamed or []:
            self.files = {path.replace(old, new): state for path, state in self.files.items()}
        self.problems = []

    def add(self, text):
        self.problems.append(text)

    def judge(self, end, place, ignores=()):
        """Judges an end, and the files of a place except some."""
        if end.hung:
            self.add(f"expected an end, found that it {end}")
            return self.problems
        wanted = self.codes | {code for number in end.sent for code in (128 + number, -number)}
        if end.code not in wanted:
            said = (text_of(end.errors).strip().splitlines() or [""])[-1][:SHOWN]
            self.add(f"expected exit code {codes(self.codes | {128 + number for number in end.sent})}, found {end}"
                     + (f" ({said})" if said and end.code > 0 else ""))
        self.judge_output(end)
        changes = {path: state for path, state in place.changes().items() if path not in ignores}
        self.judge_files(end, changes, place.before)
        self.judge_report(end, changes)
        for name in place.left():
            self.add(f"the temporary file {name} is left")
        for name in end.left:
            self.add(f"the process {name} is left")
        return self.problems

    def judge_output(self, end):
        usual = self.usual.end
        if self.surroundings.descriptors.get(1):
            if end.code == 0 and usual.output:
                self.add("exit code 0, although standard output cannot be written")
            return
        for word in ("FAILED", "failed"):
            lines = [line for line in text_of(end.output).splitlines() if line.startswith(word + " ")]
            if lines and f"{word} " not in text_of(usual.output):
                self.add(f"prints {lines[0][:SHOWN]!r}")
        if end.code != usual.code:
            return
        if not self.compares:
            # With exit code 2, the surroundings may have kept it from printing, or it said why on standard error.
            is_told = end.errors.endswith(b"\n") and not end.output and not usual.errors
            if usual.output and not (
                    end.output.endswith(b"\n") or end.code == 2 and (self.surroundings.excuses or is_told)):
                self.add("standard output has no end")
        elif comparable("", end.output) != comparable("", usual.output):
            self.add(f"standard output differs: {difference(end.output, usual.output)}")

    def judge_files(self, end, changes, before):
        has_usual_end = end.code == self.usual.end.code
        for path, (what, content) in sorted(changes.items()):
            name = shown(path)
            if what is None:
                self.add(f"{name} is gone")
                continue
            if path not in self.files and not self.is_page(path):
                self.add(f"{name}, an input, is changed" if path in before else f"{name} is left")
                continue
            if not stat.S_ISREG(what[0]):
                self.add(f"{name} is not a file")
                continue
            usual = self.files.get(path, (None, None))[1]
            # The events of a run are written one by one, so they may end early, with a whole line.
            if content == b"" and path.endswith(b"/events.jsonl") and not has_usual_end:
                continue
            if (flaw := defect(path, content)) is not None:
                self.add(f"{name} is not whole: {flaw}")
            elif (name.endswith((".yaml", ".svg")) or has_usual_end) and self.compares and usual is not None:
                if comparable(name, content) != comparable(name, usual):
                    self.add(f"{name} differs from the usual one: {difference(content, usual)}")
        # With exit code 2, the surroundings may have kept it from writing.
        if has_usual_end and not (self.surroundings.excuses and end.code == 2):
            for path in sorted(self.files.keys() - changes.keys()):
                self.add(f"{shown(path)} is missing, although it ends with {end}")

    def is_page(self, path):
        """True for the page of a case that is undecided here."""
        trace = re.sub(rb"\.html$", b".trace.jsonl", path)
        return path.endswith(b".html") and trace in self.files

    def judge_report(self, end, changes):
        """Judges each case of the JSON report: its verdict is the usual one or undecided, and one that passed has the
        usual journal."""
        path = b"out/report.json"
        if path not in changes or path not in self.usual.files or defect(path, changes[path][1] or b""):
            return
        try:
            report = json.loads(changes[path][1])
            usual = json.loads(self.usual.files[path][1])
            known = {case["number"]: case for case in usual["cases"]}
            found = [case["number"] for case in report["cases"]]
            for case in report["cases"]:
                verdict, wanted = case["verdict"], known[case["number"]]["verdict"]
                if verdict not in (wanted, "undecided"):
                    self.add(f"the report says {verdict} of '{case['name']}', expected {wanted} or undecided")
                trace = case.get("trace", "").encode()
                if verdict == "passed" and trace in self.files and self.compares:
                    kept = self.usual.files.get(trace, (None, None))[1]
                    if trace not in changes:
                        self.add(f"'{case['name']}' passed without its trace {text_of(trace)}")
                    elif kept is not None and changes[trace][1] != kept:
                        self.add(f"'{case['name']}' passed with another journal than usual")
            has_all = found == [case["number"] for case in usual["cases"]]
            if not has_all and (end.code in (0, 1) or "stopped" not in report["run"] and report["verdict"] == "passed"):
                self.add(f"the report has {len(found)} of {len(known)} cases, and does not say that it is not whole")
        except (KeyError, TypeError) as error:
            self.add(f"out/report.json is not a report: {error!r}")
