import CBOR
import COSE
import Checks
import DevicePlatform
import MobileDocument
import Testing
import WebPresentment

@Suite("Limits of the request sandbox")
struct SandboxBoundTests {
  private func refusal(_ parts: RequestParts, origin: String = RequestParts.origin) throws -> SandboxRefusal? {
    let data = try parts.data()
    do throws(SandboxRefusal) {
      _ = try RequestSandbox.parse(data, origin: origin)
      return nil
    } catch {
      return error
    }
  }

  @Test("Parses a request at a limit", arguments: RequestLimit.allCases)
  func atBound(bound: RequestLimit) throws {
    let data = try RequestParts.reaching(bound.maximum, of: bound).data()
    let partial = try RequestSandbox.parse(data, origin: RequestParts.origin)
    #expect(!partial.request.requestAuthentications.isEmpty && partial.findings.isEmpty)
  }

  @Test(
    "Refuses a request one above a limit, with the code of the limit and both numbers",
    arguments: RequestLimit.allCases)
  func aboveBound(bound: RequestLimit) throws {
    let refusal = try #require(try refusal(.reaching(bound.maximum + 1, of: bound)))
    #expect(refusal.finding == SandboxFinding(.limits, .limit(bound)))
    let stopsAtBound = bound == .depth || bound == .items
    let found = "\(bound.maximum + 1)" + (stopsAtBound ? " or more" : "")
    #expect(
      refusal.evidence == [CheckResult.Evidence(bound.unit, expected: "at most \(bound.maximum)", found: found)])
    #expect(refusal.message.hasSuffix("\(found) \(bound.unit); at most \(bound.maximum) are accepted"))
  }

  @Test(
    "Refuses an invalid signature before the limits of the signed content",
    arguments: RequestLimit.allCases)
  func signatureFirst(bound: RequestLimit) throws {
    var parts = try RequestParts.reaching(bound.maximum + 1, of: bound)
    parts.isForged = true
    #expect(
      try refusal(parts)?.finding
        == (bound.isInside ? SandboxFinding(.readerSignature) : SandboxFinding(.limits, .limit(bound))))
    parts = try RequestParts.reaching(bound.maximum, of: bound)
    parts.isForged = true
    #expect(try refusal(parts)?.check == .readerSignature)
  }

  /// Contents that every parser refuses.
  private static func badContents() throws -> [(String, SandboxFinding, RequestParts)] {
    func parts(_ change: (inout RequestParts) -> Void) throws -> RequestParts {
      var parts = try RequestParts.signed()
      change(&parts)
      return parts
    }
    let deep = RequestParts.nested(RequestLimit.depth.maximum)
    let wide = CBORValue.array([CBORValue](repeating: .integer(0), count: RequestLimit.items.maximum))
    return [
      ("items that are not CBOR", SandboxFinding(.deviceRequest), try parts { $0.items = [[0xff]] }),
      ("items that are nothing", SandboxFinding(.deviceRequest), try parts { $0.items = [[]] }),
      ("items that are cut off", SandboxFinding(.deviceRequest), try parts { $0.items[0].removeLast() }),
      (
        "items too deep", SandboxFinding(.limits, .limit(.depth)),
        try parts { $0.items = [RequestParts.items(more: [("x", deep)]).encoded] }
      ),
      (
        "too many items", SandboxFinding(.limits, .limit(.items)),
        try parts { $0.items = [RequestParts.items(more: [("x", wide)]).encoded] }
      ),
      ("bad second document", SandboxFinding(.deviceRequest), try parts { $0.items.append([0xff]) }),
      ("information that is not CBOR", SandboxFinding(.deviceRequest), try parts { $0.information = [0xff] }),
      (
        "information too deep", SandboxFinding(.limits, .limit(.depth)),
        try parts { $0.information = CBORValue.textMap([("x", deep)]).encoded }
      ),
      (
        "encryption information that is not base64url", SandboxFinding(.encryptionInfo),
        try parts { $0.encryptionInfo = "=" }
      ),
      (
        "encryption information that is not CBOR", SandboxFinding(.encryptionInfo),
        try parts { $0.encryptionInfo = "_w" }
      ),
      (
        "encryption information too deep", SandboxFinding(.limits, .limit(.depth)),
        try parts { $0.encryptionInfo = RequestParts.encryptionInfo(more: [("x", deep)]) }
      ),
      (
        "a short nonce", SandboxFinding(.encryptionInfo),
        try parts { $0.encryptionInfo = RequestParts.encryptionInfo(nonce: EncryptionInfo.minimumNonceLength - 1) }
      ),
    ]
  }

  @Test("Opens signed content only after all signatures verified")
  func closedUntilVerified() throws {
    for (name, check, parts) in try Self.badContents() {
      #expect(try refusal(parts)?.finding == check, "\(name)")
      var forged = parts
      // The first of two signatures verifies.
      forged.readers += parts.readers
      forged.isForged = true
      #expect(try refusal(forged)?.check == .readerSignature, "\(name)")
    }
  }

  @Test("Counts signatures of single documents and of all documents together", arguments: 0...1)
  func signaturesTogether(excess: Int) throws {
    var parts = try RequestParts.signed()
    parts.items = [[UInt8]](repeating: parts.items[0], count: 9)
    parts.documentSignatures = 9
    parts.readers = [[[UInt8]]](repeating: parts.readers[0], count: RequestLimit.readerSignatures.maximum - 9 + excess)
    #expect(try refusal(parts)?.finding == (excess == 0 ? nil : SandboxFinding(.limits, .limit(.readerSignatures))))
  }

  @Test("Limits names of every kind", arguments: 0...1)
  func names(excess: Int) throws {
    let name = String(repeating: "n", count: RequestLimit.name.maximum + excess)
    let asked = CBORValue.textMap([("e", .boolean(true))])
    for spaces in [
      CBORValue.textMap([(name, asked)]), .textMap([("s", .textMap([(name, .boolean(true))]))]),
    ] {
      var parts = try RequestParts.signed()
      parts.items = [RequestParts.items(spaces: spaces).encoded]
      let refusal = try refusal(parts)
      #expect(refusal?.finding == (excess == 0 ? nil : SandboxFinding(.limits, .limit(.name))))
      #expect(excess == 0 || refusal?.message.hasPrefix("docRequests[0].itemsRequest: ") == true)
    }
  }

  @Test("Limits the depth of a protected header", arguments: 0...1)
  func protectedHeader(excess: Int) throws {
    var parts = try RequestParts.signed()
    parts.protectedHeader =
      CBORValue.map([
        CBORValue.Entry(.integer(1), .integer(-7)),
        CBORValue.Entry(.text("x"), RequestParts.nested(RequestLimit.depth.maximum - 1 + excess)),
      ]).encoded
    // This header is not signed: the signature is checked after the limit.
    #expect(
      try refusal(parts)?.finding
        == (excess == 0 ? SandboxFinding(.readerSignature) : SandboxFinding(.limits, .limit(.depth))))
  }

  @Test("Refuses a request above several limits by the outermost")
  func outermostFirst() throws {
    var parts = try RequestParts.reaching(RequestLimit.elements.maximum + 1, of: .elements)
    let chain = parts.readers[0]
    let changes: [(SandboxFinding, (inout RequestParts) throws -> Void)] = [
      (SandboxFinding(.limits, .limit(.elements)), { _ in }),
      (
        SandboxFinding(.limits, .limit(.certificate)),
        { $0.readers = [[[UInt8](repeating: 0, count: RequestLimit.certificate.maximum + 1)]] }
      ),
      (
        SandboxFinding(.limits, .limit(.chainLength)),
        { $0.readers[0] += [[UInt8]](repeating: [0], count: RequestLimit.chainLength.maximum) }
      ),
      (
        SandboxFinding(.limits, .limit(.readerSignatures)),
        { $0.readers += [[[UInt8]]](repeating: chain, count: RequestLimit.readerSignatures.maximum) }
      ),
      (
        SandboxFinding(.limits, .limit(.documents)),
        { $0.items = [[UInt8]](repeating: $0.items[0], count: RequestLimit.documents.maximum + 1) }
      ),
      (SandboxFinding(.limits, .limit(.depth)), { $0.more = [("x", RequestParts.nested(RequestLimit.depth.maximum))] }),
      (
        SandboxFinding(.limits, .limit(.deviceRequest)),
        {
          let rest = RequestLimit.deviceRequest.maximum - (try $0.deviceRequest().count)
          $0.more.append(("y", .bytes([UInt8](repeating: 0, count: rest))))
        }
      ),
      (
        SandboxFinding(.limits, .limit(.encryptionInfo)),
        { $0.encryptionInfo += String(repeating: "A", count: RequestLimit.encryptionInfo.maximum) }
      ),
      (SandboxFinding(.limits, .limit(.data)), { $0.padding = RequestLimit.data.maximum }),
    ]
    for (check, change) in changes {
      try change(&parts)
      #expect(try refusal(parts)?.finding == check)
    }
  }

  @Test("The limits have their documented values")
  func numbers() {
    let limits = RequestLimit.allCases.map { "\($0.rawValue) \($0.maximum)" }
    #expect(
      limits == [
        "too-large 382293", "encryption-info-too-large 16384", "device-request-too-large 262144", "too-deep 32",
        "too-many-items 65536", "too-many-documents 16", "too-many-reader-signatures 16", "chain-too-long 4",
        "certificate-too-large 16384", "too-many-name-spaces 16", "too-many-elements 128", "name-too-long 256",
        "too-many-issuers 1000", "issuer-too-long 64", "too-many-use-cases 16", "too-many-document-sets 16",
        "too-many-document-set-members 64",
      ])
  }

  @Test("Each limit has its own code")
  func codes() {
    for bound in RequestLimit.allCases {
      let check = SandboxFinding(.limits, .limit(bound))
      #expect(check.name == "sandbox.limits/\(bound.rawValue)" && check.message == bound.message)
    }
    #expect(Set(RequestLimit.allCases.map(\.unit)).count == RequestLimit.allCases.count)
  }

  @Test("Each code except those of the process has an input that it refuses")
  func everyCode() throws {
    var found = Set<SandboxFinding?>()
    for bound in RequestLimit.allCases {
      found.insert(try refusal(.reaching(bound.maximum + 1, of: bound))?.finding)
    }
    var parts = try RequestParts.signed()
    found.insert(try refusal(parts, origin: "")?.finding)
    parts.version = "2.0"
    found.insert(try refusal(parts)?.finding)
    parts = try .signed()
    parts.isForged = true
    found.insert(try refusal(parts)?.finding)
    parts.readers = [[]]
    found.insert(try refusal(parts)?.finding)
    for (_, _, parts) in try Self.badContents() { found.insert(try refusal(parts)?.finding) }
    do throws(SandboxRefusal) {
      _ = try RequestSandbox.parse(Array("{".utf8), origin: RequestParts.origin)
    } catch {
      found.insert(error.finding)
    }
    // OpenID4VPSandboxTests and RequestTests refuse requests in OpenID4VP.
    #expect(found == Set(SandboxFinding.all.filter { ![.worker, .presentationRequest].contains($0.check) }))
  }
}
