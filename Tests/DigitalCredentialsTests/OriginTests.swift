import DigitalCredentials
import Testing

@Suite("Origins")
struct OriginTests {
  static let read: [(text: String, serialized: String)] = [
    ("https://example.com", "https://example.com"),
    ("https://example.com/", "https://example.com"),
    ("HTTPS://EXAMPLE.com:443", "https://example.com"),
    ("http://example.com:80/", "http://example.com"),
    ("http://example.com:443", "http://example.com:443"),
    ("https://example.com:8443", "https://example.com:8443"),
    ("http://localhost:5173", "http://localhost:5173"),
    ("http://127.0.0.1:3010", "http://127.0.0.1:3010"),
    ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example"),
    ("https://example.com.", "https://example.com."),
    ("https://a_b.example", "https://a_b.example"),
    ("https://1a.example:0", "https://1a.example:0"),
    ("http://[::1]:8080", "http://[::1]:8080"),
    ("http://[0:0:0:0:0:0:0:0001]", "http://[::1]"),
    ("http://[2001:DB8::0:1:0:0]", "http://[2001:db8::1:0:0]"),
    ("http://[2001:0:0:1::]", "http://[2001:0:0:1::]"),
    ("http://[::]", "http://[::]"),
    ("http://[1:0:2:3:4:5:6:7]", "http://[1:0:2:3:4:5:6:7]"),
  ]

  @Test("Reads and serializes", arguments: read)
  func reading(text: String, serialized: String) throws {
    let origin = try Origin(serialized: text)
    #expect(origin.serialized == serialized)
    #expect("\(origin)" == serialized)
    #expect(try Origin(serialized: serialized) == origin)
    #expect(!origin.isOpaque)
  }

  static let refused: [(text: String, code: OriginError.Code)] = [
    ("", .scheme), ("null", .scheme), ("example.com", .scheme), ("example.com:443", .scheme),
    ("https:example.com", .scheme), ("https:/example.com", .scheme), ("ftp://example.com", .scheme),
    ("ws://example.com", .scheme), ("blob:https://example.com/1", .scheme), ("://example.com", .scheme),
    ("https://", .host), ("https:///", .host), ("https://.", .host), ("https://a..b", .host),
    ("https://.example.com", .host), ("https://exa%6dple.com", .host), ("https://a,b", .host),
    ("https://999.1.1.1", .host), ("https://1.2.3", .host), ("https://1.2.3.04", .host), ("https://a.1", .host),
    ("https://a.0x1", .host), ("https://[::1", .host), ("https://::1", .host), ("https://[1::2::3]", .host),
    ("https://[:1:2:3:4:5:6:7]", .host), ("https://[1:2:3:4:5:6:7:]", .host), ("https://[:::]", .host),
    ("https://[1:2:3:4:5:6:7:8:9]", .host), ("https://[12345::]", .host), ("https://[::1.2.3.4]", .host),
    ("https://[::+1]", .host), ("https://[]", .host), ("https://[1:2:3:4:5:6:7::8]", .host),
    ("https://[::1]x", .host), ("https://" + String(repeating: "a", count: 64), .host),
    ("https://" + String(repeating: "abc.", count: 64) + "de", .host),
    ("https://user@example.com", .userInfo), ("https://user:secret@example.com", .userInfo),
    ("https://@example.com", .userInfo),
    ("https://example.com:", .port), ("https://example.com:65536", .port), ("https://example.com:-1", .port),
    ("https://example.com:+1", .port), ("https://example.com:0443", .port), ("https://example.com:8o", .port),
    ("https://example.com:1:2", .port),
    ("https://example.com/path", .path), ("https://example.com//", .path), ("https://example.com?q", .path),
    ("https://example.com#f", .path), ("https://example.com\\", .path),
    ("https://bücher.example", .character), (" https://example.com", .character),
    ("https://example.com\n", .character), ("https://exa mple.com", .character), ("https://example.com\0", .character),
  ]

  @Test("Refuses texts that are not origins", arguments: refused)
  func refusing(text: String, code: OriginError.Code) {
    #expect {
      try Origin(serialized: text)
    } throws: { error in
      let error = error as? OriginError
      return error?.code == code && error?.text == text
    }
  }

  @Test("Ignores path, query and fragment of a URL")
  func urls() throws {
    #expect(try Origin(url: "https://Example.com/a/b?c=d#e@f").serialized == "https://example.com")
    #expect(try Origin(url: "http://localhost:8080?x").serialized == "http://localhost:8080")
    #expect(throws: OriginError.self) { try Origin(url: "https://user@example.com/a") }
    #expect(throws: OriginError.self) { try Origin(url: "data:text/html,x") }
  }

  @Test("Has scheme, host and port")
  func parts() throws {
    let origin = try Origin(serialized: "https://example.com:444")
    #expect(origin.scheme == "https")
    #expect(origin.host == "example.com")
    #expect(origin.port == 444)
    #expect(try Origin(serialized: "https://example.com").port == nil)
    #expect(try Origin(serialized: "https://example.com") != Origin(serialized: "http://example.com"))
  }

  @Test("An opaque origin equals only itself")
  func opaque() {
    #expect(Origin.opaque(1) == .opaque(1))
    #expect(Origin.opaque(1) != .opaque(2))
    #expect(Origin.opaque().serialized == "null")
    #expect(Origin.opaque().isOpaque)
    #expect(Origin.opaque().scheme == nil)
    #expect(!Origin.opaque().isPotentiallyTrustworthy)
  }

  @Test(
    "Finds potentially trustworthy origins",
    arguments: [
      ("https://example.com", true), ("http://localhost", true), ("http://localhost:3000", true),
      ("http://app.localhost", true), ("http://localhost.", true), ("http://127.0.0.1", true),
      ("http://127.9.9.9:80", true), ("http://[::1]", true), ("http://example.com", false),
      ("http://localhost.example.com", false), ("http://notlocalhost", false), ("http://128.0.0.1", false),
      ("http://[::2]", false), ("http://127.0.0.1.example", false),
    ])
  func trustworthy(text: String, expected: Bool) throws {
    #expect(try Origin(serialized: text).isPotentiallyTrustworthy == expected)
  }

  @Test("Derives the secure context from the origins")
  func secureContext() throws {
    let plain = try Origin(serialized: "http://example.com")
    #expect(CallingContext(origin: Fixtures.page).isSecureContext)
    #expect(!CallingContext(origin: plain).isSecureContext)
    #expect(!CallingContext(origin: Fixtures.frame, topLevelOrigin: plain).isSecureContext)
    #expect(!CallingContext(origin: plain, topLevelOrigin: Fixtures.page).isSecureContext)
    #expect(CallingContext(origin: .opaque(), topLevelOrigin: Fixtures.page).isSecureContext)
    #expect(CallingContext(origin: .opaque(), isSecureContext: true).isSecureContext)
  }
}
