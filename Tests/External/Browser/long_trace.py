"""Traces for the tests and measures of the trace page: of a run that fails, and of one with 10,000 messages."""

import base64
import json
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]
MESSAGES = 10_000


def make_failing_page(presentment, folder):
    """The page of a run that fails: another device presents a document that should verify."""
    shutil.copytree(ROOT / "scenarios" / "worlds", folder / "worlds")
    text = (ROOT / "scenarios/attacks/cloned-document.yaml").read_text(encoding="utf-8")
    start, last = text.rsplit("  - website:", 1)
    assert "refused: device.signature/invalid" in last, last
    text = f"{start}  - website: {{ verified: {{ given_name: Kelly }} }}\n"
    (folder / "fails.yaml").write_text(text, encoding="utf-8")
    run = subprocess.run(
        [presentment, "run", "fails.yaml", "--trace", "traces"], cwd=folder, capture_output=True, text=True)
    assert run.returncode == 1, run
    return folder / "traces" / "fails.html"


def make_page(presentment, folder):
    """The page of a trace with 10,000 messages: the lines of the failing run again and again, later each time."""
    trace = trace_of(make_failing_page(presentment, folder))
    lines = [json.loads(line) for line in trace.read_text(encoding="utf-8").splitlines()]
    count = sum("message" in line for line in lines)
    page = folder / "thousands.html"
    with trace_of(page).open("w", encoding="utf-8") as file:
        for turn in range(-(-MESSAGES // count)):
            for line in lines:
                line = {**line, "line": line["line"] + turn * len(lines), "time": line["time"] + turn * 10**10}
                if "message" in line:
                    line["message"] = repeated(line["message"], turn, count)
                file.write(json.dumps(line, separators=(",", ":"), sort_keys=True, ensure_ascii=False) + "\n")
    subprocess.run([presentment, "trace", str(trace_of(page)), "--html", str(page)], check=True)
    return page


def trace_of(page):
    """The trace of a page of `make_page`."""
    return page.with_suffix(".trace.jsonl")


def repeated(message, turn, count):
    """A message of a later turn. Contents differ, as in one long run."""
    message = {**message, "number": message["number"] + turn * count}
    if "answers" in message:
        message["answers"] += turn * count
    content = base64.b64decode(message["bytes"])
    if message["type"].endswith("json"):
        message["bytes"] = base64.b64encode(content + b" " * (turn + 1)).decode()
    return message
