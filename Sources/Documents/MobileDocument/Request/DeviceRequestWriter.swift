import CBOR
import COSE

/// A relying party's request, to be signed and encoded.
public struct DeviceRequestDraft: Sendable {
  /// A reader that signs the request: a key and its certificate chain.
  public struct Reader: Sendable {
    package let signer: any ES256Signer
    package let chain: [[UInt8]]

    /// Creates a reader from its key and its DER certificates, leaf first, without the root.
    public init(signer: any ES256Signer, chain: [[UInt8]]) {
      self.signer = signer
      self.chain = chain
    }
  }

  /// The edition of the standard.
  public enum Version: String, Sendable {
    /// First edition: `readerAuth` on every document request, no use cases.
    case first = "1.0"
    /// Second edition: `readerAuthAll` and `deviceRequestInfo`.
    case second = "1.1"
  }

  /// The edition of the standard.
  public var version: Version
  /// The requested documents.
  public var documents: [ItemsRequest]
  /// The use cases. A 1.1 request without use cases is written with one for all documents.
  public var useCases: [DeviceRequestInfo.UseCase]

  /// Creates a draft.
  public init(version: Version = .second, documents: [ItemsRequest], useCases: [DeviceRequestInfo.UseCase] = []) {
    self.version = version
    self.documents = documents
    self.useCases = useCases
  }

  /// The use cases that are written: none in the first edition, at least one in the second.
  public var writtenUseCases: [DeviceRequestInfo.UseCase] {
    switch version {
    case .first: []
    case .second: useCases.isEmpty ? DeviceRequestInfo.all(documents: documents.count).useCases : useCases
    }
  }

  /// Signs the request once for each reader and encodes it.
  ///
  /// A 1.1 request carries one `readerAuthAll` entry for each reader. A 1.0 request carries the first reader's
  /// `readerAuth` on every document.
  /// - Returns: The encoded `DeviceRequest`.
  /// - Throws: A signer's error.
  public func encoded(signedFor readers: [Reader], over transcript: SessionTranscript) throws -> [UInt8] {
    try encoded(signedFor: readers) { parts, reader in
      try COSESign1.sign(
        payload: parts.payload(over: transcript), detached: true, x5chain: reader.chain, with: reader.signer)
    }
  }

  /// Writes the request with the reader authentications that the caller makes.
  /// - Parameter authentication: Returns the encoded COSE_Sign1 of a reader over these parts.
  /// - Throws: What `authentication` throws.
  package func encoded(
    signedFor readers: [Reader], authentication: (ReaderAuthenticationParts, Reader) throws -> [UInt8]
  ) throws -> [UInt8] {
    let items = documents.map { EncodedCBOR($0, encodedAs: $0.encoded).bytes }
    var signatures: [[UInt8]] = []
    var information: [UInt8]?
    switch version {
    case .first:
      guard let reader = readers.first else { break }
      for position in items.indices {
        let parts = ReaderAuthenticationParts(
          coverage: .document(position), itemsRequestBytes: items, deviceRequestInfoBytes: nil)
        signatures.append(try authentication(parts, reader))
      }
    case .second:
      let info = DeviceRequestInfo(useCases: writtenUseCases)
      let infoBytes = EncodedCBOR(info, encodedAs: info.encoded).bytes
      information = infoBytes
      let parts = ReaderAuthenticationParts(coverage: .all, itemsRequestBytes: items, deviceRequestInfoBytes: infoBytes)
      for reader in readers { signatures.append(try authentication(parts, reader)) }
    }
    return write(items: items, information: information, signatures: signatures)
  }

  private func write(items: [[UInt8]], information: [UInt8]?, signatures: [[UInt8]]) -> [UInt8] {
    let signsEach = version == .first && !signatures.isEmpty
    let signsAll = version == .second && !signatures.isEmpty
    return CBORWriter.encode(capacity: 2048) { writer in
      writer.map(2 + (information == nil ? 0 : 1) + (signsAll ? 1 : 0))
      writer.member("version") { $0.text(version.rawValue) }
      writer.text("docRequests")
      writer.array(items.count)
      for (position, item) in items.enumerated() {
        writer.map(signsEach ? 2 : 1)
        writer.member("itemsRequest") { $0.encoded(item) }
        if signsEach { writer.member("readerAuth") { $0.encoded(signatures[position]) } }
      }
      if signsAll { writer.member("readerAuthAll", each: signatures) { $0.encoded($1) } }
      if let information { writer.member("deviceRequestInfo") { $0.encoded(information) } }
    }
  }
}
