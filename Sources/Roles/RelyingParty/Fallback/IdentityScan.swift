import Primitives

/// A picture of an identity document that a person uploads where a presentment is not possible.
public struct IdentityScan: Sendable, Equatable {
  /// The kinds of pictures that a website takes, by media type.
  public enum Format: String, CaseIterable, Sendable {
    /// JPEG.
    case jpeg = "image/jpeg"
    /// PNG.
    case png = "image/png"
    /// HEIC.
    case heic = "image/heic"

    /// Returns true if bytes begin as a file of this kind does.
    func recognizes(_ bytes: [UInt8]) -> Bool {
      switch self {
      case .jpeg: bytes.starts(with: [0xFF, 0xD8, 0xFF])
      case .png: bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
      // A box of type `ftyp` with a brand of HEIF (ISO/IEC 23008-12).
      case .heic: bytes.dropFirst(4).starts(with: Array("ftyp".utf8)) && bytes.count > 12
      }
    }
  }

  /// The name of the form's field.
  public static let fieldName = "picture"
  /// The maximum size of a picture in bytes: a photograph of a telephone.
  public static let maximumLength = 16 << 20

  /// The name of the file, as the person's device has it.
  public let fileName: String
  /// The kind of picture.
  public let format: Format
  /// The picture.
  public let bytes: [UInt8]

  /// Reads the picture in a form.
  /// - Parameters:
  ///   - body: The body of the form's request.
  ///   - contentType: The header `Content-Type` of the request.
  ///   - limit: The maximum size in bytes.
  /// - Throws: ``ScanError``.
  public init(_ body: [UInt8], contentType: String, upTo limit: Int = maximumLength) throws(ScanError) {
    guard let form = MultipartForm(body, contentType: contentType) else { throw ScanError(.form) }
    try self.init(form, upTo: limit)
  }

  /// Reads the picture in a form.
  /// - Parameter limit: The maximum size in bytes.
  /// - Throws: ``ScanError``.
  package init(_ form: MultipartForm, upTo limit: Int = maximumLength) throws(ScanError) {
    guard let part = form.part(Self.fieldName), let fileName = part.fileName else { throw ScanError(.missing) }
    guard !part.bytes.isEmpty else { throw ScanError(.empty) }
    guard part.bytes.count <= limit else {
      throw ScanError(.tooLarge, evidence: "\(part.bytes.count) bytes, the limit is \(limit)")
    }
    guard let format = part.mediaType.flatMap(Format.init(rawValue:)) else {
      let known = Format.allCases.map(\.rawValue).joined(separator: ", ")
      throw ScanError(.type, evidence: "\(part.mediaType ?? "no media type"), expected \(known)")
    }
    guard format.recognizes(part.bytes) else { throw ScanError(.content, evidence: "not \(format.rawValue)") }
    self.fileName = fileName
    self.format = format
    bytes = part.bytes
  }
}

/// The refusal of an uploaded picture.
public struct ScanError: CodedError, Equatable {
  /// The kinds of refusals.
  public enum Code: String, CaseIterable, Sendable {
    /// The upload is not a form.
    case form = "scan.form"
    /// The form contains no picture.
    case missing = "scan.missing"
    /// The picture is empty.
    case empty = "scan.empty"
    /// The picture is too large.
    case tooLarge = "scan.too-large"
    /// The declared type of the picture is not accepted.
    case type = "scan.type"
    /// The content is not of the declared type.
    case content = "scan.content"
    /// The order of the upload is unknown.
    case session = "scan.session"

    /// A human-readable description of the refusal.
    var message: String {
      switch self {
      case .form: "the upload is not a form"
      case .missing: "the form contains no picture"
      case .empty: "the picture is empty; choose another file"
      case .tooLarge: "the picture is too large; choose a smaller one"
      case .type: "the file is not a picture; choose a photograph of your ID"
      case .content: "the file is not the picture that its type says; choose another file"
      case .session: "the order is unknown; open the page again"
      }
    }
  }

  /// The kind of refusal.
  public let code: Code
  /// The value found.
  public let evidence: String?
  /// A human-readable description of the refusal.
  public var message: String { code.message }

  /// Creates a refusal.
  public init(_ code: Code, evidence: String? = nil) {
    self.code = code
    self.evidence = evidence
  }
}
