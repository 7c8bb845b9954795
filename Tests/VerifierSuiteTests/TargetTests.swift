import Foundation
import JSON
import LocatedYAML
import OwnServers
import Testing

@testable import ScenarioLanguage
@testable import VerifierSuite

@Suite("The file of a verifier under test")
struct TargetTests {
  private static let shortest = """
    origin: http://localhost:9000
    begin: POST http://localhost:9000/request
    submit: POST http://localhost:9000/response

    """

  private func read(
    _ text: String, environment: [String: String] = [:]
  ) throws -> (target: VerifierTarget?, problems: String) {
    let problems = ProblemCollector()
    let file = try SourceFile(path: "shop.yaml", text: text)
    let target = VerifierTarget.read(file, environment: environment, problems)
    return (target, problems.rendered())
  }

  private func problem(_ text: String) throws -> String {
    let (target, problems) = try read(text)
    #expect(target == nil)
    return problems
  }

  private static func answer(_ status: Int, _ body: String) -> HTTPAnswer {
    HTTPAnswer(status: status, headers: [], body: Array(body.utf8), time: .zero)
  }

  @Test("a variable is put in where the target names it, and nowhere else")
  func variables() throws {
    let problems = ProblemCollector()
    let text = """
      target: Shop
      origin: http://localhost:9000
      begin: { call: "POST http://localhost:9000/$PLACE", headers: { X-Key: "key $SHOP_KEY" } }
      submit: { call: "POST http://localhost:9000/response", body: { key: $SHOP_KEY, session: $session } }

      """
    let file = try SourceFile(path: "shop.yaml", text: text)
    let root = try #require(SourceNode.parse(file, problems))
    let target = try #require(TargetReader(environment: nil, problems: problems).target(root), "\(problems.rendered())")
    #expect(target.variables == ["PLACE", "SHOP_KEY"])
    let environment = ["PLACE": "request", "SHOP_KEY": #"sword"fish"#, "HOME": "/root"]
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("never-made")
    let calls = OwnServerCalls(folder: folder, environment: environment, allowsRemote: false)
    var session = ServerSession(target)
    let begun = try calls.filled(session.beginCall, of: target)
    #expect(begun.address == "http://localhost:9000/request")
    #expect(begun.headers.contains { $0 == ("X-Key", #"key sword"fish"#) })
    // The server's own texts look like variables.
    let answer = #"{"session": "$HOME", "options": {"digital": {"requests": []}}}"#
    try session.begin(with: Self.answer(200, answer))
    let submitted = try calls.filled(session.submitCall(.null), of: target)
    #expect(String(decoding: submitted.body ?? [], as: UTF8.self) == #"{"key":"sword\"fish","session":"$HOME"}"#)
    let poorer = OwnServerCalls(folder: folder, environment: ["HOME": "/root"], allowsRemote: false)
    #expect(throws: HTTPFailure.self) { try poorer.filled(session.beginCall, of: target) }
  }

  @Test("the excerpt of an answer is one line that cannot control a terminal")
  func excerpts() {
    let excerpt = Self.answer(404, "<!doctype html>\r\n<p>\n\tnot\u{1b}[2J found\n").excerpt
    #expect(excerpt == #"status 404: <!doctype html> <p> not\u{1b}[2J found"#)
    #expect(Self.answer(200, "\n ").excerpt == "status 200, no body")
    #expect(Self.answer(200, String(repeating: "a", count: 201)).excerpt.hasSuffix("aa…"))
  }

  private static let data = #""deviceRequest": "AA", "encryptionInfo": "BB""#

  @Test(
    "an answer that has the data of a request begins a session, and the answer's data is handed in",
    arguments: [
      ("{\(data), \"sid\": 7}", "", #"{"sid":7,"response":"CC"}"#),
      ("{\"request\": {\(data)}, \"sid\": 7}", "", #"{"sid":7,"response":"CC"}"#),
      ("{\"all\": [{\(data)}]}", "options: /all/0\n", #"{"response":"CC"}"#),
      ("{\(data), \"sid\": 7}", "body", #"{"id":7,"answer":"CC"}"#),
    ])
  func dataOfRequests(answer: String, more: String, body: String) throws {
    var text = Self.shortest + (more == "body" ? "" : more)
    if more == "body" {
      text.replace(
        "submit: POST http://localhost:9000/response",
        with: "submit: { call: POST http://localhost:9000/response, body: { id: $sid, answer: $response } }")
    }
    var session = ServerSession(try #require(try read(text).target))
    try session.begin(with: Self.answer(200, answer))
    let data = #"{"deviceRequest":"AA","encryptionInfo":"BB"}"#
    #expect(
      String(decoding: session.options.bytes, as: UTF8.self)
        == #"{"digital":{"requests":[{"protocol":"org-iso-mdoc","data":"# + data + "}]}}")
    let credential = try JSONReader.read(Array(#"{"protocol":"org-iso-mdoc","data":{"response":"CC"}}"#.utf8))
    #expect(String(decoding: session.body(credential).bytes, as: UTF8.self) == body)
  }

  @Test("options win over the data of a request, which other members of an answer may have, too")
  func optionsFirst() throws {
    var session = ServerSession(try #require(try read(Self.shortest).target))
    let options = #"{"digital":{"requests":[{"protocol":"org-iso-mdoc"}]}}"#
    try session.begin(with: Self.answer(200, "{\"log\": {\(Self.data)}, \"options\": \(options)}"))
    #expect(String(decoding: session.options.bytes, as: UTF8.self) == options)
  }

  @Test("a name that nothing captures is a problem with its place")
  func unknownNames() throws {
    func target(_ capture: String, _ body: String, shown: String = "") -> String {
      """
      origin: http://localhost:9000
      begin: { call: POST http://localhost:9000/request\(capture) }
      submit: { call: POST http://localhost:9000/response, body: { sid: \(body) } }
      shown: { call: GET http://localhost:9000/\(shown), verified: { status: 200 } }

      """
    }
    let capture = ", capture: { session: /id }"
    let found = try problem(target(capture, "a $foo"))
    #expect(found.contains("shop.yaml:3:67"), "\(found)")
    #expect(
      found.contains("nothing captures '$foo'; known here: $session, $protocol, $data, $response, $credential"),
      "\(found)")
    #expect(try problem(target(capture, "$session", shown: "$data")).contains("known here: $session"))
    #expect(try problem(target("/$session", "1")).contains("known here: nothing"))
    #expect(try read(target(capture, "$response", shown: "$session")).target != nil)
    // Without names to capture, the answer decides.
    var session = ServerSession(try #require(try read(target("", "$foo", shown: "$session")).target))
    let options = #""options": {"digital": {"requests": []}}"#
    let error = #expect(throws: HTTPFailure.self) {
      try session.begin(with: Self.answer(200, "{\"session\": \"1\", \(options)}"))
    }
    #expect(error?.message == "shop.yaml:3:67: nothing captures '$foo'")
    #expect(error?.evidence == "known here: $session, $protocol, $data, $response, $credential")
    try session.begin(with: Self.answer(200, "{\"session\": \"1\", \"foo\": 2, \(options)}"))
  }

  @Test("three lines are a target: a status of success accepts, any other up to 499 refuses")
  func shortestFile() throws {
    let target = try #require(try read(Self.shortest).target)
    #expect(target.name == "http://localhost:9000")
    for (status, expected) in [
      (200, "accepted"), (204, "accepted"), (303, "refused"), (400, "refused"), (500, "broken"),
    ] {
      let reaction = ServerReaction(Self.answer(status, ""), target)
      #expect("\(reaction)".hasPrefix(expected), "\(status): \(reaction)")
    }
  }

  @Test("an answer that looks like neither, or like both, is unclear")
  func patterns() throws {
    let patterns =
      Self.shortest + """
        accepted: { json: /verdict, is: verified }
        refused: { json: /failure, exists: true }

        """
    let target = try #require(try read(patterns).target)
    let answers = [
      (#"{"verdict": "verified"}"#, "accepted"), (#"{"failure": {}}"#, "refused"),
      (#"{"verdict": "verified", "failure": {}}"#, "unclear"), (#"{"failure": null}"#, "unclear"), ("", "unclear"),
      (#"{"verdict": "verified""#, "unclear"),
    ]
    for (body, expected) in answers {
      let reaction = ServerReaction(Self.answer(200, body), target)
      #expect("\(reaction)".hasPrefix(expected), "\(body): \(reaction)")
    }
  }

  @Test("values of the session and of the environment are put in")
  func templates() throws {
    let text = Self.shortest.replacing(
      "submit: POST http://localhost:9000/response",
      with: """
        submit:
          call: POST http://localhost:9000/response/$session
          headers: { X-Api-Key: $SHOP_KEY, X-Session: "no $session, $unknown" }
          body: { id: $session, nested: [{ all: $credential }], text: "a $protocol b", one: 1, yes: true, none: null }
        """)
    #expect(try problem(text).contains("the environment has no variable 'SHOP_KEY'"))
    let target = try #require(try read(text, environment: ["SHOP_KEY": "secret"]).target)
    var values = SessionValues()
    values["session"] = .string("1/2 ü")
    values["protocol"] = .string("org-iso-mdoc")
    values["credential"] = .array([.null])
    #expect(values.fillingAddress(target.submit.address) == "http://localhost:9000/response/1%2F2%20%C3%BC")
    #expect(target.submit.headers.map(\.value).map(values.filling) == ["secret", "no 1/2 ü, $unknown"])
    let body = try #require(target.submit.body).filled(with: values)
    #expect(
      String(decoding: body.bytes, as: UTF8.self)
        == #"{"id":"1/2 ü","nested":[{"all":[null]}],"text":"a org-iso-mdoc b","one":1,"yes":true,"none":null}"#)
  }

  @Test(
    "a problem says where it is and what",
    arguments: [
      ("begin: POST http://localhost:9000/request", "", "the key 'begin' is missing"),
      ("origin: http://localhost:9000", "origin: localhost", "shop.yaml:1:9"),
      ("POST http://localhost:9000/request", "http://localhost:9000/request", "expected a method and an address"),
      ("POST http://localhost:9000/request", "POST ftp://localhost/request", "expected a method and an address"),
      ("POST http://localhost:9000/request", "POST http://user@localhost/", "expected a method and an address"),
      ("submit:", "sumbit:", "did you mean 'submit'?"),
      ("submit:", "accepted: { }\nsubmit:", "the pattern says nothing"),
      ("submit:", "accepted: { is: verified }\nsubmit:", "is about a value that 'json' names"),
      ("submit:", "accepted: { json: verdict, is: a }\nsubmit:", "it begins with a slash"),
      ("submit:", "accepted: { json: /a~2, is: a }\nsubmit:", "not a JSON pointer"),
      ("submit:", "accepted: { status: 99 }\nsubmit:", "not between 100 and 599"),
      ("submit:", "limits: { parallel: 0 }\nsubmit:", "not between 1 and 64"),
      ("submit:", "limits: { timeout: 2 h }\nsubmit:", "shop.yaml:3:20"),
      ("submit:", "shown: { call: GET http://localhost/ }\nsubmit:", "the key 'verified' is missing"),
    ])
  func problems(_ part: String, _ other: String, _ expected: String) throws {
    let found = try problem(Self.shortest.replacing(part, with: other))
    #expect(found.contains(expected), "\(found)")
  }

  @Test("pointers are those of RFC 6901, 5")
  func pointers() throws {
    let text =
      #"{"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8}"#
    let json = try JSONReader.read(Array(text.utf8))
    let known = [
      ("/foo/0", #""bar""#), ("/", "0"), ("/a~1b", "1"), ("/c%d", "2"), ("/e^f", "3"), ("/g|h", "4"), ("/i\\j", "5"),
      ("/k\"l", "6"), ("/ ", "7"), ("/m~0n", "8"),
    ]
    for (pointer, value) in known {
      let found = try #require(JSONPointer(pointer)).value(in: json)
      #expect(found.map { String(decoding: $0.bytes, as: UTF8.self) } == value, "\(pointer)")
      #expect(JSONPointer(pointer)?.description == pointer)
    }
    for pointer in ["/foo/2", "/foo/01", "/foo/-", "/foo/0/a", "/bar"] {
      #expect(try #require(JSONPointer(pointer)).value(in: json) == nil, "\(pointer)")
    }
    #expect(JSONPointer("")?.value(in: json) == json)
    for text in ["foo", "/~", "/~2"] { #expect(JSONPointer(text) == nil, "\(text)") }
  }

  @Test("a redirect is followed to where RFC 3986 says, and an address of this machine is known as one")
  func addresses() throws {
    let page = try #require(WebAddress("http://localhost:9000/shop/request?a=b#c"))
    #expect(page.server == "http://localhost:9000")
    let known = [
      ("/other", "http://localhost:9000/other"), ("other", "http://localhost:9000/shop/other"),
      ("//evil.example/", "http://evil.example:80/"), ("https://evil.example/", "https://evil.example:443/"),
      ("?c=d", "http://localhost:9000/shop/request?c=d"), ("#e", "http://localhost:9000/shop/request?a=b"),
      ("/b?next=https://evil.example/", "http://localhost:9000/b?next=https://evil.example/"),
    ]
    for (location, expected) in known { #expect(page.following(location)?.text == expected, "\(location)") }
    // A reader that takes a backslash for part of a user's name goes to another server.
    for location in ["ftp://localhost/", "http://localhost:9000\\@evil.example/", "/a\tb", "/a b", "/\u{e4}", "a:b"] {
      #expect(page.following(location) == nil, "\(location)")
    }
    let own = [
      "http://localhost/", "http://demo.localhost:1/", "http://127.0.0.1/", "https://127.1.2.3/", "http://[::1]:80/",
    ]
    for text in own { #expect(WebAddress(text)?.isLoopback == true, "\(text)") }
    let others = [
      "http://localhost.example/", "http://127.0.0.1.example/", "http://example.com/", "http://[::2]/", "http://127.1/",
    ]
    for text in others { #expect(WebAddress(text)?.isLoopback == false, "\(text)") }
    for text in ["localhost", "http://", "http://a:99999/", "http://a:b/", "http://u@localhost/", "file:///etc/passwd"]
    {
      #expect(WebAddress(text) == nil, "\(text)")
    }
  }

  @Test("the date of a header is read in the preferred format only")
  func dates() {
    #expect(HTTPDate.seconds("Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777)
    for text in ["", "Sun, 06 Nov 1994 08:49:37", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT"] {
      #expect(HTTPDate.seconds(text) == nil, "\(text)")
    }
  }
}
