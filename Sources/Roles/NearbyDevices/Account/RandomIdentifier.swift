/// An identifier of one kind of thing: random bytes that are drawn once.
public struct RandomIdentifier<Subject>: Hashable, Sendable {
  /// The length in bytes.
  public static var length: Int { 16 }

  /// The bytes.
  public let bytes: [UInt8]

  /// Creates an identifier, or returns nil if the length is another one.
  public init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == Self.length else { return nil }
    self.bytes = [UInt8](bytes)
  }
}

/// The identifier of a device in its account.
public typealias DeviceIdentifier = RandomIdentifier<AccountCircle.Member>

/// The identifier of a session between a Mac and the iPhones of its account, which the Mac draws for each call of a page.
public typealias SessionIdentifier = RandomIdentifier<NearbyChannel>
