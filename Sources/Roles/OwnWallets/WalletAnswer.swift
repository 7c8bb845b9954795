import Crypto
import JSON
import Primitives

/// The answer of a wallet of one's own to a message.
package struct WalletAnswer: Sendable {
  /// The answer as received.
  package let json: JSONValue

  /// Takes an answer.
  package init(_ json: JSONValue) { self.json = json }

  /// Reads the line of an answer.
  package init(line: [UInt8]) throws(WalletFailure) {
    guard let json = try? JSONReader.read(line), case .object = json else {
      let text = TerminalSafe.text(String(decoding: line.prefix(100), as: UTF8.self))
      throw WalletFailure(
        .malformed, "the wallet's program printed a line that is not a JSON object", evidence: text)
    }
    self.json = json
  }

  /// Reads the line of the answer to the message with a number.
  package init(line: [UInt8], to number: Int) throws(WalletFailure) {
    try self.init(line: line)
    guard json.member("id") == .number("\(number)") else {
      throw WalletFailure(
        .malformed, "the wallet's program answered another message than \(number)", evidence: excerpt)
    }
  }

  /// The number of the message that it answers; nil without one.
  package var number: Int? { if case .number(let text)? = json.member("id") { Int(text) } else { nil } }

  private static let longestExcerpt = 200

  /// The beginning of the answer, for reports.
  package var excerpt: String { Self.excerpt(json) }

  private static func excerpt(_ json: JSONValue) -> String {
    TerminalSafe.text(String(String(decoding: json.bytes, as: UTF8.self).prefix(longestExcerpt)))
  }

  /// True if the wallet does not know the message.
  package var isUnsupported: Bool { json.member("unsupported") == .boolean(true) }

  /// The reason of a refusal; nil for any other answer.
  package var refusal: String? {
    if let refused = json.member("refused"), refused != .null, refused != .boolean(false) {
      return TerminalSafe.text(String((refused.text ?? "no reason").prefix(Self.longestExcerpt)))
    }
    return json.member("cancelled") == .boolean(true) ? "cancelled" : nil
  }

  /// The content of an answer that can be a refusal.
  package enum Reply<Content: Sendable>: Sendable {
    case given(Content)
    case refused(String)
  }

  /// The public key in the answer to `provision`: a JSON Web Key (RFC 7518, 6.2).
  package func deviceKey() throws(WalletFailure) -> P256.Signing.PublicKey {
    guard let jwk = json.member("deviceKey"), jwk.member("kty")?.text == "EC", jwk.member("crv")?.text == "P-256",
      let x = jwk.member("x")?.text.flatMap(Base64URL.decode), let y = jwk.member("y")?.text.flatMap(Base64URL.decode),
      let key = try? P256.Signing.PublicKey(rawRepresentation: x + y)
    else {
      throw WalletFailure(
        .malformed, "the answer to 'provision' has no member deviceKey with a public key on P-256", evidence: excerpt)
    }
    return key
  }

  /// Demands that the answer says `true` in a member.
  package func confirm(_ member: String, of message: String) throws(WalletFailure) {
    guard json.member(member) == .boolean(true) else {
      throw WalletFailure(
        .malformed, "the answer to '\(message)' does not say \"\(member)\": true", evidence: excerpt)
    }
  }

  /// The view in the answer to `request`.
  package func view() throws(WalletFailure) -> Reply<WalletView> {
    if let refusal { return .refused(refusal) }
    guard let shows = json.member("shows"), let view = WalletView(shows) else {
      throw WalletFailure(
        .malformed, "the answer to 'request' has neither 'shows' with 'elements' nor 'refused'", evidence: excerpt)
    }
    return .given(view)
  }

  /// The encrypted response, in base64url, in the answer to `agree`.
  package func response() throws(WalletFailure) -> Reply<String> {
    if let refusal { return .refused(refusal) }
    guard let text = json.member("answer")?.text else {
      throw WalletFailure(
        .malformed, "the answer to 'agree' has neither 'answer' nor 'refused'", evidence: excerpt)
    }
    return .given(text)
  }

  /// The registrations in the answer to `registrations`.
  package func registrations() throws(WalletFailure) -> [WalletRegistration] {
    guard case .array(let items)? = json.member("registrations") else {
      throw WalletFailure(
        .malformed, "the answer to 'registrations' has no list of that name", evidence: excerpt)
    }
    var found: [WalletRegistration] = []
    for item in items {
      guard let registration = WalletRegistration(item) else {
        throw WalletFailure(
          .malformed, "a registration has documentType, documentIdentifier, and readerRoots as a list of certificates",
          evidence: Self.excerpt(item))
      }
      found.append(registration)
    }
    return found
  }
}

/// The view of a wallet before the person has agreed.
package struct WalletView: Sendable {
  /// The elements that it shows.
  package let elements: Set<DocumentElement>
  /// The warning; nil for none.
  package let warning: String?
  /// The name of the requester; nil if it names none.
  package let requester: String?
  /// The identifiers of the documents that it names; nil if it names none.
  package let documents: [String]?

  /// The longest text of a view, in characters.
  private static let longestText = 1_000

  fileprivate init?(_ shows: JSONValue) {
    guard let elements = Self.elements(shows.member("elements")) else { return nil }
    self.elements = elements
    let text = shows.member("warning").flatMap {
      $0 == .null ? nil : $0.text ?? String(decoding: $0.bytes, as: UTF8.self)
    }
    warning = text.flatMap { $0.isEmpty ? nil : TerminalSafe.text(String($0.prefix(Self.longestText))) }
    requester = shows.member("requester")?.text.flatMap {
      $0.isEmpty ? nil : TerminalSafe.text(String($0.prefix(Self.longestText)))
    }
    if case .array(let items)? = shows.member("documents") {
      documents = items.compactMap(\.text)
    } else {
      documents = nil
    }
  }

  /// The elements by document type and name space.
  private static func elements(_ value: JSONValue?) -> Set<DocumentElement>? {
    guard case .object(let documents) = value else { return nil }
    var found: Set<DocumentElement> = []
    for document in documents {
      guard case .object(let spaces) = document.value else { return nil }
      for space in spaces {
        guard case .array(let names) = space.value else { return nil }
        for name in names {
          guard let name = name.text else { return nil }
          found.insert(DocumentElement(documentType: document.name, nameSpace: space.name, identifier: name))
        }
      }
    }
    return found
  }
}

/// An element of a document.
package struct DocumentElement: Sendable, Hashable, CustomStringConvertible {
  /// `DocType`.
  package let documentType: String
  /// `NameSpace`.
  package let nameSpace: String
  /// `DataElementIdentifier`.
  package let identifier: String

  /// Creates an element.
  package init(documentType: String, nameSpace: String, identifier: String) {
    self.documentType = documentType
    self.nameSpace = nameSpace
    self.identifier = identifier
  }

  /// The element in words.
  package var description: String { "\(nameSpace):\(identifier) of \(documentType)" }
}

/// A registration that a wallet wants in the system.
package struct WalletRegistration: Sendable {
  /// The document.
  package let document: WalletMessage.Document
  /// The roots of the reader authorities that the wallet demands, in DER; empty for any reader.
  package let readerRoots: [[UInt8]]

  fileprivate init?(_ json: JSONValue) {
    guard let type = json.member("documentType")?.text, let identifier = json.member("documentIdentifier")?.text else {
      return nil
    }
    document = WalletMessage.Document(type: type, identifier: identifier)
    switch json.member("readerRoots") {
    case nil: readerRoots = []
    case .array(let items)?:
      let roots = items.compactMap { $0.text.flatMap(Base64URL.decode) }
      guard roots.count == items.count else { return nil }
      readerRoots = roots
    default: return nil
    }
  }
}
