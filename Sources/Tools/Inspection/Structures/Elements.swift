import CBOR
import MobileDocument

extension Outline {
  /// Returns the identifier of an element with its display name and type, if they are known.
  func elementName(_ identifier: String, in nameSpace: String, type: DataElementType?) -> String {
    let label = DataElementCatalogue.label(nameSpace: nameSpace, identifier: identifier)
    let notes = [label == identifier ? nil : Printed.onOneLine(label), type?.name].compactMap { $0 }
    let shown = Printed.onOneLine(identifier)
    return notes.isEmpty ? shown : "\(shown) (\(notes.joined(separator: ", ")))"
  }

  /// Writes an element with its value, and a note if the value does not match the type of the name space.
  mutating func element(_ identifier: String, in nameSpace: String, value: Node) {
    let type = DataElementCatalogue.definition(nameSpace: nameSpace, identifier: identifier)?.type
    notation(value, prefix: elementName(identifier, in: nameSpace, type: type) + ": ")
    if let problem = type?.problem(with: CBORValue(value.item)) { nested { $0.line("deviates: the value \(problem)") } }
    if case .picture? = type, let bytes = value.bytes { nested { $0.line(Self.picture(bytes)) } }
    if let age = AgeOver.age(in: identifier), let isOver = value.boolean {
      nested { $0.line("the holder is \(isOver ? "at least" : "younger than") \(age) years old") }
    }
  }

  /// Returns the format and size of a picture, recognized by its first bytes.
  private static func picture(_ bytes: [UInt8]) -> String {
    let kind = PictureFormat(of: bytes)?.rawValue ?? "neither JPEG nor JPEG 2000"
    return "\(kind) of \(Printed.count(bytes.count, "byte"))"
  }
}

extension DataElementType {
  /// The name of the type in an annotation.
  var name: String {
    switch self {
    case .latinText: "Latin-1 text"
    case .text: "text"
    case .fullDate: "full-date"
    case .date: "tdate or full-date"
    case .dateTime: "tdate"
    case .unsigned: "unsigned integer"
    case .boolean: "true or false"
    case .picture: "JPEG or JPEG 2000"
    case .bytes: "bytes"
    case .countryCode: "ISO 3166-1 code"
    case .subdivisionCode: "ISO 3166-2 code"
    case .oneOf: "one of a list"
    case .drivingPrivileges: "driving privileges"
    case .array: "array"
    case .structure: "structure"
    }
  }
}
