#!/usr/bin/env python3
"""Reads the reports of one run with parsers of others and compares what they found.

    check.py FOLDER SCHEMA...   FOLDER has report.json, report.xml, report.tap, report.html, report.jsonl, report.github

JSON is read by Python, JUnit's XML by libxml2 and checked by each SCHEMA, TAP by tap.py, PyYAML and Perl's TAP::Parser,
the page by html5lib, which accepts no error. Exits 1 with one line for each difference.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import html5lib
from lxml import etree
from tap.parser import Parser

# What a reader may see of a character that no format can carry as it is.
PRINTED = re.compile(r"[^\S ]|[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff\ufffe\uffff]")
PERL = r"""
use TAP::Parser; binmode STDOUT, ':utf8';
local $/; open my $file, '<:utf8', $ARGV[0] or die; my $text = <$file>;
my $parser = TAP::Parser->new({ tap => $text });
while (my $line = $parser->next) {
  next unless $line->is_test;
  print join("\t", $line->is_actual_ok ? 'ok' : 'not ok', $line->has_todo ? 'todo' : $line->has_skip ? 'skip' : '',
    $line->number, $line->description, $line->explanation), "\n";
}
print STDERR "$_\n" for $parser->parse_errors;
"""

problems = []


def expect(name, found, wanted):
    if found != wanted:
        problems.append(f"{name}: found {found!r}, expected {wanted!r}")


def printed(text):
    """The text with every character that reports replace as one sign, whichever sign they take."""
    return PRINTED.sub("\ufffd", re.sub("[\u2400-\u2421\u2192]", "\ufffd", text))


def lines(text):
    return "\n".join(printed(line) for line in text.split("\n"))


def entries(report):
    """The cases and unreadable files, in the order of the run, as (kind, entry)."""
    rows = [("case", case) for case in report["cases"]] + [("file", file) for file in report["unreadable"]]
    return sorted(rows, key=lambda row: row[1]["number"])


def detail(kind, entry):
    if kind == "case":
        return entry.get("failure", {}).get("detail", "")
    more = [f"and {entry['omitted']} more"] if entry["omitted"] else []
    return "\n\n".join([problem["detail"] for problem in entry["problems"]] + more)


def check_json(report):
    totals = {}
    for case in report["cases"]:
        totals[case["verdict"]] = totals.get(case["verdict"], 0) + 1
    expect("totals", {word: count for word, count in report["totals"].items() if count}, totals)


def check_junit(folder, schemas, report):
    tree = etree.parse(folder / "report.xml")
    for schema in schemas:
        try:
            etree.XMLSchema(etree.parse(schema)).assertValid(tree)
        except etree.DocumentInvalid as error:
            problems.append(f"JUnit, {schema}: {error}")
    elements = {"passed": None, "failed": "failure", "undecided": "error", "skipped": "skipped"}
    elements["failed-as-expected"] = "skipped"
    found = {}
    for suite in tree.iter("testsuite"):
        for element, attribute in (("testcase", "tests"), ("failure", "failures"), ("error", "errors")):
            expect(f"JUnit, {attribute}", suite.get(attribute), str(len(list(suite.iter(element)))))
        for case in suite.iter("testcase"):
            expect("JUnit, classname", case.get("classname"), suite.get("name"))
            found.setdefault(suite.get("name"), []).append(case)
    for kind, entry in entries(report):
        path = entry["place"]["path"] if kind == "case" else entry["path"]
        case = found[printed_as(path, found)].pop(0)
        element = elements[entry["verdict"]] if kind == "case" else "error"
        expect("JUnit, element", [child.tag for child in case], [element] if element else [])
        if kind == "case":
            expect("JUnit, name", printed(case.get("name")), printed(entry["name"]))
        if element:
            expect("JUnit, detail", lines(case[0].text or ""), lines(detail(kind, entry)))
    rest = [case.get("name") for cases in found.values() for case in cases]
    expect("JUnit, further cases", rest, ["the run is complete"] if "stopped" in report["run"] else [])


def printed_as(path, found):
    return next(name for name in found if printed(name) == printed(path))


def check_tap(folder, report):
    text = (folder / "report.tap").read_text(encoding="utf-8")
    expect("TAP, version", text.split("\n")[0], "TAP version 14")
    rows = entries(report)
    results = [line for line in Parser().parse_text(text) if line.category == "test"]
    expect("TAP, points", len(results), len(rows))
    for (kind, entry), result in zip(rows, results):
        verdict = entry["verdict"] if kind == "case" else "unreadable"
        expect("TAP, ok", result.ok, verdict in ("passed", "skipped"))
        if verdict in ("passed", "skipped"):
            continue
        block = result.yaml_block
        failure = entry["failure"] if kind == "case" else entry["problems"][0]
        expect("TAP, message", printed(block["message"]), printed(failure["message"]))
        expect("TAP, line", block["at"]["line"], failure["place"]["line"])
        wanted = lines(detail(kind, entry))
        margin = min(len(line) - len(line.lstrip(" ")) for line in wanted.split("\n") if line)
        wanted = "\n".join(line[margin:] for line in wanted.split("\n"))
        expect("TAP, detail", lines(block["detail"]).rstrip("\n"), wanted.rstrip("\n"))
    # Perl of Debian 12 reads version 13, of which version 14 is an extension.
    with tempfile.NamedTemporaryFile("w", suffix=".tap", encoding="utf-8") as file:
        file.write(text.replace("TAP version 14", "TAP version 13", 1).split("Bail out!")[0])
        file.flush()
        perl = subprocess.run(["perl", "-e", PERL, file.name], capture_output=True, encoding="utf-8")
    expect("TAP, errors of Perl", perl.stderr, "")
    points = [line.split("\t") for line in perl.stdout.splitlines()]
    expect("TAP, points of Perl", len(points), len(rows))
    for (kind, entry), (word, directive, number, description, reason) in zip(rows, points):
        verdict = entry["verdict"] if kind == "case" else "unreadable"
        expect("TAP, directive", directive, {"skipped": "skip", "failed-as-expected": "todo"}.get(verdict, ""))
        path = entry["place"]["path"] if kind == "case" else entry["path"]
        name = entry["name"] if kind == "case" else "the file can be read"
        # Perl keeps the escapes.
        unescaped = re.sub(r"\\([\\#])", r"\1", description.removeprefix("- "))
        title = f"{path}: {name}".replace("#", "\N{FULLWIDTH NUMBER SIGN}")
        expect("TAP, description", printed(unescaped).strip(), printed(title).strip())
        if directive:
            unescaped = re.sub(r"\\([\\#])", r"\1", reason)
            expect("TAP, reason", printed(unescaped).strip(), printed(entry["reason"]).strip())


def check_page(folder, report):
    page = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(
        (folder / "report.html").read_text(encoding="utf-8")
    )
    cases = page.findall(".//section[@aria-labelledby='cases']//tbody/tr")
    expect("page, cases", len(cases), len(entries(report)))
    findings = {tuple(one.values()) for case in report["cases"] for one in case.get("findings", [])}
    expect("page, findings", len(page.findall(".//section[@aria-labelledby='findings']//tbody/tr")), len(findings))
    bad = [(k, e) for k, e in entries(report) if k == "file" or e["verdict"] in ("failed", "undecided")]
    texts = ["".join(element.itertext()) for element in page.iter("pre")]
    expect("page, failures", [lines(text) for text in texts], [lines(detail(kind, entry)) for kind, entry in bad])
    identifiers = {element.get("id") for element in page.iter() if element.get("id")}
    for link in page.iter("a"):
        if link.get("href").startswith("#"):
            expect("page, link", link.get("href")[1:] in identifiers, True)
    expect("page, scripts", len(list(page.iter("script"))), 0)


def check_events(folder, report):
    events = [json.loads(line) for line in (folder / "report.jsonl").read_text(encoding="utf-8").splitlines()]
    expect("events, cases", [e["case"] for e in events if e["event"] == "case-ended"], report["cases"])
    expect("events, first and last", [events[0]["event"], events[-1]["event"]], ["run-started", "run-ended"])


def check_annotations(folder, report):
    """Reads workflow commands as the runner of GitHub Actions does: properties first, then unescaping."""
    text = (folder / "report.github").read_text(encoding="utf-8")
    wanted = []
    for kind, entry in entries(report):
        if kind == "file":
            wanted += [(p["place"], p["detail"]) for p in entry["problems"]]
        elif entry["verdict"] in ("failed", "undecided"):
            wanted.append((entry["failure"]["place"], entry["failure"]["detail"]))
    found = []
    for line in text.splitlines():
        command, _, message = line.removeprefix("::").partition("::")
        word, _, values = command.partition(" ")
        expect("annotations, command", word, "error")
        properties = dict(value.split("=", 1) for value in values.split(","))
        if "file" in properties:
            found.append((properties, unescaped(message)))
    expect("annotations", len(found), len(wanted))
    for (properties, message), (place, text) in zip(found, wanted):
        expect("annotations, file", printed(unescaped(properties["file"])), printed(place["path"].removeprefix("./")))
        expect("annotations, line", properties["line"], str(place["line"]))
        expect("annotations, column", properties["col"], str(place["column"]))
        expect("annotations, detail", lines(message), lines(text))


def unescaped(text):
    for code, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, character)
    return text


def main():
    folder = pathlib.Path(sys.argv[1])
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    check_json(report)
    check_junit(folder, sys.argv[2:], report)
    check_tap(folder, report)
    check_page(folder, report)
    check_events(folder, report)
    check_annotations(folder, report)
    for problem in problems:
        print(problem)
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
