import CBOR
import COSE
import Checks
import Crypto
import MobileDocument
import Primitives
import WebPresentment

/// The inputs of a session transcript, and other known values that a wallet may have used instead.
public struct TranscriptInputs: Sendable {
  /// The base64url text of `EncryptionInfo` as the page sent it.
  public let encryptionInfoText: String
  /// The serialized origin of the page.
  public let origin: String
  /// Other origins and addresses that the page has to do with.
  public let surroundings: Surroundings
  /// Other sessions of the same server, newest first.
  public let otherSessions: [OtherSession]
  /// The requests with OpenID4VP in the same call.
  public let openID4VP: [OpenID4VPTranscriptInputs]

  /// The surroundings of a page: origins and addresses that a wallet may mistake for its origin.
  public struct Surroundings: Sendable, Equatable {
    /// Origins of the frame that calls, when it is embedded in the page.
    public var frameOrigins: [String]
    /// Origins of the page that embeds the one that calls.
    public var topLevelOrigins: [String]
    /// Addresses of the page with their paths.
    public var addresses: [String]

    /// Surroundings from their parts; none when nothing is known.
    public init(frameOrigins: [String] = [], topLevelOrigins: [String] = [], addresses: [String] = []) {
      self.frameOrigins = frameOrigins
      self.topLevelOrigins = topLevelOrigins
      self.addresses = addresses
    }
  }

  /// The inputs of the transcript of another session.
  public struct OtherSession: Sendable, Equatable {
    /// Identifier of the session; no secret.
    public let identifier: String
    /// The base64url text of its `EncryptionInfo`.
    public let encryptionInfoText: String
    /// Its origin.
    public let origin: String

    /// Creates a session.
    public init(identifier: String, encryptionInfoText: String, origin: String) {
      self.identifier = identifier
      self.encryptionInfoText = encryptionInfoText
      self.origin = origin
    }
  }

  /// Inputs from their parts.
  public init(
    encryptionInfoText: String, origin: String, surroundings: Surroundings = Surroundings(),
    otherSessions: [OtherSession] = [], openID4VP: [OpenID4VPTranscriptInputs] = []
  ) {
    self.encryptionInfoText = encryptionInfoText
    self.origin = origin
    self.surroundings = surroundings
    self.otherSessions = otherSessions
    self.openID4VP = openID4VP
  }

  /// The transcript that is right.
  public var sessionTranscript: SessionTranscript {
    EncryptionInfo.sessionTranscript(encryptionInfoText: encryptionInfoText, origin: origin)
  }
}

/// The inputs of transcripts as variants use them, read once for all variants.
struct ReadTranscriptInputs {
  let given: TranscriptInputs
  /// The encoded transcript that is right.
  let sessionTranscript: [UInt8]
  /// The parts of the encryption information; nil for another text.
  let parsed: ParsedEncryptionInfo?
  /// The parts of the origin; nil for another text.
  let originParts: OriginParts?

  init(_ inputs: TranscriptInputs) {
    given = inputs
    sessionTranscript = inputs.sessionTranscript.encoded
    parsed = ParsedEncryptionInfo(text: inputs.encryptionInfoText)
    originParts = OriginParts(inputs.origin)
  }
}

/// The parts of the encryption information that variants use. None of it is trusted.
struct ParsedEncryptionInfo: Sendable {
  /// The encoded item.
  let bytes: [UInt8]
  /// The item's value.
  let value: CBORValue
  /// `EncryptionParameters`: the second element of the array as sent.
  let parameters: [UInt8]
  let nonce: [UInt8]
  /// The key's 65 bytes.
  let keyBytes: [UInt8]

  init?(text: String) {
    guard text.utf8.count <= RequestLimit.encryptionInfo.maximum, let bytes = Base64URL.decode(text),
      let item = try? CBORReader.read(bytes, leniency: .received), let second = (try? item.array(count: 2))?[1],
      let members = try? second.map(), let nonce = try? members.required("nonce").bytes(),
      let key = try? COSEKey.p256KeyAgreementKey(reading: members.required("recipientPublicKey"))
    else { return nil }
    self.bytes = bytes
    value = CBORValue(item)
    parameters = [UInt8](second.encoded)
    self.nonce = nonce
    keyBytes = [UInt8](key.x963Representation)
  }

  /// SHA-256 of the key's 65 bytes.
  var keyDigest: [UInt8] { TranscriptParts.digest(keyBytes) }

  /// The thumbprint of the key as a JWK (RFC 7638): SHA-256 of its required members in alphabetical order.
  var keyThumbprint: [UInt8] {
    let (x, y) = (Base64URL.encode(keyBytes[1..<33]), Base64URL.encode(keyBytes[33...]))
    return Array(SHA256.hash(data: Array(#"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#.utf8)))
  }
}

/// Scheme, host and port of an origin as it is written, without judging it.
struct OriginParts: Sendable, Equatable {
  let scheme: String
  let host: String
  let port: String?

  init?(_ origin: String) {
    guard let mark = origin.firstRange(of: "://") else { return nil }
    scheme = String(origin[..<mark.lowerBound])
    let rest = origin[mark.upperBound...].prefix { $0 != "/" }
    guard !scheme.isEmpty, !rest.isEmpty else { return nil }
    // The colons of an IPv6 address are in brackets.
    if let colon = rest.lastIndex(of: ":"), !rest[colon...].contains("]") {
      host = String(rest[..<colon])
      port = String(rest[rest.index(after: colon)...])
    } else {
      host = String(rest)
      port = nil
    }
  }

  /// The origin with another host.
  func with(host: String) -> String { "\(scheme)://\(host)\(portSuffix)" }

  var portSuffix: String { port.map { ":\($0)" } ?? "" }
}
