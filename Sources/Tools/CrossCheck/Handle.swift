/// A libcrypto object, freed with its last reference.
@safe final class Handle {
  /// A libcrypto function that frees an object.
  typealias Free = @convention(c) (OpaquePointer?) -> Void

  private let pointer: OpaquePointer
  private let free: Free

  /// Takes ownership of an object; nil if libcrypto returned none.
  init?(_ pointer: OpaquePointer?, freedBy free: @escaping Free) {
    guard let pointer = unsafe pointer else { return nil }
    unsafe self.pointer = pointer
    unsafe self.free = free
  }

  /// Parses an object; nil if the bytes are malformed or not used completely.
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
    // A parsed object is freed with this handle.
    guard isWhole else { return nil }
  }

  /// Lends the pointer for one call. Do not keep the address.
  func use<Result>(_ body: (OpaquePointer) -> Result) -> Result {
    withExtendedLifetime(self) { unsafe body(pointer) }
  }

  deinit { unsafe free(pointer) }
}
