import Certificates
import Crypto
import HybridTransport
import MobileDocument
import Primitives

/// Recognizes the content of a file and prints it with names and annotations.
///
/// A file holds one artifact in one of the ``InputForm``s, which are tried in their order:
///
/// ```
/// bytes -> form (raw, hexadecimal, base64url, PEM, JSON, trace) -> artifact -> lines, indented by two spaces
/// ```
///
/// Inspection trusts no input. It checks signatures and digests if the file contains everything needed, and reports the
/// result; reader and device signatures need the session transcript, which a file does not contain. Element values are
/// printed, because the user has the file. Private keys are not.
public enum Inspector {
  /// The longest input in bytes: the longest encrypted response, 4 MiB, takes 8 MiB in hexadecimal, and the trace of a long
  /// scenario contains a few large portraits several times.
  public static let maximumLength = 16 << 20

  /// Recognizes bytes and prints them.
  ///
  /// - Parameters:
  ///   - bytes: The content of a file.
  ///   - options: The amount of output.
  ///   - profile: The profile to check certificates against; nil for the profile that each seems to have.
  ///   - seal: The key of sealed bytes; nil for other content.
  ///   - recipientKey: The recipient's private key, which opens encrypted answers; nil without one.
  ///   - session: The session in person that is followed from one file to the next; nil without a key of it.
  /// - Returns: Lines of text, each with a line end, or the forms that were tried with the reason for each.
  public static func inspect(
    _ bytes: [UInt8], options: InspectionOptions = [], profile: CertificateProfile? = nil, seal: SealKey? = nil,
    recipientKey: P256.KeyAgreement.PrivateKey? = nil, following session: inout InPersonSession?
  ) -> Result<String, InspectionFailure> {
    guard !bytes.isEmpty else { return .failure(InspectionFailure(.empty)) }
    guard bytes.count <= maximumLength else {
      return .failure(InspectionFailure(.tooLarge, "\(bytes.count) bytes exceed the limit of \(maximumLength)"))
    }
    var attempts: [InspectionFailure.Attempt] = []
    for form in seal == nil ? InputForm.unsealed : InputForm.sealed {
      var outline = Outline(
        options: options, profile: profile, seal: seal, recipientKey: recipientKey, session: session)
      do throws(InspectionFailure) {
        try form.read(bytes, into: &outline)
        session = outline.session
        return .success(outline.rendered)
      } catch {
        attempts.append(InspectionFailure.Attempt(form: form, reason: error.message))
      }
    }
    return .failure(InspectionFailure(.unrecognized, attempts: attempts))
  }

  /// Recognizes bytes and prints them, without the key of a session in person.
  public static func inspect(
    _ bytes: [UInt8], options: InspectionOptions = [], profile: CertificateProfile? = nil, seal: SealKey? = nil,
    recipientKey: P256.KeyAgreement.PrivateKey? = nil
  ) -> Result<String, InspectionFailure> {
    var session: InPersonSession?
    return inspect(
      bytes, options: options, profile: profile, seal: seal, recipientKey: recipientKey, following: &session)
  }
}

/// The amount of an inspection's output.
public struct InspectionOptions: OptionSet, Sendable {
  /// The options as bits.
  public let rawValue: UInt8

  /// Creates options from their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Prints the offset of each CBOR item at the left, in bytes from the start of its artifact.
  public static let offsets = InspectionOptions(rawValue: 1)
  /// Prints long byte strings, texts and lists of digests whole.
  public static let full = InspectionOptions(rawValue: 2)
}

extension Inspector {
  /// The longest text for a screen, in bytes: more than a person reads, and few enough to draw at once.
  public static let shownBytes = 64 << 10

  /// Returns bytes for a screen: annotated if they are recognized, and as plain text otherwise. A text longer than
  /// ``shownBytes`` is truncated, with a final line that says so.
  public static func shown(_ bytes: [UInt8]) -> String {
    guard case .success(let text) = inspect(bytes) else { return cut(bytes) }
    return cut(Array(text.utf8))
  }

  private static func cut(_ text: [UInt8]) -> String {
    guard text.count > shownBytes else { return String(decoding: text, as: UTF8.self) }
    var end = shownBytes
    // Not inside a character (RFC 3629, 3).
    while end > shownBytes - 4, text[end] & 0xc0 == 0x80 { end -= 1 }
    return "\(String(decoding: text[..<end], as: UTF8.self))\n… and \(text.count - end) more bytes"
  }
}

/// The key of sealed bytes of CTAP's hybrid transport.
public enum SealKey: Sendable {
  /// The QR code whose secret opens an advert.
  case qrCode(QRPayload)
  /// The key of one direction of a session. Without a counter, the first counters are tried.
  case session(key: [UInt8], counter: UInt32?)

  /// The number of bytes of a session's key.
  public static let sessionKeyLength = 32

  /// The counters to try without a known one: a session with one request has fewer than ten messages.
  private static let firstCounters: ClosedRange<UInt32> = 0...255

  /// Writes bytes that the key opens.
  /// - Throws: ``InspectionFailure`` if it does not open them. Nothing is written then.
  func open(_ bytes: [UInt8], into outline: inout Outline) throws(InspectionFailure) {
    switch self {
    case .qrCode(let code):
      do throws(InspectionFailure) { return try outline.advert(bytes, for: code) } catch {
        // Advertising data around an advert.
        guard let serviceData = try? AdvertisingData.serviceData(in: bytes) else { throw error }
        try outline.advert(serviceData, for: code)
      }
    case .session(let key, let counter):
      try outline.sessionMessage(bytes, key: key, counters: counter.map { $0...$0 } ?? Self.firstCounters)
    }
  }
}
