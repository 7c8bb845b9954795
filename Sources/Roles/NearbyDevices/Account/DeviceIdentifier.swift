/// The identifier of a device in its account: random bytes that are drawn once.
public struct DeviceIdentifier: Hashable, Sendable {
  /// The length in bytes.
  public static let length = 16

  /// The bytes.
  public let bytes: [UInt8]

  /// Creates an identifier, or returns nil if the length is another one.
  public init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == Self.length else { return nil }
    self.bytes = [UInt8](bytes)
  }
}

/// The identifier of a session between a Mac and the iPhones of its account: random bytes that the Mac draws for each
/// call of a page.
public struct SessionIdentifier: Hashable, Sendable {
  /// The length in bytes.
  public static let length = 16

  /// The bytes.
  public let bytes: [UInt8]

  /// Creates an identifier, or returns nil if the length is another one.
  public init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == Self.length else { return nil }
    self.bytes = [UInt8](bytes)
  }
}
