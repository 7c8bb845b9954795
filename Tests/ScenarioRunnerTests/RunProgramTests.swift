import Foundation
import Reports
import ScenarioRunner
import TestSupport
import Testing

@testable import BatchRuns

@Suite("The command run as a program")
struct RunProgramTests {
  @Test(
    "a signal ends a run in order: the report so far, no temporary folder, and the signal's exit code",
    arguments: ["TERM", "HUP"])
  func endsBySignal(signal: String) async throws {
    // Cases with temporary folders come first; the whole takes seconds.
    let script = """
      folder=$(mktemp -d)
      mkdir "$folder/tmp"
      TMPDIR="$folder/tmp" "$0" run scenarios/provider scenarios --jobs 2 > "$folder/output" &
      program=$!
      while [ ! -s "$folder/output" ]; do sleep 0.01; done
      kill -\(signal) $program
      wait $program
      echo "exit code $?"
      echo "$(ls -A "$folder/tmp" | wc -l) left"
      grep -A 8 '^FAILED' "$folder/output"
      tail -n 2 "$folder/output"
      rm -r "$folder"
      """
    // Under nohup the tests ignore SIGHUP, and the command would inherit that.
    let run = try await Programs.run(
      "/usr/bin/env", ["--default-signal=HUP", "/bin/sh", "-c", script, Programs.presentment])
    let lines = run.output.split(separator: "\n")
    #expect(lines.first == "exit code \(signal == "TERM" ? 143 : 129)", "\(run)")
    #expect(lines.dropFirst().first?.trimmingCharacters(in: .whitespaces) == "0 left", "\(run)")
    #expect(lines.contains { $0.firstMatch(of: /^INTERRUPTED after \d+ of \d+, in \S+\.yaml\s/) != nil }, "\(run)")
    #expect(lines.last?.firstMatch(of: /^\d+ passed, 0 failed/) != nil, "\(run)")
  }

  @Test("a database that this machine fails leaves a case undecided, and is no outcome of its world")
  func failedDatabase() async throws {
    // In blocks of 512 bytes: less than a database of the case takes.
    let script = #"ulimit -f 294; exec "$0" run scenarios/session/server-restarted --jobs 1"#
    let run = try await Programs.run("/bin/sh", ["-c", script, Programs.presentment])
    #expect(run.code == 2 && run.output.hasSuffix("\n1 passed, 0 failed, 1 undecided\n"), "\(run)")
    #expect(run.output.contains("   a database cannot be used on this machine: "), "\(run)")
  }

  @Test("a sweep prints its report although its trace cannot be written")
  func unwritableTrace() async throws {
    let run = try await Programs.run(
      Programs.presentment,
      ["sweep", "scenarios/headline", "--only", "44", "--change", "dropped", "--trace", "/dev/null/trace"])
    #expect(run.code == 2 && run.output.contains("\n1 message, 1 alteration: "), "\(run)")
    #expect(run.errors == "the trace cannot be written: /dev/null/trace: not a directory\n", "\(run)")
  }

  @Test("several scenarios are swept, each with a table and a map, and the exit code is the worst")
  func severalSwept() async throws {
    // Few bytes of each message: what is shown are the scenarios.
    let sweep = #""$0" sweep cases missing --stride 4000 --html maps"#
    let run = try await Self.shell(
      """
      mkdir -p cases/other; cp -r "${headline%/*}/worlds" cases; cp "$headline.yaml" cases/other/rent.yaml
      sed 's/because:/becuse:/' "$headline.yaml" > cases/wrong.yaml
      sed 's/^scenario: .*/scenario: Visit/' "$headline.yaml" > cases/visit.yaml
      \(sweep); echo "exit code $?"; ls maps
      "$0" sweep cases/visit.yaml cases/other/rent.yaml --only 1; echo "exit code $?"
      """)
    let lines = run.output.split(separator: "\n").map(String.init)
    let sums = try #require(lines.firstIndex { $0.hasPrefix("3 scenarios, 1 not swept: ") }, "\(run)")
    let each = lines[..<sums].suffix(3).map { $0.prefix { $0 != ":" } }
    #expect(each == ["cases/other/rent.yaml", "cases/visit.yaml", "cases/wrong.yaml"], "\(run)")
    #expect(lines[sums - 1] == "cases/wrong.yaml: not swept")
    #expect(lines.contains("cases/visit.yaml:") && lines.contains("cases/other/rent.yaml:"))
    let rest = ["exit code 2", "cases_other_rent.html", "cases_visit.html", "exit code 2"]
    #expect(Array(lines[(sums + 1)...]) == rest, "\(run)")
    #expect(run.errors.contains("unknown key 'becuse'") && run.errors.contains("missing  no such file"), "\(run)")
    let refusal = "--only takes one scenario, because each numbers its own messages; found 2 scenario files\n"
    #expect(run.errors.hasSuffix(refusal), "\(run)")
  }

  @Test(
    "output that cannot be written is an error",
    arguments: [
      ["run", "scenarios/headline"], ["run", "scenarios/headline", "--list"], ["faults"], ["--help"], ["schema"],
      ["bench", "program", "--milliseconds", "1", "--json"],
    ])
  func fullDisk(arguments: [String]) async throws {
    let run = try await Programs.run(Programs.presentment, arguments, to: URL(fileURLWithPath: "/dev/full"))
    #expect(
      run.code == 2 && run.errors.contains("standard output cannot be written: No space left on device"), "\(run)")
  }

  /// Runs a script for the shell in a new folder, with the program as `$0`.
  private static func shell(_ script: String) async throws -> Programs.Run {
    let whole =
      "headline=$PWD/scenarios/headline; folder=$(mktemp -d); cd \"$folder\" || exit; "
      + "\(script); rm -r \"$folder\""
    return try await Programs.run("/bin/sh", ["-c", whole, Programs.presentment])
  }

  @Test("a standard error that takes nothing changes no exit code", arguments: ["2> /dev/full", "2>&-", "<&- 2>&-"])
  func unwritableErrors(redirection: String) async throws {
    let run = try await Self.shell(
      "for words in 'run missing' 'verify missing' 'merge missing'; do "
        + "\"$0\" $words > /dev/null \(redirection); echo \"exit code $?\"; done")
    #expect(run.output == String(repeating: "exit code 2\n", count: 3), "\(run)")
  }

  @Test("a closed standard output is an error, and nothing is written into another file")
  func closedOutput() async throws {
    let run = try await Self.shell(
      "\"$0\" run \"$headline\" --report jsonl=events.jsonl <&- >&- 2>&-; code=$?; grep -vc '^{' events.jsonl; "
        + "grep -c '^{.*}$' events.jsonl; \"$0\" schema >&-; echo $code $?")
    #expect(run.output == "0\n4\n2 2\n" && run.errors.contains("standard output cannot be written"), "\(run)")
  }

  @Test("a pipe that no one reads, and a file that is too large, are errors, and end nothing by a signal")
  func signalsOfWriting() async throws {
    let pipe = try await Self.shell(
      "mkfifo pipe; exec 3<>pipe 4>pipe 3<&-; \"$0\" run \"$headline\" --report json=report.json >&4; "
        + "echo \"exit code $?\"; tail -c 2 report.json")
    #expect(pipe.output == "exit code 2\n}\n" && pipe.errors.contains("Broken pipe"), "\(pipe)")
    let file = try await Self.shell(
      "(ulimit -f 0; \"$0\" run \"$headline\" --report json=report.json --report jsonl=events.jsonl; "
        + "echo \"exit code $?\") 2>&1 | cat; find . -type f -size +0")
    #expect(file.output.hasSuffix("exit code 2\n") && file.output.contains("file too large"), "\(file)")
  }

  @Test("a report in the place of a trace is refused")
  func reportOverTrace() async throws {
    let run = try await Self.shell(
      "\"$0\" run \"$headline\" --trace out -q; trace=$(ls out); page=${trace%.trace.jsonl}.html; "
        + "for name in $trace $page other.json; do "
        + "\"$0\" run \"$headline\" --trace out --report json=out/$name -q; echo \"exit code $?\"; done; "
        + "ls out | grep -v trace.jsonl; head -c 6 out/$trace")
    let codes = run.output.split(separator: "\n").filter { $0.hasPrefix("exit code") }
    #expect(codes == ["exit code 2", "exit code 2", "exit code 0"], "\(run)")
    #expect(run.output.hasSuffix("\nother.json\n{\"by\":"), "\(run)")
    #expect(run.errors.contains(".html: the run writes traces there"), "\(run)")
  }

  @Test("signals that come together are one, and the report is written")
  func signalTwice() async throws {
    let run = try await Self.shell(
      "\"$0\" run \"$headline\" --repeat 100000000 --sandbox in-process --report json=report.json "
        + "--report jsonl=events.jsonl > output & program=$!; "
        + "until grep -q case-started events.jsonl 2> /dev/null; do sleep 0.01; done; "
        + "kill -TERM $program; kill -HUP $program; wait $program; "
        + "case $? in 143 | 129) echo ended;; esac; "
        + "grep -c '\"stopped\": \"interrupted\"' report.json; grep -c INTERRUPTED output")
    #expect(run.output == "ended\n1\n1\n", "\(run)")
  }

  @Test("the version is printed, also after a subcommand, and it is a setting of every report")
  func version() async throws {
    for arguments in [["--version"], ["run", "--version"]] {
      let run = try await Programs.run(Programs.presentment, arguments)
      #expect(run.code == 0 && run.output == "presentment \(ProgramVersion.text)\n", "\(run)")
    }
    #expect(RunSettings().reported == ["version": ProgramVersion.text])
    let limited = RunSettings(repetitions: 3, control: RunControl(steps: 5, time: .seconds(2)))
    #expect(
      limited.reported
        == ["version": ProgramVersion.text, "repeat": "3", "step-limit": "5", "time-limit": "2 s"])
  }

  @Test("the chosen cases are listed, and a choice of none is an error") func lists() async throws {
    let all = try await Programs.run(Programs.presentment, ["run", "scenarios/attacks", "--list"])
    #expect(all.code == 0 && all.output.split(separator: "\n").count > 10, "\(all)")
    let none = try await Programs.run(Programs.presentment, ["run", "scenarios/attacks", "--filter", "no such text"])
    #expect(none.code == 2 && none.errors.contains("no case is chosen"), "\(none)")
    for mistake in [
      ["--filter", "(a"], ["--tag", "a and"], ["--repeat", "0"], ["--time-limit", "0"], ["--jobs", "0"],
    ] {
      let run = try await Programs.run(Programs.presentment, ["run", "scenarios/headline"] + mistake)
      #expect(run.code == 2 && run.errors.contains(mistake[0]), "\(run)")
    }
  }

  @Test("the command that repeats a case has what decided about it")
  func repeats() async throws {
    // A folder without the case's trace.
    let run = try await Programs.run(
      Programs.presentment,
      ["run", "scenarios/headline", "--step-limit", "50", "--golden", "scenarios/flows", "--programs"])
    let command =
      "again: presentment run scenarios/headline.yaml --seed 7 --golden scenarios/flows --step-limit 50 --programs"
    #expect(run.code == 2 && run.output.contains(command), "\(run)")
  }

  @Test("help about a subcommand that does not exist is an error")
  func unknownHelp() async throws {
    let run = try await Programs.run(Programs.presentment, ["help", "nosuch"])
    #expect(run.code == 2 && run.output.isEmpty && run.errors.contains("unknown subcommand 'nosuch'"), "\(run)")
    #expect(try await Programs.run(Programs.presentment, ["help", "verify"]).code == 0)
  }

  @Test("a case that a demonstration does not find is an error that says what the file has")
  func unknownCase() async throws {
    let run = try await Programs.run(Programs.presentment, ["demo", "scenarios/headline", "--case", "nosuch"])
    #expect(run.code == 2 && run.errors.contains("no case 'nosuch'; its one case has no name"), "\(run)")
  }

  @Test("limits end a case, undecided", arguments: [["--step-limit", "50"], ["--time-limit", "0.000001"]])
  func limits(option: [String]) async throws {
    let run = try await Programs.run(
      Programs.presentment, ["run", "scenarios/headline", "--sandbox", "in-process"] + option)
    #expect(run.code == 2 && run.output.contains("UNDECIDED") && run.output.contains("the case takes"), "\(run)")
  }
}
