import CBOR
import COSE
import ExchangeFiles
import Foundation
import LocatedYAML
import MobileDocument
import OpenID4VP
import Primitives
import SDJWT
import Vocabulary

extension Form where Value == [WorldDescription.Document] {
  /// The documents of an app, each with an identifier of its own.
  static let documents = Form(
    type: .list(Form<WorldDescription.Document>.document.type),
    read: { node, context in
      var seen: Set<String> = []
      return node.each(context.problems) { item in
        let document = try Form<WorldDescription.Document>.document.read(item, context)
        if let document, !seen.insert(document.identifier).inserted {
          context.problems.report(
            SourceProblem(
              .duplicateKey, "two documents are called \(SourceText.quote(document.identifier))", at: item.position,
              hint: "give each an id"))
        }
        return document
      }
    }, write: Form.list(.document).write)
}

extension Form where Value == WorldDescription.Document {
  /// A document that an authority of the world issues, or one from a file.
  fileprivate static let document = Form(
    type: .either([issued.type, outside.type]),
    read: { node, context in try (node["file"] == nil ? issued : outside).read(node, context) },
    write: { ($0.outside == nil ? issued : outside).write($0) })

  private static let issued = Form.mapping(
    "documents", { WorldDescription.Document(identifier: "", documentType: "", issuer: "", nameSpaces: []) },
    [
      typeKey,
      identifierKey,
      Key("issuer", required: \.issuer, .name(.issuer), "the issuing authority"),
      elementsKey, validityKey,
      invalidationKey, issuedKey,
      Key(
        "copied", \.isCopy, .boolean,
        "the document was copied from another device: its key is not the one that the issuer signed"),
      Key(
        "device-key", \.deviceKey,
        .oneOf(WorldDescription.Document.DeviceKeyPurpose.self, "purpose"),
        "the purpose of the document's key, which never has two: a `signature`, or key `agreement` for a message "
          + "authentication code, which only a terminal can verify"),
    ]
  ).checked { document, node, context in
    guard context.outsideIssuers.contains(document.issuer) else { return }
    throw SourceProblem(
      .unreadableValue, "\(document.issuer) issues outside the world", at: node["issuer"]?.position ?? node.position,
      hint: "name the document's file as 'file'")
  }

  private static let outside = Form.mapping(
    "documents from files", { WorldDescription.Document(identifier: "", documentType: "", issuer: "", nameSpaces: []) },
    [
      Key(
        type: KeyType(
          name: "file", type: .text, isRequired: true,
          meaning:
            "a file beside this one with the document, which any implementation can have issued: `IssuerSigned` or "
            + "`Document` in CBOR or base64url, an SD-JWT credential, or JSON with the member `issuerSigned` or `sdJWT`; its "
            + "type and its elements are read from it"),
        // With its key: see below.
        read: { _, _, _ in }, write: { $0.outside.map { .text($0.file.name) } }),
      Key(
        type: KeyType(
          name: "device-key", type: .text, usual: "the member `deviceKey` of the file",
          meaning: "a file beside this one with the document's private key on P-256, in PEM or as a JSON Web Key"),
        read: { _, _, _ in }, write: { ($0.outside?.keyFile?.name).map(YAMLValue.text) }),
      Key(
        "issuer", \.issuer, .name(.issuer), usual: "the world's only authority with a `root`",
        "the authority whose root the document's signer has"),
      identifierKey, invalidationKey, issuedKey,
    ]
  ).completed { document, node, context in
    guard let file = try NamedBytes(node, "file") else { throw node.missing("file") }
    let keyFile = try NamedBytes(node, "device-key")
    let position = file.position
    do {
      let contents = try DocumentFile.contents(
        (file.file.name, file.bytes), deviceKey: keyFile.map { ($0.file.name, $0.bytes) })
      let held = try HeldCredential(issued: contents.issued, holderKey: COSEKey(contents.deviceKey.publicKey))
      document.documentType = held.registeredType
      document.nameSpaces = (held.mobileDocument?.nameSpaces ?? []).map { space in
        DocumentDraft.NameSpace(
          space.name,
          space.items.map { DocumentDraft.Element($0.value.elementIdentifier, $0.value.elementValue) })
      }
      document.outside = try WorldDescription.OutsideDocument(
        file: file.file, keyFile: keyFile?.file, issued: contents.issued,
        deviceKey: [UInt8](contents.deviceKey.rawRepresentation))
    } catch let error as ExchangeFileError {
      if error.code == .memberMissing, keyFile == nil {
        throw SourceProblem(
          .missingKey, "the file has no device key", at: position, hint: "name the key's file as 'device-key'")
      }
      throw SourceProblem(.unreadableValue, error.description, at: position)
    } catch let error as DocumentError where error.code == .deviceKey {
      throw wrongKey(keyFile, of: file)
    } catch let error as SDJWTError where error.hasCode(.holderKey) {
      throw wrongKey(keyFile, of: file)
    } catch let error as DocumentError {
      throw SourceProblem(.unreadableValue, "\(SourceText.quote(file.file.name)): \(error.message)", at: position)
    } catch let error as SDJWTError {
      throw SourceProblem(.unreadableValue, "\(SourceText.quote(file.file.name)): \(error.message)", at: position)
    }
    if document.identifier.isEmpty { document.identifier = usualIdentifier(for: document.documentType) }
    if document.issuer.isEmpty {
      let outside = context.outsideIssuers
      guard let issuer = outside.first, outside.count == 1 else { throw node.missing("issuer") }
      document.issuer = issuer
    }
  }

  /// The problem of a private key that is not the one of the document.
  private static func wrongKey(_ key: NamedBytes?, of file: NamedBytes) -> SourceProblem {
    let name = SourceText.quote(file.file.name)
    let message =
      key == nil
      ? "the device key does not belong to the document: the issuer signed another one than \(name) has"
      : "the device key does not belong to the document: the issuer of \(name) signed another one"
    return SourceProblem(.unreadableValue, message, at: (key ?? file).position)
  }

  private static let typeKey = Key<Value>(
    type: KeyType(
      name: "type", type: .text, isRequired: true,
      meaning: "the document type; `dc+sd-jwt TYPE` for an [SD-JWT credential](openid4vp.md#in-a-world)"),
    read: { node, document, _ in
      document.documentType = try node.string()
      document.identifier = usualIdentifier(for: document.documentType)
    }, write: { .text($0.documentType) })

  private static let identifierKey = Key<Value>(
    type: KeyType(
      name: "id", type: .text, usual: "from the type: `mDL`, `photoid`",
      meaning: "the identifier of the document and its registration, unique in the app"),
    read: { node, document, _ in document.identifier = try node.string() },
    write: { $0.identifier == usualIdentifier(for: $0.documentType) ? nil : .text($0.identifier) })

  private static let elementsKey = Key<Value>(
    type: KeyType(
      name: "elements", type: .other("mapping"), isRequired: true,
      meaning: "[elements](#documents-and-element-values); of an SD-JWT credential the claims"),
    read: { node, document, context in
      document.nameSpaces = try Elements(documentType: document.documentType, problems: context.problems).read(node)
    }, write: { Elements.written($0.nameSpaces, documentType: $0.documentType) })

  private static let validityKey = Key<Value>(
    "valid-for", \.validDays, .wholeDays, "the validity of the document, 1 to 457 whole days")

  private static let invalidationKey = Key<Value>(
    "invalidation", \.registersInvalidationDate, .flag("at-expiry", "none", "invalidation"),
    "`at-expiry`: the registration ends with the document")

  private static let issuedKey = Key<Value>(
    "issued", \.isIssuedAtFirst, .flag("at-first", "on-demand", "time"),
    "the time at which the app gets it: when it is opened for the first time, or in a step with `provisions`")

  /// A document to issue for use outside a world.
  package static let issuable = Form.mapping(
    "documents to issue", { WorldDescription.Document(identifier: "", documentType: "", issuer: "", nameSpaces: []) },
    [typeKey, elementsKey, validityKey])

  /// The default identifier: `mDL` for `org.iso.18013.5.1.mDL`, `photoid` for `org.iso.23220.photoid.1`, `pid` for
  /// `dc+sd-jwt urn:eudi:pid:1`.
  private static func usualIdentifier(for type: String) -> String {
    let (format, name) = CredentialFormat.ofRegisteredType(type)
    let parts = name.split { $0 == "." || format == .sdJWT && ":/".contains($0) }.map(String.init)
    return parts.last { part in !part.allSatisfy(\.isNumber) } ?? type
  }
}

/// The bytes of a file that a key of a mapping names, beside the file with the mapping.
struct NamedBytes {
  let file: WorldDescription.NamedFile
  let bytes: [UInt8]
  let position: SourcePosition

  /// Reads the file; nil without the key.
  init?(_ node: SourceNode, _ key: String) throws {
    guard let value = node[key] else { return nil }
    try self.init(value)
  }

  /// Reads the file that a value names.
  init(_ value: SourceNode) throws {
    let name = try value.string()
    position = value.position
    bytes = try SourceFile.bytes(of: name, namedAt: position)
    file = WorldDescription.NamedFile(name: name, path: SourceFile.path(of: name, namedAt: position))
  }
}

extension Form where Value == Int {
  private static let day = 86_400

  /// The validity of a document, in days.
  fileprivate static let wholeDays = Form<Duration>.duration.checked { duration, node, _ in
    guard duration.components.seconds % Int64(day) == 0, (1...457).contains(duration.components.seconds / Int64(day))
    else { throw SourceProblem(.outOfRange, "a document is valid for 1 to 457 whole days", at: node.position) }
  }.mapped({ Int($0.components.seconds) / day }, { .seconds($0 * day) })
}

/// The elements of a document, with values of the types that their name spaces define.
private struct Elements {
  let documentType: String
  let problems: ProblemCollector

  /// The default name space of a type's elements.
  static func usualNameSpace(for type: String) -> String {
    switch type {
    case _ where CredentialFormat.ofRegisteredType(type).format == .sdJWT: CredentialFormat.claimsNameSpace
    case DocumentType.drivingLicence: "org.iso.18013.5.1"
    case DocumentType.photoID: "org.iso.23220.1"
    default: type
    }
  }

  func read(_ node: SourceNode) throws -> [DocumentDraft.NameSpace] {
    var usual: [DocumentDraft.Element] = []
    var others: [DocumentDraft.NameSpace] = []
    let usualName = Self.usualNameSpace(for: documentType)
    for entry in try node.mapping() {
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
    guard let entries = node.entries(known: ["base64"], problems) else { return nil }
    guard let entry = entries["base64"] else { throw node.missing("base64") }
    guard let data = Data(base64Encoded: try entry.value.string(), options: .ignoreUnknownCharacters) else {
      throw SourceProblem(.unreadableValue, "this is not base64", at: entry.value.position)
    }
    return .bytes([UInt8](data))
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

/// Writing.
extension Elements {
  static func written(_ nameSpaces: [DocumentDraft.NameSpace], documentType: String) -> YAMLValue {
    let usual = usualNameSpace(for: documentType)
    return .mapping(
      nameSpaces.flatMap { space in
        let elements = space.elements.map { YAMLValue.Entry($0.identifier, written($0.value)) }
        return space.name == usual ? elements : [YAMLValue.Entry(space.name, .mapping(elements))]
      })
  }

  private static func written(_ value: CBORValue) -> YAMLValue {
    switch value {
    case .text(let text), .tagged(_, .text(let text)): .text(text)
    case .bytes(SamplePicture.portrait): .text("sample")
    case .bytes(let bytes): .one("base64", .text(Data(bytes).base64EncodedString()))
    case .boolean(let flag): .boolean(flag)
    case .unsigned(let number): .plain("\(number)")
    case .negative(let argument): .plain("-\(argument + 1)")
    case .float(let number):
      .plain(number.isNaN ? ".nan" : number.isInfinite ? (number < 0 ? "-.inf" : ".inf") : "\(number)")
    case .array(let items): .list(items.map(written))
    case .map(let entries):
      .mapping(
        entries.compactMap { entry in
          if case .text(let key) = entry.key { YAMLValue.Entry(key, written(entry.value)) } else { nil }
        })
    // A file cannot write any other value.
    case .null, .undefined, .simple, .tagged: .null
    }
  }
}
