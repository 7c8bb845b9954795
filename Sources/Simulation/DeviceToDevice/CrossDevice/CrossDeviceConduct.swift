import HybridTransport
import Vocabulary

/// The conduct of the parts of a world that reach other devices. Every requirement is honest by default.
package protocol CrossDeviceConduct: Sendable {
  /// Returns the conduct of a client platform in a new session.
  func clientPlatform(at station: Station) -> any ClientPlatformConduct
  /// Returns the conduct of a phone in a new session.
  func authenticator(at station: Station) -> any AuthenticatorConduct
  /// Returns the messages that a tunnel service delivers for one that an end sent.
  func delivered(_ message: TunnelMessage, at station: Station) -> [TunnelMessage]
}

extension CrossDeviceConduct {
  /// The conduct of an honest client platform.
  package func clientPlatform(at station: Station) -> any ClientPlatformConduct { HonestConduct() }
  /// The conduct of an honest phone.
  package func authenticator(at station: Station) -> any AuthenticatorConduct { HonestConduct() }
  /// The message itself.
  package func delivered(_ message: TunnelMessage, at station: Station) -> [TunnelMessage] { [message] }
}

/// The conduct of honest parts.
package struct HonestCrossDeviceConduct: CrossDeviceConduct {
  /// Creates the conduct.
  package init() {}
}

/// A message that a tunnel service delivers.
package struct TunnelMessage: Sendable, Equatable {
  /// The end that sent the message.
  package enum Sender: Sendable, Equatable {
    case authenticator, clientPlatform
  }

  /// The end that sent it.
  package let sender: Sender
  /// The bytes.
  package var bytes: [UInt8]
  /// True if it goes back to the end that sent it.
  package var isReflected = false

  /// The number of bytes of both messages of the handshake.
  private static let handshakeLength = 81

  /// True for a message of the handshake, whose length every relay knows.
  package var isHandshake: Bool { bytes.count == Self.handshakeLength }
}
