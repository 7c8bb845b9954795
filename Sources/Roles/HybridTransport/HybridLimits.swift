/// Limits of the hybrid transport.
package enum HybridLimits {
  /// The most digits of a QR code: the capacity of the largest symbol in numeric mode (ISO/IEC 18004, version 40-L).
  package static let digits = 7089
  /// The largest message of the tunnel: what Chromium's client receives, 1 MiB.
  package static let messageBytes = 1 << 20
  /// The longest advertising data: that of extended advertising (Bluetooth Core 5, Vol 6 Part B, 2.3.4.9).
  package static let advertisingBytes = 1650
  /// The most adverts that a client platform remembers as ignored. Later ones are decrypted again.
  package static let rememberedAdverts = 1024
}

/// A timer of a machine.
public enum HybridTimer: String, Sendable, CaseIterable {
  /// The client platform waits for a phone that scanned the QR code, and for Bluetooth before.
  case qrCode
  /// The client platform waits for the phone to close the tunnel after the shutdown message, or the phone for that
  /// message after its answer.
  case shutdown
  /// The phone waits between the tunnel and the advert.
  case advertDelay
  /// The phone waits for the client platform's first message.
  case connection
  /// The phone waits for the person's decision.
  case request

  /// The time after which the timer fires.
  public var duration: Duration {
    switch self {
    // Own rule: the standards leave it to the dialog. WebAuthn recommends 5 minutes as the shortest time of a ceremony.
    case .qrCode: .seconds(300)
    // Chromium's client.
    case .shutdown: .seconds(180)
    // Chromium's authenticator: the tunnel service must know the tunnel before a client platform hears the advert.
    case .advertDelay: .milliseconds(250)
    // Own rule: the lifetime of a tunnel in the test server of webauthn-rs.
    case .connection: .seconds(120)
    // Chromium's authenticator.
    case .request: .seconds(60)
    }
  }
}
