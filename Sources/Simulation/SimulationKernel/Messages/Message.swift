/// Somebody in a world who sends and receives bytes and keeps the rest to itself: a trust domain.
public struct Party: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// What kind of party it is.
  public enum Role: String, Sendable, CaseIterable {
    case person
    case page
    case server
    case browser
    case operatingSystem = "os"
    case sandbox
    case app
    case issuer
    case readerAuthority = "reader-authority"
  }

  /// What kind of party it is.
  public let role: Role
  /// Which of its kind: a website, a device, an authority, or a device and its app.
  public let name: String

  /// A party from its role and name.
  public init(_ role: Role, _ name: String) {
    self.role = role
    self.name = name
  }

  /// Role and name, as the journal writes them: `app:kellys-iphone/Wallet`.
  public var description: String { "\(role.rawValue):\(name)" }

  /// In the order of their descriptions.
  public static func < (left: Party, right: Party) -> Bool { left.description < right.description }
}

/// Bytes from one party to another.
public struct Message: Sendable, Equatable {
  /// Number in the world, from 1; assigned when it is sent.
  public let number: Int
  /// Who sent it.
  public let sender: Party
  /// To whom.
  public let recipient: Party
  /// What it is about: an operation of the interface between the two.
  public let subject: String
  /// Media type of the bytes (RFC 6838).
  public let mediaType: String
  /// Content.
  public var bytes: [UInt8]
  /// Number of the message that this one answers.
  public let answers: Int?
}

/// Media types of a world's messages.
public enum MediaType {
  /// JSON (RFC 8259).
  public static let json = "application/json"
  /// CBOR (RFC 8949).
  public static let cbor = "application/cbor"
  /// A certificate request (RFC 5967).
  public static let certificateRequest = "application/pkcs10"
  /// A certificate in DER (RFC 2585).
  public static let certificate = "application/pkix-cert"
  /// A certificate with those that lead to its root, in PEM, leaf first (RFC 8555, 9.1).
  public static let certificateChain = "application/pem-certificate-chain"
  /// An HTTP message (RFC 9112, 10.1).
  public static let http = "message/http"
  /// What a screen shows, or what is tapped on it, as JSON.
  public static let screen = "application/vnd.presentment.screen+json"
  /// A website's answer with verified elements, as JSON.
  public static let verificationResult = "application/vnd.presentment.verification-result+json"
}
