import Checks
import JSON

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
  public init(reading bytes: [UInt8], for operation: CredentialOperation = .get) throws(CredentialRequestException) {
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
    try self.init(converting: PageValue(value), for: operation)
  }

  /// Converts the options object of a page, which may hold values outside JSON.
  /// - Throws: `CredentialRequestException`, always a `TypeError`, with `browser.options/missing-member` or
  ///   `browser.options/wrong-type`. The message has the path of the member.
  public init(
    converting value: PageValue, for operation: CredentialOperation = .get
  ) throws(CredentialRequestException) {
    let options = try OptionsMember(path: "options", value: value).dictionary()
    // Web IDL converts members in the order of their names, which decides the error that is reported.
    digital = try operation == .issue ? options.digital() : options["digital"]?.dictionary().digital()
    mediation = try operation == .get ? options["mediation"]?.mediation() ?? .optional : .required
    others = operation == .issue ? [] : Self.otherCredentialTypes.filter { options[$0]?.isAsking ?? false }
    if let signal = options["signal"] { throw signal.wrongType(mustBe: "an AbortSignal, which JSON cannot hold") }
  }

  /// Converts the options object of a page, with a failure as a value.
  public static func reading(_ bytes: [UInt8], for operation: CredentialOperation = .get) -> Reading {
    Reading { () throws(CredentialRequestException) in try CredentialRequestOptions(reading: bytes, for: operation) }
  }

  /// Converts the options object of a page, with a failure as a value.
  public static func reading(_ value: PageValue, for operation: CredentialOperation = .get) -> Reading {
    Reading { () throws(CredentialRequestException) in try CredentialRequestOptions(converting: value, for: operation) }
  }
}

/// A member of the options with its path for messages.
private struct OptionsMember {
  var path: String
  var value: PageValue

  struct Dictionary {
    var path: String
    var value: PageValue

    subscript(name: String) -> OptionsMember? {
      let path = path == "options" ? name : "\(path).\(name)"
      return value.member(name).map { OptionsMember(path: path, value: $0) }
    }

    func required(_ name: String) throws(CredentialRequestException) -> OptionsMember {
      if let member = self[name] { return member }
      throw CredentialRequestException(
        BrowserFinding(.options, .missingMember), message: "\(path).\(name) is required and is missing.")
    }

    func digital() throws(CredentialRequestException) -> CredentialRequestOptions.Digital {
      let requests = try required("requests")
      guard let elements = requests.value.elements else { throw requests.wrongType(mustBe: "an array") }
      var converted: [DigitalCredentialGetRequest] = []
      for (index, element) in elements.enumerated() {
        converted.append(try OptionsMember(path: "\(requests.path)[\(index)]", value: element).request())
      }
      return .init(requests: converted)
    }
  }

  func wrongType(mustBe expected: String) -> CredentialRequestException {
    CredentialRequestException(
      BrowserFinding(.options, .wrongType), message: "\(path) must be \(expected), but is \(value.kindInWords).")
  }

  func dictionary() throws(CredentialRequestException) -> Dictionary {
    guard value.isScriptObject || value.isNullish else { throw wrongType(mustBe: "an object") }
    return Dictionary(path: path, value: value)
  }

  func request() throws(CredentialRequestException) -> DigitalCredentialGetRequest {
    let request = try dictionary()
    let data = try request.required("data")
    guard data.value.isScriptObject else { throw data.wrongType(mustBe: "an object") }
    let name = try request.required("protocol")
    guard let text = name.value.text else { throw name.wrongType(mustBe: "a string") }
    // The data is serialized later, after the activation is consumed; the result is the same now.
    do throws(PageValue.SerializationFailure) {
      guard let value = try data.value.json() else { throw .nothing(data.value) }
      return DigitalCredentialGetRequest(protocol: text, value: value)
    } catch {
      return DigitalCredentialGetRequest(protocol: text, failing: error)
    }
  }

  func mediation() throws(CredentialRequestException) -> CredentialRequestOptions.Mediation {
    guard let text = value.text, let mediation = CredentialRequestOptions.Mediation(rawValue: text) else {
      let names = CredentialRequestOptions.Mediation.allCases.map(\.rawValue).joined(separator: ", ")
      let found = value.text.map(quoted) ?? value.kindInWords
      throw CredentialRequestException(
        BrowserFinding(.options, .wrongType), message: "\(path) must be one of \(names), but is \(found).")
    }
    return mediation
  }

  /// Indicates whether the member asks for its credential type; `password` is a boolean whose default is false.
  var isAsking: Bool { value != PageValue(.null) && value != PageValue(.boolean(false)) }
}
