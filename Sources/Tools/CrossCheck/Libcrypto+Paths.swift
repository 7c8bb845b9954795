import COpenSSL

extension Libcrypto {
  /// A decision of libcrypto about a certificate chain.
  struct ChainVerdict: Equatable {
    let verdict: Verdict
    /// The algorithms of the keys and signatures on an accepted path, by libcrypto's names.
    var algorithms: [String] = []
  }

  /// Searches for a valid path (RFC 5280, 6.1) from a certificate to an anchor. Anchors need not be self-signed, and no
  /// purpose is required.
  ///
  /// - Parameters:
  ///   - chain: Certificates as DER, the leaf first, the others in any order.
  ///   - anchors: Trusted certificates as DER.
  ///   - secondsSince1970: The time of the validation.
  static func path(from chain: [[UInt8]], to anchors: [[UInt8]], secondsSince1970: Int64) -> ChainVerdict {
    forgetErrors()
    guard (chain + anchors).allSatisfy({ $0.count <= maximumLength }), let moment = time_t(exactly: secondsSince1970)
    else { return ChainVerdict(verdict: .undecided("more than \(maximumLength) bytes, or a time out of range")) }
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
    // The store retains its certificates; the list and the context do not, so all of them are kept alive to the end.
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

  /// Returns the reason why libcrypto skips a path that RFC 5280, 6.1 allows, or nil if it does not skip it. libcrypto
  /// selects issuers by key identifier, which RFC 5280, 4.2.1.1 means for guidance only.
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

  /// Accepts a certificate at exactly its notAfter: RFC 5280, 4.1.2.5 includes that second, libcrypto excludes it.
  private static let acceptingLastSecond: X509_STORE_CTX_verify_cb = { isAccepted, context in
    guard isAccepted == 0, unsafe X509_STORE_CTX_get_error(context) == X509_V_ERR_CERT_HAS_EXPIRED,
      let certificate = unsafe X509_STORE_CTX_get_current_cert(context),
      let parameters = unsafe X509_STORE_CTX_get0_param(context),
      unsafe ASN1_TIME_cmp_time_t(X509_get0_notAfter(certificate), X509_VERIFY_PARAM_get_time(parameters)) == 0
    else { return isAccepted }
    unsafe X509_STORE_CTX_set_error(context, X509_V_OK)
    return 1
  }

  /// The key and signature algorithms of a path, each once, in path order, without the anchor's own signature, which is
  /// never verified.
  private static func algorithms(_ path: OpaquePointer?) -> [String] {
    var names: [String] = []
    let count = unsafe OPENSSL_sk_num(path)
    for position in 0..<max(0, count) {
      guard let certificate = unsafe OPENSSL_sk_value(path, position).map({ OpaquePointer($0) }) else { continue }
      names.append(unsafe name(ofKey: X509_get0_pubkey(certificate)))
      if position < count - 1 {
        let text = unsafe OBJ_nid2sn(X509_get_signature_nid(certificate)).map { unsafe String(cString: $0) }
        names.append(text ?? "an unknown signature")
      }
    }
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  /// The name of a key's curve, or of its type.
  private static func name(ofKey key: OpaquePointer?) -> String {
    guard let key = unsafe key else { return "an unknown key" }
    var length = 0
    var group = [CChar](repeating: 0, count: 80)
    let capacity = group.count
    let hasGroup = unsafe group.withUnsafeMutableBufferPointer {
      unsafe EVP_PKEY_get_group_name(key, $0.baseAddress, capacity, &length)
    }
    if hasGroup == 1 { return String(decoding: group.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self) }
    ERR_clear_error()
    return unsafe EVP_PKEY_get0_type_name(key).map { unsafe String(cString: $0) } ?? "an unknown key"
  }
}
