import CBOR
import COSE
import Certificates
import X509

extension UnverifiedDeviceRequest {
  /// Reads the envelope: version, counts, signatures and their certificates. Checks every ``RequestLimit`` that does not
  /// need the content.
  /// - Parameters:
  ///   - bytes: The encoded `DeviceRequest`.
  ///   - known: Certificates that the caller has read already. Those that the request has too are not read again.
  /// - Throws: ``DeviceRequestError``.
  public init(_ bytes: [UInt8], known: CertificateMemory = CertificateMemory()) throws(DeviceRequestError) {
    self = try DeviceRequestError.reading("DeviceRequest") { try Self(envelope: bytes, known: known) }
  }

  private init(envelope bytes: [UInt8], known: CertificateMemory) throws {
    try RequestLimit.deviceRequest.check(bytes.count)
    let map = try CBORReader.read(bytes, readingEmbedded: false).map()
    let version = try map.required("version").text()
    guard version.hasPrefix("1.") else {
      throw DeviceRequestError(.version, "version \(version.debugDescription) is not of major version 1")
    }
    let documents = try map.required("docRequests").array()
    try RequestLimit.documents.check(documents.count)
    guard !documents.isEmpty else { throw CBORError(.badValue, at: documents.offset, "docRequests is empty") }
    let requests = try documents.map { try $0.map() }
    // A 1.0 request does not have these members. Some readers send them as null.
    let all = try map["readerAuthAll"].flatMap { try $0.isNull ? nil : $0.array() }
    let information = map["deviceRequestInfo"].flatMap { $0.isNull ? nil : $0 }
    if let all, all.isEmpty { throw CBORError(.badValue, at: all.offset, "readerAuthAll is empty") }
    try RequestLimit.readerSignatures.check((all?.count ?? 0) + requests.filter { $0["readerAuth"] != nil }.count)
    var ofDocuments: [ReaderSignature] = []
    let documentRequests = try requests.enumerated().map { position, request in
      let items = try request.required("itemsRequest")
      let read = DocumentRequest(itemsRequestBytes: [UInt8](items.encoded), itemsRequest: try items.embeddedBytes())
      if let readerAuth = request["readerAuth"] {
        let name = "docRequests[\(position)].readerAuth"
        ofDocuments.append(try ReaderSignature(readerAuth, name: name, over: .document(position), known: known))
      }
      return read
    }
    let deviceRequestInfo = try information?.embeddedBytes()
    let ofAll = try all?.enumerated().map { position, item in
      try ReaderSignature(item, name: "readerAuthAll[\(position)]", over: .all, known: known)
    }
    self.init(
      version: version, documentRequests: documentRequests,
      deviceRequestInfoBytes: information.map { [UInt8]($0.encoded) }, deviceRequestInfo: deviceRequestInfo,
      signatures: (ofAll ?? []) + ofDocuments)
  }
}

extension UnverifiedDeviceRequest.ReaderSignature {
  /// Reads a signature and its certificates. Refuses only certificates that are too large.
  fileprivate init(
    _ item: CBORItem, name: String, over coverage: ReaderAuthentication.Coverage, known: CertificateMemory
  ) throws(DeviceRequestError) {
    let signature = try DeviceRequestError.reading(name) {
      let signature = try COSESign1(item)
      for certificate in signature.headers.x5chain ?? [] { try RequestLimit.certificate.check(certificate.count) }
      return signature
    }
    self.init(
      name: name, coverage: coverage, signature: signature,
      chain: Result { () throws(CertificateRuleError) in
        try CertificateChain.read(signature.headers.x5chain ?? [], known: known)
      })
  }
}
