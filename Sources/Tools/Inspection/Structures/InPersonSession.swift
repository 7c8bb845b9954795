import MobileDocument
import Primitives
import Proximity

/// A session in person that an inspection follows with the ephemeral private key of one end: the device engagement and the
/// session establishment give the session's keys (ISO/IEC 18013-5, 9.1.1.5), which open the messages after them.
public struct InPersonSession: Sendable, KeepsSecrets {
  /// A message that was opened.
  struct Opened {
    let sender: SessionCipher.Sender
    let counter: UInt32
    let plaintext: [UInt8]
  }

  private let ownKey: EphemeralPrivateKey
  private var engagement: DeviceEngagement?
  private var handover = Handover.qrCode
  /// The handover request of negotiated handover, which comes before the message that has the engagement.
  private var request: [UInt8]?
  private var ciphers: [SessionCipher] = []

  /// The messages of a direction that may be missing before one that is opened.
  private static let missingMessages: UInt32 = 16

  /// Follows a session with the ephemeral private key of the mdoc or of the reader.
  public init(_ ownKey: EphemeralPrivateKey) { self.ownKey = ownKey }

  /// Takes an engagement: that of a QR code, or once more that of a handover select message. Another one begins another
  /// session.
  mutating func engage(_ engagement: DeviceEngagement) {
    guard self.engagement?.bytes != engagement.bytes else { return }
    self = InPersonSession(ownKey)
    self.engagement = engagement
  }

  /// Takes a message of NFC's connection handover.
  mutating func engage(_ message: HandoverMessage) {
    guard let bytes = message.engagement, let engagement = try? DeviceEngagement(bytes, by: .nfc) else {
      return request = message.bytes
    }
    let request = request
    engage(engagement)
    handover = .nfc(select: message.bytes, request: request)
  }

  /// Derives the keys from a session establishment.
  /// - Throws: ``InspectionFailure`` if an engagement is missing, or the private key is of neither end.
  mutating func establish(_ establishment: SessionEstablishment) throws(InspectionFailure) {
    ciphers = []
    guard let engagement else {
      throw InspectionFailure("the device engagement is missing: it comes before the session's messages")
    }
    let transcript = SessionTranscript(
      deviceEngagement: engagement.bytes, readerKeyBytes: establishment.readerKey.bytes, handover: handover)
    let other: EphemeralKey
    if ownKey.publicKey == engagement.deviceKey.value {
      other = establishment.readerKey.value
    } else if ownKey.publicKey == establishment.readerKey.value {
      other = engagement.deviceKey.value
    } else {
      throw InspectionFailure("the ephemeral private key is neither the mdoc's nor the reader's")
    }
    do throws(ProximityError) {
      let keys = try SessionKeys(own: ownKey, other: other, transcript: transcript)
      ciphers = SessionCipher.Sender.allCases.map { SessionCipher($0, keys) }
    } catch {
      throw InspectionFailure(error.description)
    }
  }

  /// Opens the data of a message, of either direction, whose counter is the next one or a little after it.
  /// - Throws: ``InspectionFailure`` if it does not open.
  mutating func open(_ data: [UInt8]) throws(InspectionFailure) -> Opened {
    guard !ciphers.isEmpty else {
      throw InspectionFailure("the session establishment is missing: it comes before the other messages")
    }
    for index in ciphers.indices {
      var cipher = ciphers[index]
      for _ in 0..<Self.missingMessages {
        let counter = cipher.counter
        if let plaintext = try? cipher.open(data) {
          ciphers[index] = cipher
          return Opened(sender: cipher.sender, counter: counter, plaintext: plaintext)
        }
        guard (try? cipher.skip()) != nil else { break }
      }
    }
    throw InspectionFailure("it does not decrypt with a key of this session and its next counters")
  }
}
