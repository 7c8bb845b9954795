import CBOR
import Checks
import JSON
import MobileDocument
import Primitives
import RelyingParty

/// The content of a page on the screen.
public struct PageScreen: Sendable, Equatable, JSONObject {
  /// A verified element on the page.
  public struct Element: Sendable, Equatable, JSONObject {
    /// `DocType`.
    public var documentType: String
    /// `NameSpace`.
    public var nameSpace: String
    /// `DataElementIdentifier`.
    public var identifier: String
    /// Its value as text.
    public var value: String

    package init(documentType: String, nameSpace: String, identifier: String, value: String) {
      (self.documentType, self.nameSpace, self.identifier, self.value) = (documentType, nameSpace, identifier, value)
    }

    package static let json = JSONForm<Self>(
      Self.init, Member("documentType", \.documentType), Member("nameSpace", \.nameSpace),
      Member("identifier", \.identifier), Member("value", \.value))
  }

  /// A form to upload a picture of an ID.
  public struct UploadForm: Sendable, Equatable, JSONObject {
    /// The label of its field.
    public var label = "Picture of your ID"
    /// The media types that it takes.
    public var accepts = IdentityScan.Format.allCases.map(\.rawValue)
    /// The label of its button.
    public var button = "Upload Picture"
    /// The code of the refusal of the newest picture.
    public var refusal: String?
    /// The message of that refusal.
    public var message: String?

    /// A form without a refusal.
    package static var blank: Self { Self() }

    package static let json = JSONForm<Self>(
      Self.init, Member("label", \.label), Member("accepts", \.accepts), Member("button", \.button),
      Member(optional: "refusal", \.refusal), Member(optional: "message", \.message))
  }

  /// Name of the site.
  public var title: String
  /// The step of the checkout.
  public var step = CheckoutStep.identity
  /// The selected item of the checkout.
  public var item: WorldDescription.Website.Checkout.Item?
  /// Labels of its buttons.
  public var buttons: [String]
  /// The server's verdict: `verified` or `refused`.
  public var verdict: String?
  /// The name of the first check that failed.
  public var code: String?
  /// Verified elements.
  public var verified: [Element]?
  /// Name of the exception that the call threw.
  public var exception: String?
  /// Message of that exception. A real page writes it to its console.
  public var exceptionMessage: String?
  /// The page's alternative to a verification.
  public var fallback: String?
  /// Name of the error that a requesting app's call threw.
  public var error: String?
  /// The form of that alternative.
  public var form: UploadForm?
  /// The number of the order, after it was placed or a picture was uploaded.
  public var order: String?
  /// The page's words about what happens next.
  public var notices: [String]?

  /// True for a screen without a result and a question, which a terminal shows when a session begins.
  package var isBlank: Bool { verdict == nil && buttons.isEmpty }

  /// The text on the page, line by line: what the person reads besides buttons and verified elements.
  public var text: [String] {
    [title, item?.name, item?.detail, item?.price, fallback, form?.label, form?.message, order].compactMap(\.self)
      + (notices ?? [])
  }

  package static let json = JSONForm<Self>(
    Self.init, Member("title", \.title), Member("step", \.step), Member(optional: "item", \.item),
    Member("buttons", \.buttons), Member(optional: "verdict", \.verdict), Member(optional: "code", \.code),
    Member(optional: "verified", \.verified), Member(optional: "exception", \.exception),
    Member(optional: "exceptionMessage", \.exceptionMessage), Member(optional: "fallback", \.fallback),
    Member(optional: "error", \.error), Member(optional: "form", \.form), Member(optional: "order", \.order),
    Member(optional: "notices", \.notices))
}

extension PageScreen {
  package init(
    title: String, item: WorldDescription.Website.Checkout.Item? = nil, buttons: [String], verdict: String? = nil,
    code: String? = nil, verified: [Element]? = nil, fallback: String? = nil, error: String? = nil
  ) {
    (self.title, self.item, self.buttons) = (title, item, buttons)
    (self.verdict, self.code, self.verified) = (verdict, code, verified)
    (self.fallback, self.error) = (fallback, error)
  }
}

/// The verdict of a website's server, as its page reads it from the server's JSON.
package struct ReceivedVerdict {
  /// `verified` or `refused`.
  package let verdict: String
  /// The failed check and its reason; nil if the answer is verified.
  package let failure: String?
  /// The verified elements in their order.
  package let elements: [PageScreen.Element]

  /// Reads the JSON, or returns nil if the body is not a verdict.
  package init?(json bytes: [UInt8]) {
    guard bytes.count <= JSONLimits.message.bytes, let root = try? JSONReader.read(bytes),
      let verdict = root.member("verdict")?.text, case .array(let documents)? = root.member("documents")
    else { return nil }
    self.verdict = verdict
    failure = root.member("failure").flatMap { failure in
      failure.member("check")?.text.map { CheckResult.name($0, failure.member("reason")?.text) }
    }
    elements = documents.flatMap(Self.elements)
  }

  private static func elements(of document: JSONValue) -> [PageScreen.Element] {
    VerdictElement.elements(of: document, withDeviceSigned: false) { element in
      PageScreen.Element(
        documentType: element.documentType, nameSpace: element.nameSpace, identifier: element.identifier,
        value: text(of: element.value, nameSpace: element.nameSpace, identifier: element.identifier))
    }
  }

  /// Returns the value of an element as pages and terminals show it.
  package static func text(of value: JSONValue, nameSpace: String, identifier: String) -> String {
    text(of: value, DataElementCatalogue.definition(nameSpace: nameSpace, identifier: identifier)?.type)
  }

  /// An element value in readable form. Bytes are base64url in JSON; their type says so.
  private static func text(of value: JSONValue, _ type: DataElementType? = nil) -> String {
    switch value {
    case .string(let text):
      guard type == .picture || type == .bytes, let bytes = Base64URL.decode(text) else { return text }
      return DisplayValue.text(of: .bytes(bytes))
    case .boolean(let flag): return flag ? "true" : "false"
    case .number(let spelling): return spelling
    case .array(let items): return items.isEmpty ? "none" : items.map { text(of: $0) }.joined(separator: ", ")
    case .object(let members):
      return "{" + members.map { "\($0.name): \(text(of: $0.value))" }.joined(separator: ", ") + "}"
    case .null: return "null"
    }
  }
}

extension PageScreen.Element {
  /// The label of the element for people.
  public var label: String { DataElementCatalogue.label(nameSpace: nameSpace, identifier: identifier) }

  /// The value in words: an answer, or the classes of driving privileges with the end of each.
  public var words: String { Self.words(of: value, as: identifier) }

  /// Returns the value of an element in words.
  package static func words(of value: String, as identifier: String) -> String {
    switch (identifier, value) {
    case (_, "true"): "Yes"
    case (_, "false"): "No"
    case ("driving_privileges", _): privileges(value) ?? value
    default: value
    }
  }

  private static func privileges(_ value: String) -> String? {
    let classes = value.matches(of: #/\{[^{}]*\}/#).compactMap { record -> String? in
      func member(_ name: String) -> Substring? {
        record.output.dropFirst().dropLast().split(separator: ", ").first { $0.hasPrefix("\(name): ") }?
          .dropFirst(name.count + 2)
      }
      guard let category = member("vehicle_category_code") else { return nil }
      return "Class \(category)" + (member("expiry_date").map { " to \($0)" } ?? "")
    }
    return classes.isEmpty ? nil : classes.joined(separator: ", ")
  }
}
