import Foundation
import HybridTransport
import JSON
import MobileDocument
import Primitives
import WebPresentment

extension Outline {
  /// The deepest nesting that is shown: requests and journals nest fewer than twenty levels.
  private static let maximumJSONDepth = 48

  /// Reads a JSON object, array or string.
  /// - Throws: ``InspectionFailure``. A lone number or word is more likely another form of input.
  static func readJSON(_ bytes: [UInt8]) throws(InspectionFailure) -> JSONValue {
    guard let first = bytes.first(where: { $0 != 0x20 && !(0x09...0x0d).contains($0) }),
      [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\"")].contains(first)
    else { throw InspectionFailure("expected a brace, bracket or quotation mark") }
    do {
      return try JSONReader.read(bytes, maximumDepth: maximumJSONDepth)
    } catch {
      throw InspectionFailure("\(error.message), at byte \(error.offset)")
    }
  }

  /// Writes JSON with a title for each recognized object and with its artifacts opened.
  /// - Parameter bytes: The bytes of the text.
  mutating func json(_ value: JSONValue, of bytes: [UInt8]) {
    jsonValue(value, keepsSources ? JSONExtents(bytes) : .none, prefix: "", mustOpen: false)
  }

  private mutating func jsonMembers(_ members: [JSONValue.Member], of object: JSONValue, _ extents: JSONExtents) {
    let places = extents.members
    // A key's: asked once, as a search of all members.
    let isKey = object.member("kty") != nil
    for member in members.sorted(by: { $0.name < $1.name }) {
      let (name, value) = (member.name, member.value)
      let extent = places[name] ?? .none
      if isKey, JSONValue.privateParts.contains(name) {
        line("\(Printed.onOneLine(name)): the private part of the key, not shown", in: extent.range)
      } else if case .string = value, name.lowercased().contains("privatekey") {
        line("\(Printed.onOneLine(name)): a private key, not shown", in: extent.range)
      } else if name == "trustedIssuers", case .array(let issuers) = value {
        trustedIssuers(issuers, extent)
      } else {
        jsonValue(value, extent, prefix: "\(Printed.onOneLine(name)): ", mustOpen: Self.artifactMembers.contains(name))
      }
    }
  }

  /// Members whose texts are artifacts; a text that is not an artifact is reported.
  private static let artifactMembers: Set<String> = [
    "deviceRequest", "encryptionInfo", "response", "requestData", "deviceResponse", "sessionTranscript",
  ]

  /// Writes the trusted certificates of an exchange file: PEM texts, or names of files that hold them.
  private mutating func trustedIssuers(_ issuers: [JSONValue], _ extents: JSONExtents) {
    let places = extents.elements
    under("trustedIssuers: \(issuers.count)", in: extents.range) { inside in
      for (position, issuer) in issuers.enumerated() {
        guard let text = issuer.text, text.contains("-----BEGIN ") else {
          inside.jsonValue(
            issuer, places.indices.contains(position) ? places[position] : .none, prefix: "[\(position)]: ",
            mustOpen: false)
          continue
        }
        do throws(InspectionFailure) {
          try inside.under("[\(position)]") { (inside) throws(InspectionFailure) in try inside.pem(text) }
        } catch {
          inside.line("[\(position)]: cannot be read: \(error.message)")
        }
      }
    }
  }

  /// The shortest text that is tried as an artifact: an artifact has at least 16 bytes, which take 22 characters.
  private static let shortestArtifact = 22

  private mutating func jsonValue(_ value: JSONValue, _ extents: JSONExtents, prefix: String, mustOpen: Bool) {
    let range = extents.range
    guard canNest else { return line("\(prefix)nested too deep to print", in: range) }
    switch value {
    case .null: line("\(prefix)null", in: range)
    case .boolean(let flag): line("\(prefix)\(flag)", in: range)
    case .number(let number): line("\(prefix)\(Printed.number(number, full: isFull))", in: range)
    case .string(let text): jsonText(text, extents, prefix: prefix, mustOpen: mustOpen)
    case .array(let elements):
      let places = extents.elements
      under("\(prefix)array of \(elements.count.counted("element"))", in: range) { inside in
        for (position, element) in elements.enumerated() {
          inside.jsonValue(
            element, places.indices.contains(position) ? places[position] : .none, prefix: "[\(position)]: ",
            mustOpen: false)
        }
      }
    case .object(let members):
      let before = transcript
      transcript = value.sessionTranscript ?? before
      under("\(prefix)\(value.title)", in: range) { $0.jsonMembers(members, of: value, extents) }
      transcript = before
    }
  }

  private mutating func jsonText(_ text: String, _ extents: JSONExtents, prefix: String, mustOpen: Bool) {
    let range = extents.range
    let count = text.utf8.count
    if text.hasPrefix("{"), let value = try? Self.readJSON(Array(text.utf8)) {
      let inner = Array(text.utf8)
      return under("\(prefix)a text of \(count) characters that is JSON", in: range) {
        $0.within(inner, from: extents.content(as: .jsonText)) { $0.json(value, of: inner) }
      }
    }
    if text.hasPrefix(QRPayload.prefix) {
      do throws(InspectionFailure) {
        return try under("\(prefix)\(Printed.quoted(text, full: isFull))", in: range) {
          (inside) throws(InspectionFailure) in try inside.qrCode(text)
        }
      } catch {}
    }
    if Self.isJOSE(text) {
      do throws(InspectionFailure) {
        return try under("\(prefix)a text of \(count) characters", in: range) {
          (inside) throws(InspectionFailure) in try inside.jose(text)
        }
      } catch {}
    }
    if mustOpen || count >= Self.shortestArtifact {
      let shown = count.counted("character")
      if let bytes = Base64URL.decode(text) {
        let title = "\(prefix)base64url text of \(shown), \(bytes.count.counted("byte"))"
        do throws(InspectionFailure) {
          return try under(title, in: range) { (inside) throws(InspectionFailure) in
            try inside.within(bytes, from: extents.content(as: .base64URL)) {
              (inside) throws(InspectionFailure) in
              try inside.content(bytes, accepting: mustOpen ? .anyItem : .artifacts)
            }
          }
        } catch  where mustOpen {
          return under(title, in: range) { $0.line("cannot be read: \(error.message)") }
        } catch {}
      } else if mustOpen {
        return under("\(prefix)\(Printed.quoted(text, full: isFull))", in: range) {
          $0.line("cannot be read: the text is not base64url without padding")
        }
      }
      if let bytes = Data(base64Encoded: text).map({ [UInt8]($0) }), bytes.first == 0x30 {
        let title = "\(prefix)base64 text of \(shown), \(bytes.count.counted("byte"))"
        do throws(InspectionFailure) {
          return try under(title, in: range) { (inside) throws(InspectionFailure) in
            try inside.within(bytes, from: extents.content(as: .base64)) {
              (inside) throws(InspectionFailure) in try inside.content(bytes, accepting: .artifacts)
            }
          }
        } catch {}
      }
    }
    line("\(prefix)\(Printed.quoted(text, full: isFull))", in: range)
  }
}

extension JSONValue {
  /// The title of a value: the structure that its members make it, or its size.
  fileprivate var title: String {
    guard case .object(let members) = self else { return "value" }
    let names = Set(members.map(\.name))
    if names.contains("origin"), names.contains("recipientPrivateKey") || names.contains("trustedIssuers") {
      return "exchange file"
    }
    if names.isSuperset(of: ["deviceResponse", "sessionTranscript"]) { return "exchange file" }
    if names.isSuperset(of: ["deviceRequest", "encryptionInfo"]) { return "request data (ISO/IEC 18013-7 annex C)" }
    if let digital = member("digital"), digital.member("data") != nil || digital.member("error") != nil {
      return "result for navigator.credentials.get"
    }
    if names.contains("digital") { return "options of navigator.credentials.get" }
    if names.contains("requests") { return "requests of the Digital Credentials API" }
    if names.isSuperset(of: ["protocol", "data"]) {
      let data = member("data")
      if member("protocol")?.text?.hasPrefix("openid4vp") == true {
        let isAnswer = ["vp_token", "id_token", "response", "error"].contains { data?.member($0) != nil }
        return "\(isAnswer ? "response" : "request") of OpenID4VP over the Digital Credentials API"
      }
      if data?.member("response") != nil { return "response of the Digital Credentials API" }
      return "request of the Digital Credentials API"
    }
    if names.contains("vp_token") { return "response data of OpenID4VP" }
    if names.isSuperset(of: ["response_type", "nonce"]) { return "request parameters of OpenID4VP" }
    if case .array(let credentials)? = member("credentials"), credentials.first?.member("format") != nil {
      return "query in DCQL"
    }
    if names.isSuperset(of: ["payload", "signatures"]) { return "signed object, JWS in general serialization" }
    if names.isSuperset(of: ["nonce", "merchantIdentifier"]) { return "request of an app (PassKit)" }
    if names.contains("encryptedData") { return "answer to an app (PassKit)" }
    if names.isSuperset(of: ["origin", "requestType", "request"]) { return "request to another device (CTAP)" }
    if member("response")?.member("digital") != nil { return "response of another device (CTAP)" }
    if let response = member("response") {
      let isJOSE = response.text.map(Outline.isJOSE) ?? false
      return "response data \(isJOSE ? "of OpenID4VP" : "(ISO/IEC 18013-7 annex C)")"
    }
    if names.contains("kty") { return "JSON Web Key\(keyKind)" }
    return "object of \(members.count.counted("member"))"
  }

  /// The session transcript of an exchange file with annex C; nil for another value.
  fileprivate var sessionTranscript: SessionTranscript? {
    guard let origin = member("origin")?.text,
      let information = (member("request") ?? self).member("encryptionInfo")?.text
    else { return nil }
    return EncryptionInfo.sessionTranscript(encryptionInfoText: information, origin: origin)
  }

  /// The curve or type of a JSON Web Key, in parentheses.
  private var keyKind: String {
    let kind = (member("crv") ?? member("kty"))?.text
    return kind.map { " (\(Printed.onOneLine($0)))" } ?? ""
  }

  /// The members that are private parts of a JSON Web Key (RFC 7518, 6).
  fileprivate static let privateParts: Set = ["d", "k", "p", "q", "dp", "dq", "qi", "oth"]
}
