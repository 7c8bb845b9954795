import CBOR
import Messaging
import MobileDocument
import Vocabulary

/// Watches the messages between apps and relying parties for elements that can be read.
struct PlaintextWatch {
  /// Names of issuing authorities and places are public: certificates contain them.
  private static let publicElements: Set<String> = ["issuing_authority", "issuing_jurisdiction", "issuing_country"]
  /// Members of a device response (ISO/IEC 18013-5, 8.3.2.1.2.2), which are not outside the seal either.
  private static let structure = ["issuerSigned", "elementIdentifier", "elementValue", "digestID"]
  /// Short names occur in other words: `sex` in `sextant`.
  private static let minimumName = 6
  /// The last bytes of a picture, which are enough to recognize it.
  private static let pictureBytes = 40

  private var values = PatternSet()
  private var names = PatternSet()

  init(_ world: WorldDescription) {
    for name in Self.structure { names.insert(Array(name.utf8), named: name) }
    let documents = world.devices.flatMap(\.apps).flatMap(\.documents)
    for element in documents.flatMap(\.nameSpaces).flatMap(\.elements) {
      if element.identifier.utf8.count >= Self.minimumName {
        names.insert(Array(element.identifier.utf8), named: element.identifier)
      }
      if !Self.publicElements.contains(element.identifier) {
        for form in Self.forms(of: element.value) { values.insert(form, named: element.identifier) }
      }
    }
  }

  /// The forms in which a value can be read. Flags and numbers are in every message.
  private static func forms(of value: CBORValue) -> [[UInt8]] {
    switch value {
    case .boolean, .unsigned, .negative, .null: []
    case .text(let text): [Array(text.utf8)]
    case .bytes(let picture): [Array(picture.suffix(pictureBytes))]
    default: [value.encoded, Array(DisplayValue.text(of: value).utf8)]
    }
  }

  /// Takes the next message of a run.
  func take(_ message: Message, _ violations: inout [InvariantViolation]) {
    let isSealed = message.kind.carriesAnswer
    // A server's result is for its page or its app, and has the elements.
    let isBetween = message.recipient.role.isBetweenAppAndServer && message.sender.role != .server
    guard isSealed || isBetween else { return }
    let layers = Base64Layers.of(message.bytes)
    if let name = values.firstName(in: layers) {
      violations.append(InvariantViolation(.plaintext, .value, "The element is \(name).", at: [message]))
    }
    if isSealed, let name = names.firstName(in: layers) {
      violations.append(InvariantViolation(.plaintext, .name, "The name is \(name).", at: [message]))
    }
  }
}

extension MessageKind {
  /// True for a message that carries an answer from an app to a relying party.
  fileprivate var carriesAnswer: Bool {
    switch self {
    case .response, .identityEnvelope, .identityDocument, .submitEnvelope, .credential, .submitResponse,
      .tunnelMessage, .nearbyFrame:
      true
    default: false
    }
  }
}

extension Party.Role {
  /// True for a party between the holder's app and the relying party's server.
  fileprivate var isBetweenAppAndServer: Bool {
    switch self {
    case .page, .browser, .operatingSystem, .sandbox, .requestingApp, .portal, .clientPlatform, .authenticator,
      .tunnelService, .bluetooth, .nearby:
      true
    case .person, .server, .app, .issuer, .readerAuthority: false
    }
  }
}
