import Primitives

/// A QR code (ISO/IEC 18004): the smallest symbol for a text.
///
/// A text of `FIDO:/` and digits takes an alphanumeric and a numeric segment, as on the screens of other
/// implementations. Other characters are written as UTF-8 without a mark: a reader guesses the encoding.
public struct QRSymbol: Sendable, Equatable {
  /// The levels of error correction that suit a screen.
  public enum Level: String, Sendable, CaseIterable {
    /// Restores about 7 percent of the codewords.
    case low = "L"
    /// Restores about 15 percent of the codewords.
    case medium = "M"

    var formatBits: Int {
      switch self {
      case .low: 0b01
      case .medium: 0b00
      }
    }
  }

  /// The version, which determines the size.
  public let version: Int
  /// The level of error correction.
  public let level: Level
  /// The mask.
  package let mask: QRMask
  /// The number of modules of each side, without the quiet zone.
  public let size: Int
  /// True for dark modules, row by row.
  private let modules: [Bool]

  /// Creates the smallest symbol for a text.
  /// - Throws: ``QRCodeError`` if the text is empty or too long.
  public init(_ text: String, level: Level = .medium) throws(QRCodeError) {
    try self.init(text, level: level, mask: nil)
  }

  /// Creates the smallest symbol for a text with a given mask.
  package init(_ text: String, level: Level, mask: QRMask?) throws(QRCodeError) {
    guard !text.isEmpty else { throw QRCodeError(.empty, "the text is empty") }
    var needed = 0
    for version in QRVersion.all {
      let segments = QRSegment.segments(of: text, in: version).flatMap { $0.bits(in: version) }
      needed = segments.count
      guard needed <= version.capacity(level) else { continue }
      let data = QRCodewords.data(segments, capacity: version.capacity(level))
      let plain = QRMatrix(version, codewords: QRCodewords.interleaved(data, in: version, level: level))
      let chosen =
        mask.map { (mask: $0, matrix: plain.masked($0, level: level)) } ?? QRMask.best(for: plain, level: level)
      self.version = version.number
      self.level = level
      self.mask = chosen.mask
      size = version.size
      modules = chosen.matrix.modules
      return
    }
    let most = QRVersion.all.last?.capacity(level) ?? 0
    throw QRCodeError(
      .tooLong, "the text is too long for a QR code of version \(QRVersion.largest) at level \(level.rawValue)",
      evidence: "\(needed) bits; at most \(most) bits fit")
  }

  /// Returns whether a module is dark. Modules around the symbol are light.
  public func isDark(row: Int, column: Int) -> Bool {
    let sides = 0..<size
    return sides.contains(row) && sides.contains(column) && modules[row * size + column]
  }
}

/// The reason why a text has no QR symbol.
public typealias QRCodeError = CodedFailure<QRCodeErrorCode>

/// The reasons.
public enum QRCodeErrorCode: String, Sendable, CaseIterable {
  /// An empty text.
  case empty = "qr.empty"
  /// A text that exceeds the largest supported version (``QRVersion/largest``).
  case tooLong = "qr.too-long"
}
