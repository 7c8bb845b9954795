import CBOR
import Ecosystem
import Foundation
import LocatedYAML
import MobileDocument
import Primitives

/// Reads documents and the values of their elements, by the types that their name spaces define.
struct DocumentReader {
  let problems: ProblemCollector
  let issuers: [String]

  private enum Invalidation: String, CaseIterable { case atExpiry = "at-expiry", none }
  private enum PictureKey: String, CaseIterable { case base64 }

  func read(_ node: SourceNode) -> WorldDescription.Document? {
    guard let fields = MappingReader<DocumentKey>(node, problems) else { return nil }
    let type = fields.required(.type) { try $0.string() }
    let issuer = fields.required(.issuer) { try $0.oneOf(issuers, "issuing authority") }
    guard let type, let issuer else { return nil }
    let nameSpaces = fields.required(.elements) { readElements($0, documentType: type) }
    let days = fields.optional(.validFor, default: 365) { node -> Int in
      let duration = try node.duration()
      guard duration.components.seconds % 86_400 == 0, (1...457).contains(duration.components.seconds / 86_400) else {
        throw SourceProblem(.outOfRange, "a document is valid for 1 to 457 whole days", at: node.position)
      }
      return Int(duration.components.seconds / 86_400)
    }
    let invalidation = fields.optional(.invalidation, default: Invalidation.atExpiry) {
      try $0.oneOf(Invalidation.self, "invalidation")
    }
    guard let nameSpaces else { return nil }
    return WorldDescription.Document(
      identifier: fields.optional(.id, default: Self.usualIdentifier(for: type)) { try $0.string() },
      documentType: type, issuer: issuer, nameSpaces: nameSpaces, validDays: days,
      registersInvalidationDate: invalidation == .atExpiry,
      isCopy: fields.optional(.copied, default: false) { try $0.boolean() })
  }

  /// The default identifier: `mDL` for `org.iso.18013.5.1.mDL`, `photoid` for `org.iso.23220.photoid.1`.
  private static func usualIdentifier(for type: String) -> String {
    let parts = type.split(separator: ".").map(String.init)
    return parts.last { part in !part.allSatisfy(\.isNumber) } ?? type
  }

  /// The default name space of a type's elements.
  static func usualNameSpace(for type: String) -> String {
    switch type {
    case DocumentType.drivingLicence: "org.iso.18013.5.1"
    case DocumentType.photoID: "org.iso.23220.1"
    default: type
    }
  }

  private func readElements(_ node: SourceNode, documentType: String) -> [DocumentDraft.NameSpace]? {
    var usual: [DocumentDraft.Element] = []
    var others: [DocumentDraft.NameSpace] = []
    let usualName = Self.usualNameSpace(for: documentType)
    guard let entries = problems.attempt(node, { try $0.mapping() }) else { return nil }
    for entry in entries {
      if case .mapping(let inner) = entry.value.content, DataElementCatalogue.knows(nameSpace: entry.key.value) {
        if entry.key.value == usualName {
          problems.report(
            SourceProblem(
              .unreadableValue, "elements of \(usualName) are written without their name space", at: entry.key.position)
          )
        }
        let elements = inner.compactMap { readElement($0, nameSpace: entry.key.value) }
        others.append(DocumentDraft.NameSpace(entry.key.value, elements))
      } else if let element = readElement(entry, nameSpace: usualName) {
        usual.append(element)
      }
    }
    return (usual.isEmpty ? [] : [DocumentDraft.NameSpace(usualName, usual)]) + others
  }

  private func readElement(_ entry: SourceNode.Entry, nameSpace: String) -> DocumentDraft.Element? {
    let identifier = entry.key.value
    let definition = DataElementCatalogue.definition(nameSpace: nameSpace, identifier: identifier)
    if definition == nil, DataElementCatalogue.knows(nameSpace: nameSpace) {
      problems.report(
        SourceProblem(
          .unknownName, "\(nameSpace) has no element \(SourceText.quote(identifier))", at: entry.key.position,
          suggestion: NearestName.of(identifier, in: DataElementCatalogue.identifiers(in: nameSpace))))
      return nil
    }
    guard
      let value = problems.attempt(
        entry.value, { try readValue($0, type: definition?.type ?? .structure, isDate: identifier.hasSuffix("_date")) })
    else { return nil }
    if let problem = definition?.type.problem(with: value) {
      problems.report(SourceProblem(.unreadableValue, "\(identifier) \(problem)", at: entry.value.position))
      return nil
    }
    return DocumentDraft.Element(identifier, value)
  }

  private func readValue(_ node: SourceNode, type: DataElementType, isDate: Bool) throws -> CBORValue? {
    switch type {
    case .fullDate, .date: return .tagged(1004, .text(try node.string()))
    case .dateTime: return .tagged(0, .text(try node.string()))
    case .picture, .bytes: return try readPicture(node)
    case .latinText, .text, .countryCode, .subdivisionCode, .oneOf: return .text(try node.string())
    case .boolean: return .boolean(try node.boolean())
    case .unsigned: return .unsigned(UInt64(try node.integer(in: 0...Int.max)))
    case .drivingPrivileges, .array, .structure: return try readStructure(node, isDate: isDate)
    }
  }

  /// `sample` for a built-in picture, or base64.
  private func readPicture(_ node: SourceNode) throws -> CBORValue? {
    if node.scalar != nil {
      _ = try node.oneOf(["sample"], "picture")
      return .bytes(SamplePicture.portrait)
    }
    guard let fields = MappingReader<PictureKey>(node, problems) else { return nil }
    return fields.required(.base64) { node in
      guard let data = Data(base64Encoded: try node.string(), options: .ignoreUnknownCharacters) else {
        throw SourceProblem(.unreadableValue, "this is not base64", at: node.position)
      }
      return .bytes([UInt8](data))
    }
  }

  /// Reads a value by its own type. Text under keys that end in `_date` becomes a full date, at any depth.
  private func readStructure(_ node: SourceNode, isDate: Bool = false) throws -> CBORValue? {
    switch node.content {
    case .scalar where isDate: return .tagged(1004, .text(try node.string()))
    case .sequence(let items):
      return .array(items.compactMap { item in problems.attempt(item) { try readStructure($0) } })
    case .mapping(let entries):
      return .map(
        entries.compactMap { entry in
          let value = problems.attempt(entry.value) {
            try readStructure($0, isDate: entry.key.value.hasSuffix("_date"))
          }
          return value.map { CBORValue.Entry(.text(entry.key.value), $0) }
        })
    case .scalar(let scalar):
      switch scalar.value {
      case .text(let text): return .text(text)
      case .boolean(let flag): return .boolean(flag)
      case .integer(let number): return .integer(number)
      case .number(let number): return .float(number)
      case .null: return .null
      }
    }
  }
}
