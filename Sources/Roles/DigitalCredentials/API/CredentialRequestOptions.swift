import Checks
import JSON

/// The argument of `navigator.credentials.get()` (Credential Management, `CredentialRequestOptions`).
///
/// The `signal` is separate: its state comes with the calling context, and its abort as an event.
public struct CredentialRequestOptions: Hashable, Sendable {
  /// The member `digital` (Digital Credentials, `DigitalCredentialRequestOptions`).
  public struct Digital: Hashable, Sendable {
    /// The requests, in the page's order.
    public var requests: [DigitalCredentialGetRequest]

    /// Makes the member.
    public init(requests: [DigitalCredentialGetRequest]) {
      self.requests = requests
    }
  }

  /// The part that the person takes (Credential Management, `CredentialMediationRequirement`). A digital credential
  /// always needs the person, whatever the page asks for.
  public enum Mediation: String, CaseIterable, Hashable, Sendable {
    /// Without the person.
    case silent
    /// With the person where needed; the default.
    case optional
    /// Without a dialog, for the types that support it.
    case conditional
    /// Always with the person.
    case required
  }

  /// The members that ask for other credential types, by the name of the type.
  public static let otherCredentialTypes = ["federated", "identity", "otp", "password", "publicKey"]

  /// The requests for a digital credential, or nil if the page does not ask for one.
  public var digital: Digital?

  /// The mediation that the page asks for.
  public var mediation: Mediation

  /// The types among `otherCredentialTypes` that the page also asks for.
  public var others: [String]

  /// Makes options.
  public init(digital: Digital? = nil, mediation: Mediation = .optional, others: [String] = []) {
    self.digital = digital
    self.mediation = mediation
    self.others = others
  }

  /// Makes options that ask for a digital credential.
  public init(requests: [DigitalCredentialGetRequest], mediation: Mediation = .required) {
    self.init(digital: Digital(requests: requests), mediation: mediation)
  }
}

extension CredentialRequestOptions {
  /// The result of converting a page's options: the options, or the exception that the conversion threw.
  public typealias Reading = Result<CredentialRequestOptions, CredentialRequestException>

  /// Converts the options object of a page from UTF-8 JSON.
  ///
  /// The conversion is Web IDL's with one difference: Web IDL converts a number to a string where a string is required,
  /// and this reader refuses it, so that the message names the member. `null` and an array are dictionaries without
  /// members, as in Web IDL. A request with an unsupported protocol converts too; a later check drops it.
  /// - Throws: `CredentialRequestException`, always a `TypeError`, with `browser.options/too-large`,
  ///   `browser.options/malformed`, `browser.options/missing-member` or `browser.options/wrong-type`. The message has the path of
  ///   the member.
  public init(reading bytes: [UInt8]) throws(CredentialRequestException) {
    guard bytes.count <= CredentialLimits.optionsBytes else {
      throw CredentialRequestException(BrowserFinding(.options, .tooLarge))
    }
    let value: JSONValue
    do {
      value = try JSONReader.read(bytes)
    } catch {
      throw CredentialRequestException(
        BrowserFinding(.options, .malformed),
        message: "The options are not JSON: \(error.message) at byte \(error.offset).")
    }
    let options = try OptionsMember(path: "options", value: value).dictionary()
    // Web IDL converts members in the order of their names, which decides the error that is reported.
    digital = try options["digital"]?.digital()
    mediation = try options["mediation"]?.mediation() ?? .optional
    others = Self.otherCredentialTypes.filter { options[$0]?.isAsking ?? false }
    if let signal = options["signal"] { throw signal.wrongType(mustBe: "an AbortSignal, which JSON cannot hold") }
  }

  /// Converts the options object of a page, with a failure as a value.
  public static func reading(_ bytes: [UInt8]) -> Reading {
    Reading { () throws(CredentialRequestException) in try CredentialRequestOptions(reading: bytes) }
  }
}

extension CredentialRequestOptions {
  /// The options as UTF-8 JSON for `init(reading:)`.
  ///
  /// Members that ask for other credential types are written as `true`, since only their presence is kept.
  public var serialized: [UInt8] {
    var members: [JSONValue.Member] = []
    if let digital {
      let requests = digital.requests.map { request in
        JSONValue.object([
          .init(name: "protocol", value: .string(request.protocol)), .init(name: "data", value: request.value),
        ])
      }
      members.append(.init(name: "digital", value: .object([.init(name: "requests", value: .array(requests))])))
    }
    members.append(.init(name: "mediation", value: .string(mediation.rawValue)))
    members += others.map { .init(name: $0, value: .boolean(true)) }
    return JSONValue.object(members).bytes
  }
}

/// A member of the options with its path for messages.
private struct OptionsMember {
  var path: String
  var value: JSONValue

  struct Dictionary {
    var path: String
    var value: JSONValue

    subscript(name: String) -> OptionsMember? {
      let path = path == "options" ? name : "\(path).\(name)"
      return value.member(name).map { OptionsMember(path: path, value: $0) }
    }

    func required(_ name: String) throws(CredentialRequestException) -> OptionsMember {
      if let member = self[name] { return member }
      throw CredentialRequestException(
        BrowserFinding(.options, .missingMember), message: "\(path).\(name) is required and is missing.")
    }
  }

  func wrongType(mustBe expected: String) -> CredentialRequestException {
    CredentialRequestException(
      BrowserFinding(.options, .wrongType), message: "\(path) must be \(expected), but is \(value.kind).")
  }

  func dictionary() throws(CredentialRequestException) -> Dictionary {
    guard value.isScriptObject || value == .null else { throw wrongType(mustBe: "an object") }
    return Dictionary(path: path, value: value)
  }

  func digital() throws(CredentialRequestException) -> CredentialRequestOptions.Digital {
    let requests = try dictionary().required("requests")
    guard case .array(let elements) = requests.value else { throw requests.wrongType(mustBe: "an array") }
    var converted: [DigitalCredentialGetRequest] = []
    for (index, element) in elements.enumerated() {
      converted.append(try OptionsMember(path: "\(requests.path)[\(index)]", value: element).request())
    }
    return .init(requests: converted)
  }

  func request() throws(CredentialRequestException) -> DigitalCredentialGetRequest {
    let request = try dictionary()
    let data = try request.required("data")
    guard data.value.isScriptObject else { throw data.wrongType(mustBe: "an object") }
    let name = try request.required("protocol")
    guard let text = name.value.text else { throw name.wrongType(mustBe: "a string") }
    return DigitalCredentialGetRequest(protocol: text, value: data.value)
  }

  func mediation() throws(CredentialRequestException) -> CredentialRequestOptions.Mediation {
    guard let text = value.text, let mediation = CredentialRequestOptions.Mediation(rawValue: text) else {
      let names = CredentialRequestOptions.Mediation.allCases.map(\.rawValue).joined(separator: ", ")
      let found = value.text.map(quoted) ?? value.kind
      throw CredentialRequestException(
        BrowserFinding(.options, .wrongType), message: "\(path) must be one of \(names), but is \(found).")
    }
    return mediation
  }

  /// Indicates whether the member asks for its credential type; `password` is a boolean whose default is false.
  var isAsking: Bool { value != .null && value != .boolean(false) }
}

/// The limits of this module. Input beyond a limit is refused, never cut.
public enum CredentialLimits {
  /// The largest options object of a page, in bytes of JSON: 1 MiB.
  ///
  /// A signed mobile document request with its certificate chains has about ten kilobytes. Larger options are refused
  /// before anything is parsed or copied.
  public static let optionsBytes = 1 << 20

  /// The largest response of the platform, in bytes of JSON: 4 MiB.
  ///
  /// Encrypted responses in the wild have up to 80 kB, mostly portrait; base64url adds a third.
  public static let responseBytes = 4 << 20

  /// The longest text of a page that a message repeats, in characters: 64.
  ///
  /// Messages are written to journals and reports, which a page must not be able to fill.
  static let quotedCharacters = 64
}

/// Untrusted text in quotation marks, cut to `CredentialLimits.quotedCharacters`.
func quoted(_ text: String) -> String {
  let shown = text.unicodeScalars.prefix(CredentialLimits.quotedCharacters)
    .map { $0.properties.generalCategory == .control ? "\u{fffd}" : String($0) }
    .joined()
  let isCut = text.unicodeScalars.count > CredentialLimits.quotedCharacters
  return "\"\(shown)\(isCut ? "…" : "")\""
}
