#!/usr/bin/env python3
"""Tests of .ci/check-evidence with pages and results of their own, and of the results that .ci/run-tests keeps."""

import pathlib
import runpy
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
check = runpy.run_path(str(ROOT / ".ci" / "check-evidence"))
run_tests = runpy.run_path(str(ROOT / ".ci" / "run-tests"))

TEST = "[A](../Tests/ATests/Inner/A.swift)"
SCENARIO = "[s](../scenarios/s.yaml) “a case”"
PASSED = {"outcome": "passed", "cases": 1}
SKIPPED = {"outcome": "skipped", "cases": 0}


def problems(cell, **results):
    return check["problems"](f"| V1 | A claim | {cell} |\n", {"ATests/A.swift": results})


class EvidenceTests(unittest.TestCase):
    def test_that_ran_and_passed_counts(self):
        self.assertEqual(problems(f"{TEST} “one”", one=PASSED), [])
        self.assertEqual(problems(f"{SCENARIO}, {TEST} “one” “two”", one=PASSED, two=PASSED), [])

    def test_that_did_not_run_is_a_problem(self):
        self.assertEqual(problems(f"{TEST} “one” “two”", one=PASSED), [("V1", "A.swift “two” did not run")])
        self.assertEqual(problems(f"{SCENARIO}, {TEST} “one”"), [("V1", "A.swift “one” did not run")])

    def test_that_is_not_named_is_a_problem(self):
        self.assertEqual(problems(TEST, one=PASSED), [("V1", "A.swift “” did not run")])

    def test_that_failed_is_a_problem(self):
        failed = {"outcome": "failed", "cases": 1}
        self.assertEqual(problems(f"{SCENARIO}, {TEST} “one”", one=failed), [("V1", "A.swift “one” failed")])

    def test_without_a_case_is_a_problem(self):
        empty = {"outcome": "passed", "cases": 0}
        self.assertEqual(problems(f"{TEST} “one”", one=empty), [("V1", "A.swift “one” ran without a case")])

    def test_that_was_skipped_needs_other_evidence(self):
        sentence = "A.swift “one” was skipped, and nothing else shows the claim"
        self.assertEqual(problems(f"{TEST} “one”", one=SKIPPED), [("V1", sentence)])
        self.assertEqual(problems(f"{TEST} “one” “two”", one=SKIPPED, two=PASSED), [])
        self.assertEqual(problems(f"{SCENARIO}, {TEST} “one”", one=SKIPPED), [])

    def test_of_the_page_are_all_read(self):
        page = check["PAGE"].read_text()
        links = page.count("](../Tests/")
        tests = [test for _, _, tests in check["claims"](page) for test in tests]
        self.assertGreaterEqual(len(tests), links)
        self.assertGreater(links, 20)


class ResultTests(unittest.TestCase):
    def results(self, *events):
        run = run_tests["TestRun"](run_tests["Part"]("pure"))
        location = {"fileID": "ATests/A.swift"}
        tests = {
            "a": {"displayName": "one", "name": "f()", "isParameterized": False},
            "b": {"name": "g(x:)", "isParameterized": True},
        }
        for identifier, test in tests.items():
            run.take({"kind": "test", "payload": {
                "id": identifier, "kind": "function", "sourceLocation": location, **test}})
        for kind, test, *more in events:
            run.take({"kind": "event", "payload": {
                "kind": kind, "testID": test, "instant": {"absolute": 0}, **dict(more)}})
        return run.results().get("ATests/A.swift", {})

    def test_names_are_display_names_or_those_of_functions(self):
        self.assertEqual(
            self.results(
                ("testStarted", "a"), ("testEnded", "a"),
                ("testStarted", "b"), ("testCaseStarted", "b"), ("testCaseStarted", "b"), ("testEnded", "b")),
            {"one": PASSED, "g": {"outcome": "passed", "cases": 2}})
        self.assertEqual(
            self.results(("testStarted", "b"), ("testEnded", "b")), {"g": {"outcome": "passed", "cases": 0}})

    def test_outcomes(self):
        self.assertEqual(
            self.results(
                ("testSkipped", "a"), ("testStarted", "b"), ("testCaseStarted", "b"),
                ("issueRecorded", "b", ("issue", {"isKnown": False})), ("testEnded", "b")),
            {"one": SKIPPED, "g": {"outcome": "failed", "cases": 1}})
        self.assertEqual(
            self.results(
                ("testStarted", "a"), ("issueRecorded", "a", ("issue", {"isKnown": True})), ("testEnded", "a")),
            {"one": {"outcome": "failed as expected", "cases": 1}})
        self.assertEqual(self.results(("testStarted", "a")), {})


if __name__ == "__main__":
    unittest.main()
