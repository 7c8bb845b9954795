import CBOR
import JSON
import Messaging
import MobileDocument
import Primitives
import Vocabulary

/// Watches the messages between apps and relying parties for elements that can be read.
///
/// A value is looked for where a party could have learned it: in messages that carry an answer, and in those of a party
/// that legitimately has values, such as the holder's app or a page that got a result. Any other party would have to get
/// it in such a message first.
///
/// A finding is certain. Each form of a value is one of three:
///
/// | form | found |
/// | --- | --- |
/// | with its name: the item, a member, a form's field | anywhere |
/// | plain, too long to occur by chance | anywhere but in a view of the app, whose words may be the value |
/// | plain and short | there, as a text and not in ciphertext |
///
/// A plain value is not looked for if the world says it publicly. An answer that is not encrypted, because a website asks in
/// OpenID4VP for a plain one, is not looked at.
struct PlaintextWatch {
  /// Names of issuing authorities and places are public: certificates contain them.
  private static let publicElements: Set<String> = ["issuing_authority", "issuing_jurisdiction", "issuing_country"]
  /// Members of a device response (ISO/IEC 18013-5, 8.3.2.1.2.2), which are not outside the seal either.
  private static let structure = ["issuerSigned", "elementIdentifier", "elementValue", "digestID"]
  /// Short names occur in other words: `sex` in `sextant`.
  private static let minimumName = 6
  /// The last bytes of a picture, which are enough to recognize it.
  private static let pictureBytes = 40

  /// A byte string that shows the value of an element.
  private struct Form {
    let bytes: [UInt8]
    let element: String
    /// True if the bytes have the name of the element.
    let isNamed: Bool
  }

  private let world: WorldDescription
  /// The texts that the world says to everybody. Few runs need them, and some need them for many messages.
  private lazy var publicTexts = PublicTexts(world)
  private var forms: [Form] = []
  private var names: [[UInt8]] = []
  /// The forms and the names, for one pass over each message. Few messages have one.
  private var values = PatternSet()
  private var nameSet = PatternSet()
  /// The pages and apps that got values from a verifier server.
  private var learned: Set<Party> = []
  /// True if a website asks for plain answers.
  private let arePlainAnswersAsked: Bool

  init(_ world: WorldDescription) {
    self.world = world
    arePlainAnswersAsked = world.websites.contains { !$0.encryptsAnswers && $0.asksIn != [.mobileDocument] }
    let documents = world.devices.flatMap(\.apps).flatMap(\.documents)
    let elements = documents.flatMap(\.nameSpaces).flatMap(\.elements)
    names = (Self.structure + elements.map(\.identifier)).uniqued().filter { $0.utf8.count >= Self.minimumName }
      .map { Array($0.utf8) }
    for name in names { nameSet.insert(name, named: String(decoding: name, as: UTF8.self)) }
    for element in elements where !Self.publicElements.contains(element.identifier) {
      forms += Self.named(element.identifier, element.value).filter(Chance.excludes).map {
        Form(bytes: $0, element: element.identifier, isNamed: true)
      }
      forms += Self.plain(element.value).map { Form(bytes: $0, element: element.identifier, isNamed: false) }
    }
    for form in forms { values.insert(form.bytes, named: form.element) }
  }

  /// The forms in which a value can be read. Flags and numbers are in every message.
  private static func plain(_ value: CBORValue) -> [[UInt8]] {
    switch value {
    case .boolean, .unsigned, .negative, .null: []
    case .text(let text): [Array(text.utf8)]
    case .bytes(let picture): [Array(picture.suffix(pictureBytes))]
    default: [value.encoded, Array(DisplayValue.text(of: value).utf8)]
    }
  }

  /// The forms in which a value stands after the name of its element: at the end of an item (ISO/IEC 18013-5, 8.3.2.1.2.2),
  /// in a CBOR map, in a JSON object and in a form.
  private static func named(_ identifier: String, _ value: CBORValue) -> [[UInt8]] {
    func text(_ text: String) -> [UInt8] { CBORValue.text(text).encoded }
    let name = text(identifier)
    let item = text("elementIdentifier") + name + text("elementValue") + value.encoded
    let shown =
      switch value {
      case .boolean, .unsigned, .negative, .null, .bytes: [String]()
      default: [DisplayValue.text(of: value)]
      }
    return [item]
      + shown.flatMap { shown in
        [name + value.encoded]
          + ["\"\(identifier)\":\"\(shown)\"", "\"\(identifier)\": \"\(shown)\"", "\(identifier)=\(shown)"]
          .map { Array($0.utf8) }
      }
  }

  /// Takes the next message of a run.
  mutating func take(_ message: Message, _ violations: inout [InvariantViolation]) {
    if message.kind == .verificationResult { learned.insert(message.recipient) }
    let isSealed = message.kind.carriesAnswer
    let isKnown = [.app, .issuer].contains(message.sender.role) || learned.contains(message.sender)
    guard isSealed || isKnown && message.recipient.role.isBetweenAppAndServer else { return }
    if arePlainAnswersAsked, message.carriesPlainAnswer { return }
    let layers = Base64Layers.of(message.bytes)
    if values.firstName(in: layers) != nil, let found = readable(in: message, layers) {
      violations.add(.plaintext, .value, found, at: [message])
    }
    if isSealed, nameSet.firstName(in: layers) != nil, let name = readableName(in: message, layers) {
      violations.add(.plaintext, .name, "The name is \(name).", at: [message])
    }
  }

  /// The element whose value can be read in a message, with the reason why it is that value; nil without one.
  private mutating func readable(in message: Message, _ layers: [[UInt8]]) -> String? {
    let found = forms.filter { form in form.bytes.count >= PatternSet.minimumLength && layers.has(form.bytes) }
    if let form = found.first(where: \.isNamed) {
      return "The element is \(form.element). Its name precedes the value."
    }
    let plain = found.filter { !$0.isNamed }
    guard !plain.isEmpty, message.kind != .show else { return nil }
    let secret = plain.filter { !publicTexts.have($0.bytes) }
    if let form = secret.first(where: { Chance.excludes($0.bytes) }) {
      return "The element is \(form.element). No public text of the world has its \(form.bytes.count.counted("byte"))."
    }
    let texts = MessageTexts(message.bytes)
    let form = secret.first { form in
      // In other messages than answers, the words of a program are in sentences: a value is a text of its own.
      message.kind.carriesAnswer ? texts.values.has(form.bytes) : texts.values.contains(form.bytes)
    }
    return form.map { "The element is \($0.element). No public text of the world has its value." }
  }

  private func readableName(in message: Message, _ layers: [[UInt8]]) -> String? {
    let found = names.filter(layers.has)
    let texts = MessageTexts(message.bytes)
    return found.first { name in
      Chance.excludes(name) || (texts.values + texts.names).has(name)
    }.map { String(decoding: $0, as: UTF8.self) }
  }
}

/// The chance that a byte string is found in random bytes.
enum Chance {
  /// The least information of a byte string that is believed wherever it is found. The messages of a run have fewer than
  /// 2^22 bytes at each of four levels, and a world fewer than 2^8 forms: the chance of a run is below
  /// 2^32 / 2^72 < 10^-12.
  private static let leastBits = 72

  /// Returns true if the bytes are not in ciphertext or in its base64 by chance.
  static func excludes(_ bytes: [UInt8]) -> Bool {
    bytes.count * (bytes.allSatisfy(Base64Layers.isCharacter) ? 6 : 8) >= leastBits
  }
}

/// The texts that a world says to everybody: its description without the elements of documents.
struct PublicTexts {
  private var texts: [[UInt8]] = []

  init(_ world: WorldDescription) {
    var world = world
    for device in world.devices.indices {
      for app in world.devices[device].apps.indices { world.devices[device].apps[app].documents.removeElements() }
    }
    add(Mirror(reflecting: world))
  }

  /// Every text in every property, also in those that come later.
  private mutating func add(_ mirror: Mirror) {
    for (_, value) in mirror.children {
      if let text = value as? String { texts.append(Array(text.utf8)) } else { add(Mirror(reflecting: value)) }
    }
    if let ancestor = mirror.superclassMirror { add(ancestor) }
  }

  /// Returns true if a text has a byte string.
  func have(_ bytes: [UInt8]) -> Bool { texts.contains { $0.hasBytes(bytes) } }
}

extension [WorldDescription.Document] {
  fileprivate mutating func removeElements() { for document in indices { self[document].nameSpaces = [] } }
}

extension [[UInt8]] {
  fileprivate func has(_ bytes: [UInt8]) -> Bool { contains { $0.hasBytes(bytes) } }
}

extension [UInt8] {
  /// Returns true if other bytes are among these. Foundation's search allocates at every place.
  fileprivate func hasBytes(_ other: [UInt8]) -> Bool {
    guard let first = other.first else { return false }
    let (bytes, other) = (span, other.span)
    var start = 0
    while start + other.count <= bytes.count {
      if bytes[start] == first {
        var length = 1
        while length < other.count, bytes[start + length] == other[length] { length += 1 }
        if length == other.count { return true }
      }
      start += 1
    }
    return false
  }
}

extension MessageKind {
  /// True for a message that carries an answer from an app to a relying party.
  var carriesAnswer: Bool {
    switch self {
    case .response, .identityEnvelope, .identityDocument, .submitEnvelope, .credential, .submitResponse,
      .tunnelMessage, .nearbyFrame, .attribute, .commandResponse:
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
      .tunnelService, .bluetooth, .nfc, .nearby, .mdoc:
      true
    case .person, .server, .ownServer, .ownWallet, .terminal, .app, .issuer, .readerAuthority, .listOperator: false
    }
  }
}
