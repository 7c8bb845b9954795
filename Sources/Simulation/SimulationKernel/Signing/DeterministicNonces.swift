import Crypto

/// The candidates for a message's secret k (RFC 6979, section 3.2), for P-256 with SHA-256. The first is nearly always
/// valid; the others are for the case that it is not a scalar from 1 to n - 1.
struct DeterministicNonces {
  private var keyed: HMAC<SHA256>
  private var value: HashedAuthenticationCode<SHA256>
  private var isFirst = true

  /// The state that depends on the private key alone: step d up to the message's digest.
  struct Start: Sendable {
    private let absorbed: HMAC<SHA256>
    private let privateKey: [UInt8]

    /// - Parameter privateKey: int2octets(x), 32 octets.
    init(privateKey: [UInt8]) {
      var authenticator = HMAC<SHA256>(key: SymmetricKey(data: [UInt8](repeating: 0x00, count: SHA256.byteCount)))
      authenticator.update(data: initialValue)
      authenticator.update(data: [0x00])
      authenticator.update(data: privateKey)
      absorbed = authenticator
      self.privateKey = privateKey
    }

    /// Steps b to g.
    ///
    /// - Parameter digest: bits2octets(h1), 32 octets: the message's digest modulo n.
    func nonces(forReducedDigest digest: [UInt8]) -> DeterministicNonces {
      var authenticator = absorbed
      authenticator.update(data: digest)
      var keyed = HMAC<SHA256>(key: SymmetricKey(data: authenticator.finalize()))
      let value = keyed.code(for: initialValue)

      keyed.update(data: Array(value))
      keyed.update(data: [0x01])
      keyed.update(data: privateKey)
      keyed.update(data: digest)
      keyed = HMAC<SHA256>(key: SymmetricKey(data: keyed.finalize()))
      return DeterministicNonces(keyed: keyed, value: keyed.code(for: Array(value)))
    }
  }

  private init(keyed: HMAC<SHA256>, value: HashedAuthenticationCode<SHA256>) {
    self.keyed = keyed
    self.value = value
  }

  /// Returns the next candidate of step h, 32 octets.
  mutating func next() -> HashedAuthenticationCode<SHA256> {
    if !isFirst {
      var authenticator = keyed
      authenticator.update(data: Array(value))
      authenticator.update(data: [0x00])
      keyed = HMAC<SHA256>(key: SymmetricKey(data: authenticator.finalize()))
      value = keyed.code(for: Array(value))
    }
    isFirst = false
    value = keyed.code(for: Array(value))
    return value
  }
}

/// V of step b.
private let initialValue = [UInt8](repeating: 0x01, count: SHA256.byteCount)

extension HMAC<SHA256> {
  /// Returns the code of `message` under this key; further messages may follow.
  fileprivate func code(for message: [UInt8]) -> HashedAuthenticationCode<SHA256> {
    var authenticator = self
    authenticator.update(data: message)
    return authenticator.finalize()
  }
}
