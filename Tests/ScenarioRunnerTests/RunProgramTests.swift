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

  @Test(
    "output that cannot be written is an error",
    arguments: [["run", "scenarios/headline"], ["run", "scenarios/headline", "--list"], ["faults"], ["--help"]])
  func fullDisk(arguments: [String]) async throws {
    let run = try await Programs.run(Programs.presentment, arguments, to: URL(fileURLWithPath: "/dev/full"))
    #expect(
      run.code == 2 && run.errors.contains("standard output cannot be written: No space left on device"), "\(run)")
  }

  @Test("the version is printed, also after a subcommand, and it is a setting of every report")
  func version() async throws {
    for arguments in [["--version"], ["run", "--version"]] {
      let run = try await Programs.run(Programs.presentment, arguments)
      #expect(run.code == 0 && run.output == "presentment \(ProgramVersion.text)\n", "\(run)")
    }
    #expect(RunSettings().reported == ["version": ProgramVersion.text])
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

  @Test("limits end a case, undecided", arguments: [["--step-limit", "50"], ["--time-limit", "0.000001"]])
  func limits(option: [String]) async throws {
    let run = try await Programs.run(
      Programs.presentment, ["run", "scenarios/headline", "--sandbox", "in-process"] + option)
    #expect(run.code == 2 && run.output.contains("UNDECIDED") && run.output.contains("the case takes"), "\(run)")
  }
}
