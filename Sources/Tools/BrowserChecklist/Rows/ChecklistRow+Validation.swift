import CBOR
import Primitives

extension ChecklistRow {
  private typealias Options = ChecklistOptions
  private typealias Vectors = RequestVectors

  /// Section 10 of the checklist: the 33 device requests, with a gesture before the call and an abort after it.
  static let validation: [ChecklistRow] = serverRetrieval + texts + structures + accepted

  private static func row(_ number: Int, _ given: String, _ request: String, isValid: Bool = false) -> ChecklistRow {
    ChecklistRow(
      "MDV-\(number < 10 ? "0" : "")\(number)", given,
      [.gesture("page"), .call(.get, Options.digital([request]), in: "page"), .abort(1)],
      isValid ? "AbortError" : "TypeError", isValid ? [] : differences(number), source: ChecklistSource.validation)
  }

  private static func differences(_ number: Int) -> [Difference] {
    // A member that is missing rejects the call in WebKit too; any other problem drops the request.
    let isMissing = [13, 14].contains(number)
    return (isMissing ? [] : Difference.emptyChooser("AbortError")) + Difference.leftToPlatform("NetworkError")
  }

  private static func row(_ number: Int, _ given: String, _ value: CBORValue, isValid: Bool = false) -> ChecklistRow {
    row(number, given, Options.mdoc(Vectors.text(value)), isValid: isValid)
  }

  private static func elements(_ list: [(String, Bool)], in space: String = Vectors.nameSpace) -> CBORValue {
    Vectors.document(list.map { (.text($0.0), $0.1) }, in: space)
  }

  private static let serverRetrieval: [ChecklistRow] = {
    let family = ("family_name", false)
    let oidc = ("oidc_info", false)
    let webapi = ("webapi_info", false)
    return [
      row(1, "the canonical request", Options.mdoc(), isValid: true),
      row(2, "the element oidc_info", Vectors.request([elements([oidc])])),
      row(3, "the element oidc_info, retained", Vectors.request([elements([("oidc_info", true)])])),
      row(4, "the element webapi_info", Vectors.request([elements([webapi])])),
      row(5, "family_name and oidc_info", Vectors.request([elements([family, oidc])])),
      row(6, "family_name and webapi_info", Vectors.request([elements([family, webapi])])),
      row(
        7, "two document requests, the second with webapi_info",
        Vectors.request([elements([family]), elements([webapi])])),
    ]
  }()

  private static let texts: [ChecklistRow] = {
    let data = "\"deviceRequest\":\"\(Vectors.deviceRequest)\""
    let info = "\"encryptionInfo\":\"\(Vectors.encryptionInfo)\""
    func request(_ members: String...) -> String {
      Options.request("org-iso-mdoc", "{\(members.joined(separator: ","))}")
    }
    return [
      row(8, "base64url with padding", Options.mdoc(Vectors.deviceRequest + "==")),
      row(9, "base64url of an impossible length", Options.mdoc("A")),
      row(10, "base64url with a space and a line feed after it", Options.mdoc(Vectors.deviceRequest + " \\n")),
      row(11, "the standard alphabet of base64", Options.mdoc("+/+/")),
      row(12, "deviceRequest is an object", request("\"deviceRequest\":{}", info)),
      row(13, "deviceRequest is missing", request(info)),
      row(14, "encryptionInfo is missing", request(data)),
      row(15, "encryptionInfo is a number", request(data, "\"encryptionInfo\":5")),
      row(16, "bytes that are not CBOR", Options.mdoc(Base64URL.encode([0xff]))),
      row(17, "a text string that is not UTF-8", Options.mdoc(Base64URL.encode(invalidText))),
      row(
        18, "one byte after the request",
        Options.mdoc(Base64URL.encode(Vectors.bytes(Vectors.request([Vectors.document()])) + [0]))),
    ]
  }()

  /// A device request whose version has two bytes that are not UTF-8.
  private static let invalidText = CBORWriter.encode { writer in
    writer.map(2)
    writer.member("version") { $0.encoded([0x62, 0xff, 0xfe]) }
    writer.text("docRequests")
    writer.array(1)
    writer.value(Vectors.document())
  }

  private static let structures: [ChecklistRow] = {
    let items = Vectors.bytes(Vectors.items(.map([space(canonical)])))
    let twice = CBORValue.map([.init(.text("itemsRequest"), .tagged(24, .tagged(24, .bytes(items))))])
    return [
      row(19, "the top level is an array", .array([.text("1.0"), .array([Vectors.document()])])),
      row(
        20, "version twice in the top-level map",
        Vectors.request([Vectors.document()], [.init(.text("version"), .text("1.0"))])),
      row(
        21, "a name space twice",
        Vectors.request([Vectors.document(nameSpaces: .map([space(canonical), space(canonical)]))])),
      row(22, "docRequests is missing", Vectors.request(nil)),
      row(23, "docRequests is text", Vectors.request(documentRequests: .text("docRequests"))),
      row(24, "a document request is text", Vectors.request([.text("docRequest")])),
      row(25, "itemsRequest without tag 24", Vectors.request([.map([.init(.text("itemsRequest"), .bytes(items))])])),
      row(26, "tag 24 in a second tag", Vectors.request([twice])),
      row(27, "tag 24 with bytes that are not CBOR", Vectors.request([Vectors.document(items: [0xff])])),
      row(28, "tag 24 with an array", Vectors.request([Vectors.document(items: Vectors.bytes(.array([])))])),
      row(29, "nameSpaces is text", Vectors.request([Vectors.document(nameSpaces: .text("nameSpaces"))])),
      row(
        30, "the name space is not a map",
        Vectors.request([Vectors.document(nameSpaces: .map([.init(.text(Vectors.nameSpace), .array([]))]))])),
    ]
  }()

  private static let canonical = CBORValue.map(Vectors.canonicalElements.map { .init($0.0, .boolean($0.1)) })

  private static func space(_ elements: CBORValue) -> CBORValue.Entry { .init(.text(Vectors.nameSpace), elements) }

  private static let accepted: [ChecklistRow] = [
    row(
      31, "oidc_info and webapi_info in another name space",
      Vectors.request([elements([("oidc_info", false), ("webapi_info", false)], in: "org.example.custom")]),
      isValid: true),
    row(
      32, "the key oidc_info as a byte string, beside family_name",
      Vectors.request([Vectors.document([(.text("family_name"), false), (.bytes(Array("oidc_info".utf8)), false)])]),
      isValid: true),
    row(
      33, "an unknown entry in the top-level map",
      Vectors.request([Vectors.document()], [.init(.text("unknown"), .text("entry"))]), isValid: true),
  ]
}
