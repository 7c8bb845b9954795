import Testing

@testable import Reports

@Suite("Formats of reports")
struct FormatTests {
  private func text(_ format: ReportFormat, _ report: RunReport = Samples.everyVerdict) -> String {
    String(decoding: report.text(format, for: "out/report"), as: UTF8.self)
  }

  @Test("Times that no clock can add up are the longest one")
  func longTimes() throws {
    var entries = [Samples.entry(1), Samples.entry(2)]
    for place in entries.indices { entries[place].time = ReportedTime(nanoseconds: .max) }
    let text = String(decoding: Samples.report(entries).text(.junit, for: "out/report"), as: UTF8.self)
    #expect(text.contains(#"tests="2" failures="0" errors="0" time="9223372036.854"#))
    let durations = Samples.report(entries).durations
    let parts = try (1...2).map {
      try Shard(index: $0, count: 2).places(of: entries.map(\.identity), durations: durations)
    }
    #expect(parts == [[0], [1]])
  }

  @Test("JUnit has a suite for each file, and failure, error and skipped for the verdicts")
  func junit() {
    #expect(
      text(.junit) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="presentment" tests="6" failures="1" errors="2" time="1.25">
          <testsuite name="a/one.yaml" tests="3" failures="1" errors="0" skipped="1" time="0.75" file="a/one.yaml">
            <testcase name="case 1" classname="a/one.yaml" time="0.25"/>
            <testcase name="case 2" classname="a/one.yaml" time="0.25">
              <failure type="device.signature/transcript" message="message of 2">a/one.yaml:22:5  message of 2
           21 | - website: x
              |   ^ here
           again: run</failure>
            </testcase>
            <testcase name="case 4" classname="a/one.yaml" time="0.25">
              <skipped type="skipped" message="reason of 4"/>
            </testcase>
          </testsuite>
          <testsuite name="a/bad.yaml" tests="1" failures="0" errors="1" skipped="0" time="0" file="a/bad.yaml">
            <testcase name="the file can be read" classname="a/bad.yaml" time="0">
              <error type="source.unknown-key" message="unknown key &#39;vists&#39;">a/bad.yaml:3:7  unknown key &#39;vists&#39;
            3 | vists: x

        and 2 more</error>
            </testcase>
          </testsuite>
          <testsuite name="b/two.yaml" tests="2" failures="0" errors="1" skipped="1" time="0.5" file="b/two.yaml">
            <testcase name="case 5" classname="b/two.yaml" time="0.25">
              <error type="undecided" message="message of 5">   no world
           again: run</error>
            </testcase>
            <testcase name="case 6" classname="b/two.yaml" time="0.25">
              <skipped type="failed-as-expected" message="failed as expected: reason of 6">b/two.yaml:26:5  message of 6
           21 | - website: x
              |   ^ here
           again: run</skipped>
            </testcase>
          </testsuite>
        </testsuites>

        """)
  }

  @Test("TAP has directives for skipped and expected failures, and diagnostics for failures")
  func tap() {
    #expect(
      text(.tap) == """
        TAP version 14
        1..6
        ok 1 - a/one.yaml: case 1
        not ok 2 - a/one.yaml: case 2
          ---
          message: "message of 2"
          severity: fail
          code: "device.signature/transcript"
          at:
            file: "a/one.yaml"
            line: 22
            column: 5
          detail: |
            a/one.yaml:22:5  message of 2
               21 | - website: x
                  |   ^ here
               again: run
          ...
        not ok 3 - a/bad.yaml: the file can be read
          ---
          message: "unknown key 'vists'"
          severity: unreadable
          code: "source.unknown-key"
          at:
            file: "a/bad.yaml"
            line: 3
            column: 7
          detail: "a/bad.yaml:3:7  unknown key 'vists'\\n    3 | vists: x\\n\\nand 2 more"
          ...
        ok 4 - a/one.yaml: case 4 # SKIP reason of 4
        not ok 5 - b/two.yaml: case 5
          ---
          message: "message of 5"
          severity: undecided
          at:
            file: "b/two.yaml"
            line: 25
            column: 5
          detail: |
            no world
            again: run
          ...
        not ok 6 - b/two.yaml: case 6 # TODO reason of 6
          ---
          message: "message of 6"
          severity: todo
          code: "device.signature/transcript"
          at:
            file: "b/two.yaml"
            line: 26
            column: 5
          detail: |
            b/two.yaml:26:5  message of 6
               21 | - website: x
                  |   ^ here
               again: run
          ...

        """)
  }

  @Test("TAP has no directive in a title, and quotes a text that would end the diagnostics")
  func tapEscapes() {
    let entry = Samples.entry(1, .failed, name: #"a \ b # TODO c"#, detail: "first\n   ... second")
    let lines = text(.tap, Samples.report([entry], stopped: .failFast)).split(separator: "\n").map(String.init)
    #expect(lines[2] == #"not ok 1 - a/one.yaml: a \\ b ＃ TODO c"#)
    #expect(lines.contains(#"  detail: "first\n   ... second""#))
    #expect(lines.last == "Bail out! the run ended with the first failure")
  }

  @Test("TAP of a run without cases is a skipped plan")
  func emptyTAP() { #expect(text(.tap, Samples.report([])) == "TAP version 14\n1..0 # SKIP no case\n") }

  @Test("annotations are one line each, at the line that failed")
  func github() {
    #expect(
      text(.github) == """
        ::error file=a/one.yaml,line=22,col=5,title=failed%3A case 2::a/one.yaml:22:5  message of 2%0A   21 | - website: x%0A      |   ^ here%0A   again: run
        ::error file=a/bad.yaml,line=3,col=7,title=unreadable%3A a/bad.yaml::a/bad.yaml:3:7  unknown key 'vists'%0A    3 | vists: x
        ::error file=b/two.yaml,line=25,col=5,title=undecided%3A case 5::   no world%0A   again: run

        """)
  }

  @Test("annotations escape percent signs, line ends, colons and commas, and name files as the repository does")
  func githubEscapes() {
    let entry = Samples.entry(
      1, .failed, name: "50%, a:b\r\n::error::", path: "./a,b/c:d%.yaml", detail: "1%\n::warning::\r2")
    #expect(
      text(.github, Samples.report([entry], stopped: .interrupted)) == """
        ::error file=a%2Cb/c%3Ad%25.yaml,line=21,col=5,title=failed%3A 50%25%2C a%3Ab␍␊%3A%3Aerror%3A%3A::1%25%0A::warning::␍2
        ::error title=the run is incomplete::the run was interrupted

        """)
  }

  @Test("no text from outside reaches a report with control or invisible characters", arguments: ReportFormat.allCases)
  func hostileTexts(format: ReportFormat) {
    let text = text(format, Samples.hostileReport)
    let controls = text.unicodeScalars.filter { $0.properties.generalCategory == .control && $0 != "\n" }
    let isJSON = format == .json || format == .jsonl
    // JSON keeps names as they are, to compare them with those of files; what it must escape are the first 32 characters.
    #expect(controls.filter { !isJSON || $0.value < 0x20 }.isEmpty)
    if !isJSON { #expect(!text.unicodeScalars.contains { [0x202E, 0xFEFF, 0xFFFE].contains($0.value) }) }
    let lines = text.split(separator: "\n")
    switch format {
    case .github: #expect(lines.allSatisfy { $0.hasPrefix("::error ") } && lines.count == 4)
    case .tap: #expect(lines.count { $0.hasPrefix("ok") || $0.hasPrefix("not ok") } == 6)
    case .jsonl: #expect(lines.count == 3 + 2 * 5)
    case .json: #expect((try? ReportFile.report(Array(text.utf8), from: "a.json")) == Samples.hostileReport)
    case .junit, .html: #expect(!text.contains("<b a=") && !text.contains("]]>"))
    }
  }

  @Test("the failure's text is the same in JUnit, TAP, annotations and the page")
  func sameText() {
    let report = Samples.report([Samples.entry(1, .failed, detail: "one  two\n   three")])
    #expect(text(.junit, report).contains(">one  two\n   three</failure>"))
    #expect(text(.html, report).contains(">one  two\n   three</pre>"))
    #expect(text(.github, report).contains("::one  two%0A   three\n"))
    #expect(text(.tap, report).contains("detail: |\n    one  two\n       three\n"))
  }

  @Test("the page links to traces from its own folder")
  func links() {
    let page = text(.html)
    #expect(
      page.contains(#"<a href="traces/one%20case.html">trace</a> <a href="traces/one%20case.trace.jsonl">journal</a>"#))
    #expect(
      Links(page: "x/y/report.html").reference(to: "traces/a b#c?d:e.html") == "../../traces/a%20b%23c%3Fd%3Ae.html")
    #expect(Links(page: "-").reference(to: "traces/a.html") == "traces/a.html")
    #expect(Links(page: "/srv/r.html").reference(to: "/srv/t/a.html") == "t/a.html")
  }

  @Test("the page says in words what its colours say")
  func page() {
    let page = text(.html)
    #expect(page.contains("<h1>Failed</h1>"))
    #expect(page.contains("<p>1 passed, 1 failed, 1 undecided, 1 unreadable, 1 skipped, 1 failed as expected.</p>"))
    #expect(page.contains(##"<a href="#case-2">case 2</a>"##) && page.contains(#"<article id="case-2""#))
    #expect(page.contains("because: reason of 4"))
    #expect(text(.html, Samples.report([Samples.entry(1)])).contains("<h1>Passed</h1>"))
  }

  @Test("events are lines: run, unreadable files, cases, run")
  func events() {
    let lines = text(.jsonl, Samples.report([Samples.entry(2)], unreadable: [Samples.unreadable(1)])).split(
      separator: "\n")
    #expect(
      lines == [
        #"{"cases":1,"digest":"00ff","entries":2,"event":"run-started","settings":{"seed":"7"}}"#,
        #"{"event":"file-unreadable","file":{"number":1,"omitted":2,"path":"a/bad.yaml","problems":[{"code":"source.unknown-key","detail":"a/bad.yaml:3:7  unknown key 'vists'\n    3 | vists: x","message":"unknown key 'vists'","place":{"column":7,"line":3,"path":"a/bad.yaml"}}]}}"#,
        #"{"event":"case-started","name":"case 2","number":2,"path":"a/one.yaml"}"#,
        #"{"case":{"command":"presentment run a/one.yaml --seed 7","name":"case 2","number":2,"place":{"column":11,"line":2,"path":"a/one.yaml"},"seconds":0.25,"seed":7,"verdict":"passed","worldSeconds":90},"event":"case-ended"}"#,
        #"{"event":"run-ended","seconds":1.5,"totals":{"failed":0,"failed-as-expected":0,"passed":1,"skipped":0,"undecided":0},"verdict":"undecided"}"#,
      ])
  }
}
