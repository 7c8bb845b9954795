import JSON

extension CredentialRequestOptions {
  /// What became of a page's options: the options, or the exception with which their conversion failed.
  public typealias Reading = Result<CredentialRequestOptions, CredentialRequestException>

  /// Reads the options object that a page handed to the browser, as UTF-8 JSON.
  ///
  /// The conversion is Web IDL's, with one difference: Web IDL turns a number into a string where a string is due, and
  /// this reader refuses it, so that the message names the member at fault. `null` and an array count as a dictionary
  /// without members, as in Web IDL, and every request converts, also one whose protocol would be dropped later.
  /// - Throws: `CredentialRequestException`, always a `TypeError`, with `browser.options-too-large`,
  ///   `browser.malformed-options`, `browser.missing-member` or `browser.wrong-member-type` and a sentence with the
  ///   path of the member.
  public init(reading bytes: [UInt8]) throws(CredentialRequestException) {
    guard bytes.count <= CredentialLimits.optionsBytes else { throw CredentialRequestException(.optionsTooLarge) }
    let value: JSONValue
    do {
      value = try JSONReader.read(bytes)
    } catch {
      throw CredentialRequestException(
        .malformedOptions, message: "The options are not JSON: \(error.reason) at byte \(error.offset).")
    }
    let options = try OptionsMember(path: "options", value: value).dictionary()
    // Web IDL converts members in the order of their names, which decides the fault that is reported.
    digital = try options["digital"]?.digital()
    mediation = try options["mediation"]?.mediation() ?? .optional
    others = Self.otherCredentialTypes.filter { options[$0]?.isAsking ?? false }
    if let signal = options["signal"] { throw signal.wrongType(mustBe: "an AbortSignal, which JSON cannot hold") }
  }

  /// Reads the options object that a page handed to the browser, keeping a failure as a value.
  public static func reading(_ bytes: [UInt8]) -> Reading {
    Reading { () throws(CredentialRequestException) in try CredentialRequestOptions(reading: bytes) }
  }
}

/// A member of the options with the path that a message names.
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
      throw CredentialRequestException(.missingMember, message: "\(path).\(name) is required and is missing.")
    }
  }

  func wrongType(mustBe expected: String) -> CredentialRequestException {
    CredentialRequestException(.wrongMemberType, message: "\(path) must be \(expected), but is \(value.kind).")
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
        .wrongMemberType, message: "\(path) must be one of \(names), but is \(found).")
    }
    return mediation
  }

  /// Whether the member asks for its credential type; `password` is a boolean whose default is false.
  var isAsking: Bool { value != .null && value != .boolean(false) }
}
