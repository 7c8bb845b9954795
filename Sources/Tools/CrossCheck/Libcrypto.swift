import COpenSSL

/// The part of the system's libcrypto that the cross-check needs. It takes bytes and returns values. No libcrypto pointer
/// leaves this type, and no other type of this target calls unsafe code.
///
/// A ``Handle`` owns each libcrypto object, and ``Handle/use(_:)`` or `withExtendedLifetime` keeps it alive during use.
/// Buffers are Swift arrays, lent for one call. Calls share no state, so any number of threads may call.
enum Libcrypto {
  /// A decision of libcrypto.
  enum Verdict: Equatable {
    case accepts
    /// Refused, with libcrypto's reason.
    case refuses(String)
    /// Not decided: libcrypto is out of memory, or the input is too long.
    case undecided(String)
  }

  /// The longest input in bytes. Every limit of presentment is lower, and every length type of libcrypto holds it.
  static let maximumLength = 16 << 20

  private static let tooLong = Verdict.undecided("more than \(maximumLength) bytes")
  static let noRoom = Verdict.undecided("libcrypto is out of memory")

  /// Returns the SHA-256 digest of the bytes, or nil if libcrypto fails.
  static func sha256(_ bytes: [UInt8]) -> [UInt8]? {
    var digest = [UInt8](repeating: 0, count: 32)
    let length = bytes.count
    let isDone = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe digest.withUnsafeMutableBufferPointer { digest in
        unsafe EVP_Digest(bytes.baseAddress, length, digest.baseAddress, nil, EVP_sha256(), nil)
      }
    }
    return isDone == 1 ? digest : nil
  }

  /// The hash function of a signature algorithm.
  enum Hash {
    case sha256, sha384, sha512
  }

  /// Verifies an ECDSA signature.
  ///
  /// - Parameters:
  ///   - signature: R and s, each as long as a coordinate of the key's curve.
  ///   - key: DER of SubjectPublicKeyInfo.
  static func ecdsa(_ signature: [UInt8], over message: [UInt8], hash: Hash, key: [UInt8]) -> Verdict {
    forgetErrors()
    guard signature.count <= maximumLength, message.count <= maximumLength, key.count <= maximumLength else {
      return tooLong
    }
    guard let key = publicKey(key) else { return .refuses(reason("the key cannot be read")) }
    let (isOnCurve, coordinateLength) = unsafe key.use { key in
      unsafe (EVP_PKEY_get_base_id(key) == EVP_PKEY_EC, (Int(EVP_PKEY_get_bits(key)) + 7) / 8)
    }
    guard isOnCurve else { return .refuses("the key has another type") }
    guard signature.count == 2 * coordinateLength else { return .refuses("r and s take \(2 * coordinateLength) bytes") }
    guard let encoded = encodedSignature(signature) else { return noRoom }
    let digest =
      switch hash {
      case .sha256: unsafe EVP_sha256()
      case .sha384: unsafe EVP_sha384()
      case .sha512: unsafe EVP_sha512()
      }
    return unsafe verify(encoded, over: message, digest: digest, key: key)
  }

  /// Verifies an Ed25519 signature.
  static func ed25519(_ signature: [UInt8], over message: [UInt8], key: [UInt8]) -> Verdict {
    forgetErrors()
    guard signature.count <= maximumLength, message.count <= maximumLength, key.count <= maximumLength else {
      return tooLong
    }
    guard let key = publicKey(key) else { return .refuses(reason("the key cannot be read")) }
    guard unsafe key.use({ unsafe EVP_PKEY_get_base_id($0) }) == EVP_PKEY_ED25519 else {
      return .refuses("the key has another type")
    }
    return unsafe verify(signature, over: message, digest: nil, key: key)
  }

  /// Verifies a certificate's signature with its issuer's key. No other field of either certificate is checked.
  static func signature(ofCertificate der: [UInt8], issuer: [UInt8]) -> Verdict {
    forgetErrors()
    guard der.count <= maximumLength, issuer.count <= maximumLength else { return tooLong }
    guard let certificate = certificate(der), let issuer = self.certificate(issuer) else {
      return .refuses(reason("a certificate cannot be read"))
    }
    return unsafe withKey(of: issuer) { key in unsafe certificate.use { unsafe verdict(X509_verify($0, key)) } }
  }

  /// Verifies the signature of a certificate revocation list with its issuer's key.
  static func signature(ofRevocationList der: [UInt8], issuer: [UInt8]) -> Verdict {
    forgetErrors()
    guard der.count <= maximumLength, issuer.count <= maximumLength else { return tooLong }
    let list = unsafe Handle(reading: der, freedBy: X509_CRL_free) { unsafe d2i_X509_CRL(nil, $0, $1) }
    guard let list, let issuer = certificate(issuer) else {
      return .refuses(reason("the revocation list or its issuer's certificate cannot be read"))
    }
    return unsafe withKey(of: issuer) { key in unsafe list.use { unsafe verdict(X509_CRL_verify($0, key)) } }
  }

  private static func withKey(of certificate: Handle, _ body: (OpaquePointer) -> Verdict) -> Verdict {
    unsafe certificate.use { certificate in
      guard let key = unsafe X509_get0_pubkey(certificate) else {
        return .refuses(reason("the issuer's key cannot be read"))
      }
      return unsafe body(key)
    }
  }

  /// Verifies the signature of a certificate request with the key that it contains.
  static func signature(ofCertificateRequest der: [UInt8]) -> Verdict {
    forgetErrors()
    guard der.count <= maximumLength else { return tooLong }
    let request = unsafe Handle(reading: der, freedBy: X509_REQ_free) { unsafe d2i_X509_REQ(nil, $0, $1) }
    guard let request else { return .refuses(reason("the request cannot be read")) }
    return unsafe request.use { request in
      guard let key = unsafe X509_REQ_get0_pubkey(request) else { return .refuses(reason("its key cannot be read")) }
      return unsafe verdict(X509_REQ_verify(request, key))
    }
  }

  private static func publicKey(_ der: [UInt8]) -> Handle? {
    unsafe Handle(reading: der, freedBy: EVP_PKEY_free) { unsafe d2i_PUBKEY(nil, $0, $1) }
  }

  static func certificate(_ der: [UInt8]) -> Handle? {
    unsafe Handle(reading: der, freedBy: X509_free) { unsafe d2i_X509(nil, $0, $1) }
  }

  /// Returns r and s as DER (RFC 3279, 2.2.3), or nil if libcrypto is out of memory.
  private static func encodedSignature(_ signature: [UInt8]) -> [UInt8]? {
    guard let pair = unsafe Handle(ECDSA_SIG_new(), freedBy: ECDSA_SIG_free) else { return nil }
    return unsafe pair.use { pair in
      let half = signature.count / 2
      let r = unsafe number(signature.prefix(half))
      let s = unsafe number(signature.suffix(half))
      // On success the pair owns both numbers; on failure the caller still owns them.
      guard unsafe ECDSA_SIG_set0(pair, r, s) == 1 else {
        unsafe BN_free(r)
        unsafe BN_free(s)
        return nil
      }
      let length = unsafe i2d_ECDSA_SIG(pair, nil)
      guard length > 0 else { return nil }
      var encoded = [UInt8](repeating: 0, count: Int(length))
      let written = unsafe encoded.withUnsafeMutableBufferPointer { buffer in
        var cursor = buffer.baseAddress
        return unsafe i2d_ECDSA_SIG(pair, &cursor)
      }
      return written == length ? encoded : nil
    }
  }

  /// Returns a number of at most a coordinate's length, which the caller frees, or nil if libcrypto is out of memory.
  private static func number(_ bytes: ArraySlice<UInt8>) -> OpaquePointer? {
    let length = Int32(truncatingIfNeeded: bytes.count)
    return unsafe bytes.withUnsafeBufferPointer { unsafe BN_bin2bn($0.baseAddress, length, nil) }
  }

  private static func verify(
    _ signature: [UInt8], over message: [UInt8], digest: OpaquePointer?, key: Handle
  ) -> Verdict {
    guard let context = unsafe Handle(EVP_MD_CTX_new(), freedBy: EVP_MD_CTX_free) else { return noRoom }
    return unsafe context.use { context in
      unsafe key.use { key in
        guard unsafe EVP_DigestVerifyInit(context, nil, digest, nil, key) == 1 else {
          return .undecided(reason("libcrypto cannot start the verification"))
        }
        return unsafe signature.withUnsafeBufferPointer { signature in
          unsafe message.withUnsafeBufferPointer { message in
            // An empty array may have no address, and libcrypto requires one.
            var none: UInt8 = 0
            return unsafe withUnsafePointer(to: &none) { none in
              unsafe verdict(
                EVP_DigestVerify(
                  context, signature.baseAddress ?? none, signature.count, message.baseAddress ?? none, message.count))
            }
          }
        }
      }
    }
  }

  private static func verdict(_ result: Int32) -> Verdict {
    result == 1 ? .accepts : .refuses(reason("the signature does not verify"))
  }

  /// Clears the errors that earlier calls left on this thread, so that they do not explain a later refusal.
  static func forgetErrors() { ERR_clear_error() }

  /// Returns the message with libcrypto's last error, if any, and clears that error.
  static func reason(_ message: String) -> String {
    let code = ERR_peek_last_error()
    ERR_clear_error()
    guard code != 0, let text = unsafe ERR_reason_error_string(code) else { return message }
    return unsafe "\(message): \(String(cString: text))"
  }
}

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
  func use<Result>(_ body: (OpaquePointer) -> Result) -> Result { withExtendedLifetime(self) { unsafe body(pointer) } }

  deinit { unsafe free(pointer) }
}
