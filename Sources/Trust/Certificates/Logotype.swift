import Crypto
import Primitives
import SwiftASN1
import X509

/// The picture of a certificate's subject (RFC 9399): a PNG image, or an SVG image that draws itself alone.
///
/// A certificate has the image itself, as a `data` URL (RFC 2397) with its digest, in the extension `id-pe-logotype`.
public struct Logotype: Sendable, Equatable {
  /// The formats that are read.
  public enum Format: String, Sendable, CaseIterable {
    /// Portable Network Graphics.
    case png = "image/png"
    /// Scalable Vector Graphics, not compressed.
    case svg = "image/svg+xml"
  }

  /// The format of the image.
  public let format: Format
  /// The image.
  public let bytes: [UInt8]

  /// The largest image, in bytes: in base64 it leaves room for the rest of a certificate.
  public static let maximumSize = 8 << 10
  /// The longest edge of a PNG image, in pixels. Compressed, a larger one may need memory out of all proportion.
  public static let maximumEdge = 1024

  static let identifier: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 1, 12]
  /// `subjectLogo` of `LogotypeExtn`.
  private static let subject = ASN1Identifier(tagWithNumber: 2, tagClass: .contextSpecific)
  /// `direct` of `LogotypeInfo`.
  private static let direct = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)

  /// Reads an image.
  /// - Throws: ``LogotypeError``.
  public init(_ bytes: [UInt8]) throws(LogotypeError) {
    guard bytes.count <= Self.maximumSize else {
      throw LogotypeError(
        .size, "the image is larger than \(Self.maximumSize) bytes", evidence: "\(bytes.count) bytes")
    }
    if bytes.starts(with: PNGImage.signature) {
      try PNGImage.check(bytes)
      format = .png
    } else {
      try StaticSVG.check(bytes)
      format = .svg
    }
    self.bytes = bytes
  }

  /// Reads an image in a `data` URL with base64.
  /// - Throws: ``LogotypeError``.
  public init(url: String) throws(LogotypeError) {
    let formats = Format.allCases.map { (format: $0, prefix: "data:\($0.rawValue);base64,") }
    // A scheme and a media type are the same in any case (RFC 3986, 3.1; RFC 9110, 8.3.1).
    guard let (stated, prefix) = formats.first(where: { url.prefix($0.prefix.count).lowercased() == $0.prefix }),
      let bytes = Base64.decode(String(url.dropFirst(prefix.count)))
    else { throw LogotypeError(.format, "the image is not PNG or SVG in a data URL with base64") }
    try self.init(bytes)
    guard format == stated else {
      throw LogotypeError(.format, "the image has another format than its media type", evidence: format.rawValue)
    }
  }

  /// The image as a `data` URL.
  public var url: String { "data:\(format.rawValue);base64,\(Base64.encode(bytes))" }

  /// Reads the subject's picture in a certificate; nil if it has none.
  /// - Throws: ``LogotypeError`` if it has one that cannot be shown: it cannot be read, has another digest, is not in the
  ///   certificate itself, or is not an image that this type allows.
  public init?(in certificate: Certificate) throws(LogotypeError) {
    guard let found = certificate.extensions[oid: Self.identifier] else { return nil }
    guard let pictures = try? Self.pictures(in: found.value) else {
      throw LogotypeError(.encoding, "the logotype is not encoded as RFC 9399 says")
    }
    let readable = pictures.filter { Format(rawValue: $0.mediaType) != nil }
    guard let picture = readable.first(where: { !$0.url.isEmpty }) ?? readable.first else {
      throw LogotypeError(.format, "no picture of the subject is PNG or SVG")
    }
    let image = try Self(url: picture.url)
    guard image.format.rawValue == picture.mediaType else {
      throw LogotypeError(.format, "the picture's URL has another media type than its description")
    }
    let digest = Array(SHA256.hash(data: image.bytes))
    guard !picture.digests.isEmpty, picture.digests.allSatisfy({ $0 == digest }) else {
      throw LogotypeError(.digest, "the image does not have the SHA-256 digest in the certificate")
    }
    self = image
  }

  /// Reads the descriptions of the subject's pictures. Those of communities and issuers do not matter.
  private static func pictures(in encoded: ArraySlice<UInt8>) throws -> [Details] {
    try DER.sequence(try DER.parse(encoded), identifier: .sequence) { kinds in
      var pictures: [Details] = []
      while let kind = kinds.next() {
        guard kind.identifier == subject else { continue }
        pictures += try DER.sequence(kind, identifier: subject) { info in
          guard let logo = info.next() else { throw ASN1Error.invalidASN1Object(reason: "no logotype") }
          // A reference to data elsewhere is of another kind, and not followed.
          guard logo.identifier == direct else { return [] }
          return try DER.sequence(logo, identifier: direct) { data in
            // Pictures may be missing beside a sound.
            var found: [Details] = []
            while let media = data.next() {
              guard media.identifier == .sequence else { continue }
              found += try DER.sequence(of: Details.self, identifier: .sequence, rootNode: media)
            }
            return found
          }
        }
      }
      return pictures
    }
  }

  func certificateExtension() throws -> Certificate.Extension {
    try Certificate.Extension(Self.identifier) { value in
      try value.appendConstructedNode(identifier: .sequence) { kinds in
        try kinds.appendConstructedNode(identifier: Self.subject) { info in
          try info.appendConstructedNode(identifier: Self.direct) { data in
            try data.appendConstructedNode(identifier: .sequence) { images in
              try images.appendConstructedNode(identifier: .sequence) { try $0.serialize(Details(of: self)) }
            }
          }
        }
      }
    }
  }
}

extension Logotype {
  /// A picture as a certificate describes it: `LogotypeImage`, of which `LogotypeDetails` are read.
  private struct Details: DERParseable, DERSerializable {
    /// The media type, in lower case.
    var mediaType: String
    /// The SHA-256 digests. RFC 9399 allows others beside them.
    var digests: [[UInt8]]
    var url: String

    private static let sha256: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 1]

    init(of logotype: Logotype) {
      mediaType = logotype.format.rawValue
      digests = [Array(SHA256.hash(data: logotype.bytes))]
      url = logotype.url
    }

    init(derEncoded node: ASN1Node) throws {
      self = try DER.sequence(node, identifier: .sequence) { image in
        guard let details = image.next() else { throw ASN1Error.invalidASN1Object(reason: "no details") }
        while image.next() != nil {}
        return try Self(details: details)
      }
    }

    private init(details: ASN1Node) throws {
      self = try DER.sequence(details, identifier: .sequence) { members in
        var read = try Self(mediaType: String(ASN1IA5String(derEncoded: &members)).lowercased())
        read.digests = try DER.sequence(of: Digest.self, identifier: .sequence, nodes: &members).compactMap(\.sha256)
        // Each address is another place of the same image.
        let addresses = try DER.sequence(of: ASN1IA5String.self, identifier: .sequence, nodes: &members)
        read.url = addresses.lazy.map(String.init).first { $0.prefix(5).lowercased() == "data:" } ?? ""
        return read
      }
    }

    private init(mediaType: String) { (self.mediaType, digests, url) = (mediaType, [], "") }

    func serialize(into coder: inout DER.Serializer) throws {
      try coder.appendConstructedNode(identifier: .sequence) { details in
        try details.serialize(ASN1IA5String(mediaType))
        try details.appendConstructedNode(identifier: .sequence) { list in
          for digest in digests {
            try list.appendConstructedNode(identifier: .sequence) { item in
              try item.appendConstructedNode(identifier: .sequence) { try $0.serialize(Self.sha256) }
              try item.serialize(ASN1OctetString(contentBytes: digest[...]))
            }
          }
        }
        try details.appendConstructedNode(identifier: .sequence) { try $0.serialize(ASN1IA5String(url)) }
      }
    }

    /// `HashAlgAndValue`.
    private struct Digest: DERParseable {
      /// The digest; nil if it is of another algorithm.
      var sha256: [UInt8]?

      init(derEncoded node: ASN1Node) throws {
        self = try DER.sequence(node, identifier: .sequence) { members in
          guard let algorithm = members.next() else { throw ASN1Error.invalidASN1Object(reason: "no algorithm") }
          let identifier = try ASN1ObjectIdentifier(ofAlgorithm: algorithm)
          let value = try ASN1OctetString(derEncoded: &members)
          return Digest(sha256: identifier == Details.sha256 ? Array(value.bytes) : nil)
        }
      }

      private init(sha256: [UInt8]?) { self.sha256 = sha256 }
    }
  }
}

/// The rule that the picture of a certificate's subject breaks.
public enum LogotypeErrorCode: String, Sendable, CaseIterable {
  case size = "logotype.size"
  case encoding = "logotype.encoding"
  case format = "logotype.format"
  case digest = "logotype.digest"
  case image = "logotype.image"
  case edge = "logotype.edge"
  case content = "logotype.content"
}

/// A picture that cannot be shown.
public typealias LogotypeError = CodedFailure<LogotypeErrorCode>

/// The parts of a PNG image (ISO/IEC 15948) that say how much memory it needs.
private enum PNGImage {
  static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  /// Length, type and check of a chunk, in bytes.
  private static let frame = 12

  /// Goes through the chunks: the header comes first, the end last, and nothing follows.
  static func check(_ bytes: [UInt8]) throws(LogotypeError) {
    var rest = bytes.dropFirst(signature.count)
    var isFirst = true
    while rest.count >= frame {
      let length = number(rest)
      let type = Array(rest.dropFirst(4).prefix(4))
      guard length <= rest.count - frame, isFirst == (type == Array("IHDR".utf8)) else { break }
      let content = rest.dropFirst(8).prefix(length)
      rest = rest.dropFirst(frame + length)
      if isFirst {
        guard length == 13 else { break }
        let (width, height) = (number(content), number(content.dropFirst(4)))
        guard (1...Logotype.maximumEdge).contains(width), (1...Logotype.maximumEdge).contains(height) else {
          throw LogotypeError(
            .edge, "an edge of the image is not of 1 to \(Logotype.maximumEdge) pixels",
            evidence: "\(width) x \(height)")
        }
      }
      isFirst = false
      if type == Array("IEND".utf8) {
        guard rest.isEmpty else { break }
        return
      }
    }
    throw LogotypeError(.image, "the PNG image is damaged")
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) } }
}
