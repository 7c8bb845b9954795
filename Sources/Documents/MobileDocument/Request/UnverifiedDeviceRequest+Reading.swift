import CBOR
import COSE

extension UnverifiedDeviceRequest {
  /// Reads the envelope: version, counts and signatures. Checks every ``RequestLimit`` that does not need the content.
  /// - Throws: ``DeviceRequestError``.
  public init(_ bytes: [UInt8]) throws(DeviceRequestError) {
    self = try DeviceRequestError.reading("DeviceRequest") { try Self(envelope: bytes) }
  }

  private init(envelope bytes: [UInt8]) throws {
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
    self.init(
      version: version,
      documentRequests: try requests.enumerated().map { position, request in
        let items = try request.required("itemsRequest")
        return DocumentRequest(
          itemsRequestBytes: [UInt8](items.encoded), itemsRequest: try items.embeddedBytes(),
          readerAuth: try request["readerAuth"].map {
            try Self.signature($0, name: "docRequests[\(position)].readerAuth")
          })
      },
      deviceRequestInfoBytes: information.map { [UInt8]($0.encoded) },
      deviceRequestInfo: try information?.embeddedBytes(),
      readerAuthAll: try all?.enumerated().map { try Self.signature($1, name: "readerAuthAll[\($0)]") } ?? [])
  }

  /// Reads a signature. Of its certificates, checks only the size.
  private static func signature(_ item: CBORItem, name: String) throws(DeviceRequestError) -> COSESign1 {
    try DeviceRequestError.reading(name) {
      let signature = try COSESign1(item)
      for certificate in signature.headers.x5chain ?? [] { try RequestLimit.certificate.check(certificate.count) }
      return signature
    }
  }
}
