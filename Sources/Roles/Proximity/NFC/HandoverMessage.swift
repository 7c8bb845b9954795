/// A message of connection handover (NFC Forum, Connection Handover 1.5), as ISO/IEC 18013-5, 8.2.2.1 uses it.
public struct HandoverMessage: Sendable, Equatable {
  /// The kind of a message.
  public enum Kind: String, Sendable, CaseIterable {
    /// The mdoc's choice.
    case select = "Hs"
    /// The reader's offer, in negotiated handover.
    case request = "Hr"

    /// The end that sends the message.
    var sender: ProximityParty { self == .select ? .mdoc : .reader }
  }

  /// A carrier that a message names.
  public enum Carrier: Sendable, Equatable {
    /// Bluetooth Low Energy.
    case bluetooth(BluetoothCarrier)
    /// NFC.
    case nfc(NFCCarrier)
    /// Another one, which is skipped.
    case unknown
  }

  /// The kind.
  public let kind: Kind
  /// The message as received or written, without a length in front of it.
  public let bytes: [UInt8]
  /// The carriers, in the order of preference.
  public let carriers: [Carrier]
  /// The device engagement of a select message; nil in a request message.
  public let engagement: [UInt8]?

  private static let version: UInt8 = 0x15
  private static let carrierRecord = "ac"
  private static let active: UInt8 = 1
  private static let engagementType = "iso.org:18013:deviceengagement"
  private static let engagementIdentifier = "mdoc"
  private static let readerEngagementType = "iso.org:18013:readerengagement"
  private static let readerEngagementIdentifier = "mdocreader"
  /// The map `{0: "1.0"}`.
  private static let readerEngagement: [UInt8] = [0xa1, 0x00, 0x63, 0x31, 0x2e, 0x30]
}

extension HandoverMessage {
  /// Returns the message of an mdoc.
  /// - Parameter engagement: A device engagement without retrieval methods.
  public static func select(_ carriers: [Carrier], engagement: [UInt8]) -> HandoverMessage {
    let record = NDEFRecord(
      .external, type: engagementType, identifier: engagementIdentifier, payload: engagement)
    return HandoverMessage(
      kind: .select, bytes: message(.select, carriers, [record], auxiliary: [engagementIdentifier]).bytes,
      carriers: carriers, engagement: engagement)
  }

  /// Returns the message of a reader.
  public static func request(_ carriers: [Carrier]) -> HandoverMessage {
    let record = NDEFRecord(
      .external, type: readerEngagementType, identifier: readerEngagementIdentifier, payload: readerEngagement)
    return HandoverMessage(
      kind: .request, bytes: message(.request, carriers, [record], auxiliary: []).bytes, carriers: carriers,
      engagement: nil)
  }

  private static func message(
    _ kind: Kind, _ carriers: [Carrier], _ others: [NDEFRecord], auxiliary: [String]
  ) -> NDEFMessage {
    var references: [NDEFRecord] = []
    var records: [NDEFRecord] = []
    for carrier in carriers {
      let record: NDEFRecord
      switch carrier {
      case .bluetooth(let carrier):
        record = NDEFRecord(.media, type: BluetoothCarrier.type, identifier: "0", payload: carrier.payload)
      case .nfc(let carrier):
        record = NDEFRecord(.external, type: NFCCarrier.type, identifier: "nfc", payload: carrier.payload)
      case .unknown: continue
      }
      records.append(record)
      var payload = [active, UInt8(record.identifier.count)] + record.identifier + [UInt8(auxiliary.count)]
      for name in auxiliary { payload += [UInt8(name.utf8.count)] + name.utf8 }
      references.append(NDEFRecord(.wellKnown, type: carrierRecord, payload: payload))
    }
    let first = NDEFRecord(
      .wellKnown, type: kind.rawValue, payload: [version] + (references.isEmpty ? [] : NDEFMessage(references).bytes))
    return NDEFMessage([first] + others + records)
  }

  /// Reads a message. Records are found by identifier and type, in any order after the first.
  /// - Throws: ``ProximityError`` with `ndef`, `handover` or `carrier`.
  public init(_ bytes: [UInt8], _ kind: Kind) throws(ProximityError) {
    let message = try NDEFMessage(bytes)
    guard let first = message.records.first, first.isA(.wellKnown, kind.rawValue) else {
      throw ProximityError(.handover, "the message does not start with a record of type \(kind.rawValue)")
    }
    guard let version = first.payload.first, version >> 4 == Self.version >> 4 else {
      throw ProximityError(
        .handover, "the version of connection handover is not supported",
        evidence: first.payload.first.map { "\($0 >> 4).\($0 & 15)" })
    }
    var named: [[UInt8]: NDEFRecord] = [:]
    for record in message.records.dropFirst() where !record.identifier.isEmpty {
      guard named.updateValue(record, forKey: record.identifier) == nil else {
        throw ProximityError(.handover, "two records have one identifier")
      }
    }
    var carriers: [Carrier] = []
    var auxiliary: [[UInt8]] = []
    for reference in try Self.references(in: Array(first.payload.dropFirst())) {
      guard let record = named[reference.carrier] else {
        throw ProximityError(.handover, "an alternative carrier refers to a missing record")
      }
      carriers.append(try Self.carrier(record, from: kind.sender))
      auxiliary += reference.auxiliary
    }
    self.kind = kind
    self.bytes = bytes
    self.carriers = carriers
    guard kind == .select else {
      engagement = nil
      return
    }
    let engagements = message.records.filter { $0.isA(.external, Self.engagementType) }
    guard engagements.count == 1, auxiliary.contains(engagements[0].identifier) else {
      throw ProximityError(
        .handover, "no alternative carrier refers to one device engagement", evidence: "\(engagements.count) records")
    }
    engagement = engagements[0].payload
  }

  private struct Reference {
    let carrier: [UInt8]
    let auxiliary: [[UInt8]]
  }

  /// Reads the alternative carriers. Other records, such as that of collision resolution, are skipped.
  private static func references(in embedded: [UInt8]) throws(ProximityError) -> [Reference] {
    guard !embedded.isEmpty else { return [] }
    let records = try NDEFMessage(embedded).records.filter { $0.isA(.wellKnown, carrierRecord) }
    guard records.count <= ProximityLimits.carriers else {
      throw ProximityError(.handover, "the message names too many carriers", evidence: "\(records.count)")
    }
    var references: [Reference] = []
    for record in records {
      var cursor = ByteCursor(record.payload, .handover, "the alternative carrier")
      _ = try cursor.byte()
      let carrier = try cursor.take(try cursor.number(1))
      var auxiliary: [[UInt8]] = []
      for _ in 0..<(try cursor.number(1)) { auxiliary.append(try cursor.take(try cursor.number(1))) }
      try cursor.requireEnd()
      references.append(Reference(carrier: carrier, auxiliary: auxiliary))
    }
    return references
  }

  private static func carrier(_ record: NDEFRecord, from sender: ProximityParty) throws(ProximityError) -> Carrier {
    if record.isA(.media, BluetoothCarrier.type) { return .bluetooth(try BluetoothCarrier(record.payload)) }
    if record.isA(.external, NFCCarrier.type) { return .nfc(try NFCCarrier(record.payload, from: sender)) }
    return .unknown
  }
}

/// The agreement of the handover messages.
public enum AgreedCarrier: Sendable, Equatable {
  /// Bluetooth Low Energy in one mode, by the service that one end advertises.
  case bluetooth(BluetoothMode, BluetoothUUID)
  /// NFC. The limits are the mdoc's.
  case nfc(RetrievalMethod.NFCOptions)

  /// Finds the first carrier of the select message that the reader can use.
  /// - Parameters:
  ///   - request: The request message of negotiated handover; nil for static handover.
  /// - Throws: ``ProximityError`` with `handover` if the messages do not agree.
  public init(_ select: HandoverMessage, request: HandoverMessage?) throws(ProximityError) {
    if request != nil, select.carriers.count != 1 {
      throw ProximityError(
        .handover, "the select message of negotiated handover does not name one carrier",
        evidence: "\(select.carriers.count)")
    }
    for carrier in select.carriers {
      switch carrier {
      case .unknown: continue
      case .nfc(let chosen):
        let isOffered = request.map { $0.carriers.contains { if case .nfc = $0 { true } else { false } } } ?? true
        guard isOffered, let options = chosen.options else { continue }
        self = .nfc(options)
        return
      case .bluetooth(let chosen):
        guard let agreed = Self.bluetooth(chosen, request) else { continue }
        self = agreed
        return
      }
    }
    throw ProximityError(.handover, "the select message names no carrier that the reader can use")
  }

  /// The modes that both ends allow, the mdoc as client first, and the UUID of the end that advertises.
  private static func bluetooth(_ chosen: BluetoothCarrier, _ request: HandoverMessage?) -> AgreedCarrier? {
    let modes = chosen.role.modes(of: .mdoc)
    guard let request else {
      // One UUID for both modes.
      guard let uuid = chosen.uuid else { return nil }
      return .bluetooth(modes.contains(.centralClient) ? .centralClient : .peripheralServer, uuid)
    }
    for case .bluetooth(let offered) in request.carriers {
      for mode in [BluetoothMode.centralClient, .peripheralServer]
      where modes.contains(mode) && offered.role.modes(of: .reader).contains(mode) {
        if let uuid = mode == .centralClient ? offered.uuid : chosen.uuid { return .bluetooth(mode, uuid) }
      }
    }
    return nil
  }
}
