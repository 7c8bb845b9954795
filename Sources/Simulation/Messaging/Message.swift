/// Bytes from one party to another.
public struct Message: Sendable, Equatable {
  /// The number in the world, from 1, assigned when the message is sent.
  public let number: Int
  /// The sender.
  public let sender: Party
  /// The recipient.
  public let recipient: Party
  /// The kind: an operation of the interface between the two parties.
  public let kind: MessageKind
  /// The media type of the bytes (RFC 6838).
  public let mediaType: String
  /// The content.
  public var bytes: [UInt8]
  /// The number of the message that this one answers.
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
  /// A certificate chain in PEM, leaf first (RFC 8555, 9.1).
  public static let certificateChain = "application/pem-certificate-chain"
  /// An HTTP message (RFC 9112, 10.1).
  public static let http = "message/http"
  /// A screen's content, or a tap on it, as JSON.
  public static let screen = "application/vnd.presentment.screen+json"
  /// A website's verified elements, as JSON.
  public static let verificationResult = "application/vnd.presentment.verification-result+json"
}
