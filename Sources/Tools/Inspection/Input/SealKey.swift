import HybridTransport
import Primitives

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
