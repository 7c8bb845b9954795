/// Something of libcrypto's, freed when nobody holds it any longer.
@safe final class Handle {
  /// Frees it.
  typealias Free = @convention(c) (OpaquePointer?) -> Void

  private let pointer: OpaquePointer
  private let free: Free

  /// Takes over what libcrypto made; nil when it made nothing.
  init?(_ pointer: OpaquePointer?, freedBy free: @escaping Free) {
    guard let pointer = unsafe pointer else { return nil }
    unsafe self.pointer = pointer
    unsafe self.free = free
  }

  /// Reads something out of all of its bytes; nil when it cannot be read, or bytes are left over.
  convenience init?(
    reading der: [UInt8], freedBy free: @escaping Free,
    _ read: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?
  ) {
    var made: OpaquePointer?
    let isWhole = unsafe der.withUnsafeBufferPointer { bytes in
      var cursor = bytes.baseAddress
      guard let start = unsafe cursor else { return false }
      unsafe made = read(&cursor, bytes.count)
      return unsafe cursor == start + bytes.count
    }
    unsafe self.init(made, freedBy: free)
    // What was taken over is freed with this.
    guard isWhole else { return nil }
  }

  /// Lends it for the length of a call. The address must not be kept beyond.
  func use<Result>(_ body: (OpaquePointer) -> Result) -> Result {
    withExtendedLifetime(self) { unsafe body(pointer) }
  }

  deinit { unsafe free(pointer) }
}
