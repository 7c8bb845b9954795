import COpenSSL

/// The system's libcrypto, as far as a second opinion needs it. It takes bytes and gives values; no pointer of libcrypto's
/// leaves this type, and nothing else here calls anything unsafe.
///
/// What libcrypto makes belongs to a ``Handle``, and is used only while a call to ``Handle/use(_:)`` or
/// `withExtendedLifetime` holds that. Buffers are Swift arrays, lent for the length of one call. Nothing is shared
/// between calls, so any number of threads may call.
enum Libcrypto {
  /// What libcrypto decides.
  enum Verdict: Equatable {
    case accepts
    /// It does not accept, with its reason.
    case refuses(String)
    /// It could not come to a decision: there is no room, or the bytes are too many.
    case undecided(String)
  }

  /// Longest input in bytes: no limit of presentment lets as much in, and every length of libcrypto's has room for it.
  static let maximumLength = 16 << 20

  private static let tooLong = Verdict.undecided("more than \(maximumLength) bytes")
  static let noRoom = Verdict.undecided("libcrypto has no room")

  /// SHA-256 of some bytes; nil when libcrypto cannot say.
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

  /// The hash that goes with a signature algorithm.
  enum Hash {
    case sha256, sha384, sha512
  }

  /// Whether r and s are an ECDSA signature of a message.
  ///
  /// - Parameters:
  ///   - signature: r and s, each as long as a coordinate of the key's curve.
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
    guard isOnCurve else { return .refuses("the key is of another kind") }
    guard signature.count == 2 * coordinateLength else {
      return .refuses("r and s take \(2 * coordinateLength) bytes")
    }
    guard let encoded = encodedSignature(signature) else { return noRoom }
    let digest =
      switch hash {
      case .sha256: unsafe EVP_sha256()
      case .sha384: unsafe EVP_sha384()
      case .sha512: unsafe EVP_sha512()
      }
    return unsafe verify(encoded, over: message, digest: digest, key: key)
  }

  /// Whether something is an Ed25519 signature of a message.
  static func ed25519(_ signature: [UInt8], over message: [UInt8], key: [UInt8]) -> Verdict {
    forgetErrors()
    guard signature.count <= maximumLength, message.count <= maximumLength, key.count <= maximumLength else {
      return tooLong
    }
    guard let key = publicKey(key) else { return .refuses(reason("the key cannot be read")) }
    guard unsafe key.use({ unsafe EVP_PKEY_get_base_id($0) }) == EVP_PKEY_ED25519 else {
      return .refuses("the key is of another kind")
    }
    return unsafe verify(signature, over: message, digest: nil, key: key)
  }

  /// Whether a certificate is signed with the private half of another one's key. Nothing else of either is looked at.
  static func signature(ofCertificate der: [UInt8], issuer: [UInt8]) -> Verdict {
    forgetErrors()
    guard der.count <= maximumLength, issuer.count <= maximumLength else { return tooLong }
    guard let certificate = certificate(der), let issuer = self.certificate(issuer) else {
      return .refuses(reason("a certificate cannot be read"))
    }
    return unsafe withKey(of: issuer) { key in unsafe certificate.use { unsafe verdict(X509_verify($0, key)) } }
  }

  /// Whether a list of revoked certificates is signed with the private half of a certificate's key.
  static func signature(ofRevocationList der: [UInt8], issuer: [UInt8]) -> Verdict {
    forgetErrors()
    guard der.count <= maximumLength, issuer.count <= maximumLength else { return tooLong }
    let list = unsafe Handle(reading: der, freedBy: X509_CRL_free) { unsafe d2i_X509_CRL(nil, $0, $1) }
    guard let list, let issuer = certificate(issuer) else {
      return .refuses(reason("the list or its issuer's certificate cannot be read"))
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

  /// Whether a certificate request is signed with the private half of the key that it names.
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

  /// r and s as DER (RFC 3279, 2.2.3); nil when there is no room.
  private static func encodedSignature(_ signature: [UInt8]) -> [UInt8]? {
    guard let pair = unsafe Handle(ECDSA_SIG_new(), freedBy: ECDSA_SIG_free) else { return nil }
    return unsafe pair.use { pair in
      let half = signature.count / 2
      let r = unsafe number(signature.prefix(half))
      let s = unsafe number(signature.suffix(half))
      // The pair owns both from here on, and neither when it does not take them.
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

  /// A number of at most a coordinate's length, which the caller frees; nil when there is no room.
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
          return .undecided(reason("libcrypto cannot begin"))
        }
        return unsafe signature.withUnsafeBufferPointer { signature in
          unsafe message.withUnsafeBufferPointer { message in
            // Of an empty array there may be no address, and libcrypto takes none.
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

  /// Takes away what earlier work left on this thread, so that no later refusal is explained by it.
  static func forgetErrors() { ERR_clear_error() }

  /// What is wrong, with libcrypto's own word where it left one, which is taken away.
  static func reason(_ sentence: String) -> String {
    let code = ERR_peek_last_error()
    ERR_clear_error()
    guard code != 0, let text = unsafe ERR_reason_error_string(code) else { return sentence }
    return unsafe "\(sentence): \(String(cString: text))"
  }
}
