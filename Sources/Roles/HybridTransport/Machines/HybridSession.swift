/// Both directions of an established session.
struct HybridSession: Sendable {
  private var writing: FrameCipher
  private var reading: FrameCipher

  init(_ keys: NoiseKeys) {
    writing = FrameCipher(key: keys.writing)
    reading = FrameCipher(key: keys.reading)
  }

  /// Encrypts a message as an end's conduct forms it.
  mutating func seal(_ plaintext: [UInt8], _ conduct: some FrameConduct) throws(HybridError) -> [UInt8] {
    try writing.seal(conduct.padded(FramePadding.pad(conduct.plaintext(plaintext))))
  }

  /// Decrypts a message and takes its padding off.
  mutating func open(_ message: [UInt8]) throws(HybridError) -> [UInt8] {
    try FramePadding.unpad(try reading.open(message))
  }
}
