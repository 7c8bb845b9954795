import CBOR
import COSE
import Primitives

extension DeviceEngagement {
  /// The scheme of the text in a QR code, with its colon.
  public static let scheme = "mdoc:"

  /// The text of the QR code.
  public var uri: String { Self.scheme + Base64URL.encode(bytes) }

  /// Reads the text of a QR code. The scheme is compared without case; `mdoc://` is refused.
  public init(uri text: String) throws(ProximityError) {
    let characters = text.utf8
    guard characters.count <= ProximityLimits.uriCharacters else {
      throw ProximityError(
        .uriSize, "the text is longer than a QR code holds", evidence: "\(characters.count) characters")
    }
    let start = characters.prefix(Self.scheme.utf8.count).map { (0x41...0x5a).contains($0) ? $0 + 0x20 : $0 }
    guard start.elementsEqual(Self.scheme.utf8) else {
      throw ProximityError(.uriScheme, "the text does not start with \(Self.scheme)")
    }
    let content = String(decoding: characters.dropFirst(Self.scheme.utf8.count), as: UTF8.self)
    guard !content.hasPrefix("//") else {
      throw ProximityError(.uriScheme, "the text has an authority: expected \(Self.scheme) and base64url")
    }
    guard let bytes = Base64URL.decode(content) else {
      throw ProximityError(
        .uriEncoding, "the text after \(Self.scheme) is not base64url", evidence: Base64URL.violation(in: content))
    }
    try self.init(bytes, by: .qrCode)
  }

  /// Reads an engagement. Unknown keys are ignored, as are the keys of server retrieval and, below version 1.1, those of
  /// origins and capabilities.
  public init(_ bytes: [UInt8], by carrier: Carrier) throws(ProximityError) {
    let map: CBORMap
    do {
      map = try CBORReader.read(bytes, limits: ProximityLimits.engagement).map()
    } catch {
      throw ProximityError(.engagementCBOR, error)
    }
    self.bytes = bytes
    version = try Self.version(Self.required(Key.version, of: map))
    deviceKey = try Self.deviceKey(Self.required(Key.security, of: map))
    var deviations: [Deviation] = []
    switch (carrier, map[Key.methods]) {
    case (.qrCode, let item): methods = try Self.methods(item)
    case (.nfc, nil): methods = []
    case (.nfc, _):
      methods = []
      deviations.append(.methodsByNFC)
    }
    let isSecondEdition = version.minor >= Version.second.minor
    originInfos = try Self.reading(Key.originInfos) { () throws(CBORError) in
      try (isSecondEdition ? map[Key.originInfos] : nil).map { (item) throws(CBORError) in
        var infos: [[UInt8]] = []
        for info in try item.array() {
          _ = try info.map()
          infos.append(Array(info.encoded))
        }
        return infos
      }
    }
    do {
      capabilities = try (isSecondEdition ? map[Key.capabilities] : nil).map { (item) throws(CBORError) in
        try Capabilities(item)
      }
    } catch {
      throw ProximityError(
        error.code == .badValue ? .engagementCapability : .engagementWrongType, error, at: "key \(Key.capabilities)")
    }
    if capabilities != nil, originInfos == nil { deviations.append(.originsMissing) }
    let uuids = methods.flatMap { method -> [BluetoothUUID] in
      guard case .bluetooth(let options) = method else { return [] }
      return [options.peripheralServer, options.centralClient].compactMap(\.self)
    }
    if !uuids.allSatisfy(\.hasStandardVariant) { deviations.append(.uuidVariant) }
    self.deviations = deviations
  }

  private static func required(_ key: Int, of map: CBORMap) throws(ProximityError) -> CBORItem {
    guard let item = map[key] else {
      throw ProximityError(.engagementMissingKey, "the device engagement has no key \(key)")
    }
    return item
  }

  /// Reads a value. An error of its type names the key.
  private static func reading<Value>(
    _ key: Int, _ value: () throws(CBORError) -> Value
  ) throws(ProximityError) -> Value {
    do { return try value() } catch { throw ProximityError(.engagementWrongType, error, at: "key \(key)") }
  }

  private static func version(_ item: CBORItem) throws(ProximityError) -> Version {
    let text = try reading(Key.version, item.text)
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    // Three digits are more than minor versions will need.
    guard parts.count == 2, parts[0].elementsEqual("1".utf8), (1...3).contains(parts[1].count),
      parts[1].allSatisfy(\.isDigit), let minor = Int(String(decoding: parts[1], as: UTF8.self))
    else {
      throw ProximityError(
        .engagementVersion, "the version is not supported: expected major version 1",
        evidence: TerminalSafe.text(String(text.prefix(16))))
    }
    return Version(minor: minor)
  }

  private static func deviceKey(_ item: CBORItem) throws(ProximityError) -> EncodedCBOR<EphemeralKey> {
    let (suite, key) = try reading(Key.security) { () throws(CBORError) in
      let security = try item.array(count: 2)
      let suite = try security.at(0).unsigned()
      let key = try security.at(1)
      _ = try key.embedded()
      return (suite, key)
    }
    guard suite == cipherSuite else {
      throw ProximityError(.engagementCipherSuite, "the cipher suite is not supported", evidence: "\(suite)")
    }
    do {
      return try EphemeralKey.received(key, allowsCompression: true)
    } catch {
      throw ProximityError(.engagementKey, error.message, evidence: error.code.rawValue, at: "key \(Key.security)")
    }
  }

  private static func methods(_ item: CBORItem?) throws(ProximityError) -> [RetrievalMethod] {
    guard let item, case let entries = try reading(Key.methods, item.array), !entries.isEmpty else {
      throw ProximityError(.engagementNoMethod, "the device engagement names no retrieval method")
    }
    guard entries.count <= ProximityLimits.retrievalMethods else {
      throw ProximityError(
        .engagementMethods, "the device engagement has too many retrieval methods", evidence: "\(entries.count)")
    }
    var methods: [RetrievalMethod] = []
    for entry in entries {
      do { methods.append(try RetrievalMethod(entry)) } catch {
        throw ProximityError(.engagementOptions, error, at: "key \(Key.methods)")
      }
    }
    for (place, method) in methods.enumerated()
    where methods[..<place].contains(where: { $0.identity == method.identity }) {
      throw ProximityError(
        .engagementMethods, "the device engagement has a retrieval method twice",
        evidence: "type \(method.identity[0]), version \(method.identity[1])")
    }
    return methods
  }
}
