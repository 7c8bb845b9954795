import COpenSSL

extension Libcrypto {
  /// What libcrypto decides about a certificate chain.
  struct ChainVerdict: Equatable {
    let verdict: Verdict
    /// Algorithms of the keys and signatures on the path that it accepts, by libcrypto's names.
    var algorithms: [String] = []
  }

  /// Whether a path of RFC 5280, 6.1 leads from a certificate to an anchor at a time. Anchors need not be self-signed, and
  /// no purpose is demanded.
  ///
  /// - Parameter chain: certificates as DER, leaf first; the others may stand in any order.
  static func path(from chain: [[UInt8]], to anchors: [[UInt8]], secondsSince1970: Int64) -> ChainVerdict {
    forgetErrors()
    guard (chain + anchors).allSatisfy({ $0.count <= maximumLength }), let moment = time_t(exactly: secondsSince1970)
    else { return ChainVerdict(verdict: .undecided("more than \(maximumLength) bytes, or no time")) }
    let received = chain.compactMap(certificate)
    guard let leaf = received.first, received.count == chain.count else {
      return ChainVerdict(verdict: .refuses(reason("a certificate cannot be read")))
    }
    let trusted = anchors.compactMap(certificate)
    guard trusted.count == anchors.count else {
      return ChainVerdict(verdict: .refuses(reason("an anchor cannot be read")))
    }
    guard let store = unsafe Handle(X509_STORE_new(), freedBy: X509_STORE_free),
      let others = unsafe Handle(OPENSSL_sk_new_null(), freedBy: OPENSSL_sk_free),
      let context = unsafe Handle(X509_STORE_CTX_new(), freedBy: X509_STORE_CTX_free)
    else { return ChainVerdict(verdict: noRoom) }
    // The store counts its references; the list and the context do not, so everything is held to the end.
    return withExtendedLifetime((received, store, others, context)) {
      for anchor in trusted {
        let isAdded = unsafe store.use { store in unsafe anchor.use { unsafe X509_STORE_add_cert(store, $0) } }
        guard isAdded == 1 else { return ChainVerdict(verdict: noRoom) }
      }
      for other in received.dropFirst() {
        let count = unsafe others.use { others in
          unsafe other.use { unsafe OPENSSL_sk_push(others, UnsafeRawPointer($0)) }
        }
        guard count > 0 else { return ChainVerdict(verdict: noRoom) }
      }
      return unsafe context.use { context in
        let isReady = unsafe store.use { store in
          unsafe leaf.use { leaf in
            unsafe others.use { others in unsafe X509_STORE_CTX_init(context, store, leaf, others) }
          }
        }
        guard isReady == 1, let parameters = unsafe X509_STORE_CTX_get0_param(context) else {
          return ChainVerdict(verdict: noRoom)
        }
        unsafe X509_VERIFY_PARAM_set_time(parameters, moment)
        guard unsafe X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_PARTIAL_CHAIN)) == 1 else {
          return ChainVerdict(verdict: noRoom)
        }
        unsafe X509_STORE_CTX_set_verify_cb(context, acceptingLastSecond)
        let found = unsafe X509_verify_cert(context)
        let error = unsafe X509_STORE_CTX_get_error(context)
        if found == 1 {
          return unsafe ChainVerdict(verdict: .accepts, algorithms: algorithms(X509_STORE_CTX_get0_chain(context)))
        }
        ERR_clear_error()
        if found < 0 && error == X509_V_ERR_OUT_OF_MEM { return ChainVerdict(verdict: noRoom) }
        let text = unsafe X509_verify_cert_error_string(Int(error)).map { unsafe String(cString: $0) }
        let depth = unsafe X509_STORE_CTX_get_error_depth(context)
        return ChainVerdict(verdict: .refuses("\(text ?? "error \(error)"), certificate \(depth)"))
      }
    }
  }

  /// Why libcrypto does not look at a path at all, though RFC 5280, 6.1 has nothing against it; nil when it has no such
  /// reason. It chooses issuers by key identifiers, which RFC 5280, 4.2.1.1 has for guidance only.
  static func reasonToPassOver(_ path: [[UInt8]]) -> String? {
    let certificates = path.filter { $0.count <= maximumLength }.compactMap(certificate)
    guard certificates.count == path.count else { return nil }
    for position in certificates.indices.dropLast() {
      let result = unsafe certificates[position + 1].use { issuer in
        unsafe certificates[position].use { unsafe X509_check_issued(issuer, $0) }
      }
      switch result {
      case X509_V_ERR_AKID_SKID_MISMATCH, X509_V_ERR_AKID_ISSUER_SERIAL_MISMATCH:
        return "the key identifiers of certificates \(position) and \(position + 1) differ"
      default: continue
      }
    }
    return nil
  }

  /// A certificate is valid through the second of its notAfter (RFC 5280, 4.1.2.5), in which libcrypto finds it expired.
  private static let acceptingLastSecond: X509_STORE_CTX_verify_cb = { isAccepted, context in
    guard isAccepted == 0, unsafe X509_STORE_CTX_get_error(context) == X509_V_ERR_CERT_HAS_EXPIRED,
      let certificate = unsafe X509_STORE_CTX_get_current_cert(context),
      let parameters = unsafe X509_STORE_CTX_get0_param(context),
      unsafe ASN1_TIME_cmp_time_t(X509_get0_notAfter(certificate), X509_VERIFY_PARAM_get_time(parameters)) == 0
    else { return isAccepted }
    unsafe X509_STORE_CTX_set_error(context, X509_V_OK)
    return 1
  }

  /// Names of the algorithms of keys and signatures of a path, each once, in the path's order. The anchor's own signature
  /// is not among them: nobody checks it.
  private static func algorithms(_ path: OpaquePointer?) -> [String] {
    var names: [String] = []
    let count = unsafe OPENSSL_sk_num(path)
    for position in 0..<max(0, count) {
      guard let certificate = unsafe OPENSSL_sk_value(path, position).map({ OpaquePointer($0) }) else {
        continue
      }
      names.append(unsafe name(ofKey: X509_get0_pubkey(certificate)))
      if position < count - 1 {
        let text = unsafe OBJ_nid2sn(X509_get_signature_nid(certificate)).map { unsafe String(cString: $0) }
        names.append(text ?? "an unknown signature")
      }
    }
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  /// The name of a key's curve, or of its kind.
  private static func name(ofKey key: OpaquePointer?) -> String {
    guard let key = unsafe key else { return "an unknown key" }
    var length = 0
    var group = [CChar](repeating: 0, count: 80)
    let capacity = group.count
    let hasGroup = unsafe group.withUnsafeMutableBufferPointer {
      unsafe EVP_PKEY_get_group_name(key, $0.baseAddress, capacity, &length)
    }
    if hasGroup == 1 {
      return String(decoding: group.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    ERR_clear_error()
    return unsafe EVP_PKEY_get0_type_name(key).map { unsafe String(cString: $0) } ?? "an unknown key"
  }
}
