import CBOR
import COSE

/// The reader's first message: its ephemeral key and the first encrypted request (ISO/IEC 18013-5, 9.1.1.4).
public struct SessionEstablishment: Sendable {
  /// The ephemeral key, with `EReaderKeyBytes` as received.
  public let readerKey: EncodedCBOR<EphemeralKey>
  /// The encrypted request.
  public let data: [UInt8]

  enum Member {
    static let readerKey = "eReaderKey"
    static let data = "data"
    static let status = "status"
  }

  /// Writes the message of a reader.
  /// - Parameter readerKeyBytes: `EReaderKeyBytes`.
  public static func encoded(readerKeyBytes: [UInt8], data: [UInt8]) -> [UInt8] {
    CBORWriter.encode(capacity: data.count + 128) { writer in
      writer.map(2)
      writer.member(Member.readerKey) { $0.encoded(readerKeyBytes) }
      writer.member(Member.data) { $0.byteString(data) }
    }
  }

  /// Reads a message. Unknown members are ignored.
  /// - Throws: ``ProximityError`` with `sessionSize`, `sessionCBOR`, or `sessionKey`.
  public init(_ bytes: [UInt8]) throws(ProximityError) {
    let map = try SessionData.map(bytes)
    let key: CBORItem
    do {
      data = try map.required(Member.data).bytes()
      key = try map.required(Member.readerKey)
      _ = try key.embedded()
    } catch {
      throw ProximityError(.sessionCBOR, error)
    }
    do {
      readerKey = try EphemeralKey.received(key, allowsCompression: false)
    } catch {
      throw ProximityError(.sessionKey, error.message, evidence: error.code.rawValue)
    }
  }
}

/// Every later message: encrypted data, a status, or both (ISO/IEC 18013-5, 9.1.1.4).
public struct SessionData: Sendable, Equatable {
  /// The encrypted request or response; nil if the message is a status only.
  public let data: [UInt8]?
  /// The status; nil if the session goes on.
  public let status: SessionStatus?

  /// Creates a message of data, a status, or both.
  public init(data: [UInt8]?, status: SessionStatus?) {
    self.data = data
    self.status = status
  }

  /// The encoded message.
  public var encoded: [UInt8] {
    CBORWriter.encode(capacity: (data?.count ?? 0) + 32) { writer in
      writer.map((data == nil ? 0 : 1) + (status == nil ? 0 : 1))
      if let data { writer.member(SessionEstablishment.Member.data) { $0.byteString(data) } }
      if let status { writer.member(SessionEstablishment.Member.status) { $0.unsigned(status.code) } }
    }
  }

  /// Reads a message. Unknown members are ignored. A message without data and status is refused: it says nothing.
  /// - Throws: ``ProximityError`` with `sessionSize` or `sessionCBOR`.
  public init(_ bytes: [UInt8]) throws(ProximityError) {
    let map = try Self.map(bytes)
    do {
      data = try map[SessionEstablishment.Member.data]?.bytes()
      status = try map[SessionEstablishment.Member.status].map { (item) throws(CBORError) in
        SessionStatus(code: try item.unsigned())
      }
    } catch {
      throw ProximityError(.sessionCBOR, error)
    }
    guard data != nil || status != nil else {
      throw ProximityError(.sessionCBOR, "the message has neither data nor a status")
    }
  }

  /// Reads the map of a session message.
  static func map(_ bytes: [UInt8]) throws(ProximityError) -> CBORMap {
    guard bytes.count <= ProximityLimits.messageBytes else {
      throw ProximityError(
        .sessionSize, "the message is larger than \(ProximityLimits.messageBytes) bytes",
        evidence: "\(bytes.count) bytes")
    }
    do { return try CBORReader.read(bytes, limits: ProximityLimits.message).map() } catch {
      throw ProximityError(.sessionCBOR, error)
    }
  }
}

/// The status of a session message (ISO/IEC 18013-5, table 20). Each one ends the session.
public enum SessionStatus: Sendable, Equatable, CustomStringConvertible {
  /// A message did not decrypt.
  case encryptionError
  /// A message was not CBOR of its form.
  case decodingError
  /// The session is over.
  case termination
  /// A code that the standard does not define.
  case undefined(UInt64)

  /// The status of a code.
  public init(code: UInt64) {
    self = [.encryptionError, .decodingError, .termination].first { $0.code == code } ?? .undefined(code)
  }

  /// The code.
  public var code: UInt64 {
    switch self {
    case .encryptionError: 10
    case .decodingError: 11
    case .termination: 20
    case .undefined(let code): code
    }
  }

  /// The meaning of the code.
  package var meaning: String {
    switch self {
    case .encryptionError: "session encryption error"
    case .decodingError: "CBOR decoding error"
    case .termination: "session termination"
    case .undefined: "not defined"
    }
  }

  /// The code and its meaning.
  public var description: String { "\(code) (\(meaning))" }
}

extension ProximityError {
  /// The status with which an end answers a message that breaks the rule.
  var status: SessionStatus {
    switch code {
    case .sessionCBOR: .decodingError
    case .sessionKey, .sessionCurve, .sessionAuthentication, .sessionCounter: .encryptionError
    default: .termination
    }
  }
}
