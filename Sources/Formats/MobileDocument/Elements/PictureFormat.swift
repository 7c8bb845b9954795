/// The formats that a portrait may have (ISO/IEC 18013-5, 7.2.1), known by the marks that they begin with.
public enum PictureFormat: String, Sendable, CaseIterable {
  case jpeg = "JPEG"
  case jpeg2000 = "JPEG 2000"
  case jpeg2000Codestream = "JPEG 2000 codestream"

  /// The format that bytes begin as, nil when it is none of these.
  public init?(of bytes: [UInt8]) {
    guard let format = Self.allCases.first(where: { bytes.starts(with: $0.mark) }) else { return nil }
    self = format
  }

  /// A marker of the start and another (ISO/IEC 10918-1, B.1.1.3), the signature box and the codestream's first markers
  /// (ISO/IEC 15444-1, I.5.1 and A.4.1).
  private var mark: [UInt8] {
    switch self {
    case .jpeg: [0xff, 0xd8, 0xff]
    case .jpeg2000: [0, 0, 0, 12, 0x6a, 0x50, 0x20, 0x20]
    case .jpeg2000Codestream: [0xff, 0x4f, 0xff, 0x51]
    }
  }
}
