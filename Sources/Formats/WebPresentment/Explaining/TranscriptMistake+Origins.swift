import Checks
import MobileDocument

/// Mistakes in the origin.
extension TranscriptMistake {
  /// Paths that are guessed when no address of the page is known: under which verifiers often have their page.
  static let commonPaths = ["/verify", "/login", "/index.html"]

  func originTranscripts(from inputs: TranscriptInputs) -> [WrongTranscript] {
    if self == .originAbsent {
      return [originTranscript(TranscriptParts.null, "null, which is no text", inputs)]
    }
    return origins(from: inputs).filter { !$0.utf8.elementsEqual(inputs.origin.utf8) }.map {
      originTranscript(TranscriptParts.text($0), $0.isEmpty ? "an empty text" : $0, inputs)
    }
  }

  private func originTranscript(
    _ item: [UInt8], _ found: String, _ inputs: TranscriptInputs
  ) -> WrongTranscript {
    let info = TranscriptParts.info(TranscriptParts.text(inputs.encryptionInfoText), item)
    return WrongTranscript(
      self, encoded: TranscriptParts.transcript(handoverInfo: info),
      [CheckResult.Evidence("origin", expected: inputs.origin, found: found)])
  }

  /// The texts that stand in for the origin.
  private func origins(from inputs: TranscriptInputs) -> [String] {
    let origin = inputs.origin
    switch self {
    case .originSlashAdded: return origin.hasSuffix("/") ? [] : [origin + "/"]
    case .originSlashMissing: return origin.hasSuffix("/") ? [String(origin.dropLast())] : []
    case .originTopLevel: return inputs.surroundings.topLevelOrigins
    case .originFrame: return inputs.surroundings.frameOrigins
    case .originNull: return ["null"]
    case .originEmpty: return [""]
    case .originPath:
      let stem = origin.hasSuffix("/") ? String(origin.dropLast()) : origin
      return inputs.surroundings.addresses + Self.commonPaths.map { stem + $0 }
    default: break
    }
    guard let parts = inputs.originParts else { return [] }
    switch self {
    case .originDefaultPort:
      let port = ["https": "443", "http": "80"][parts.scheme]
      return parts.port == nil ? port.map { ["\(parts.scheme)://\(parts.host):\($0)"] } ?? [] : []
    case .originPortMissing: return parts.port == nil ? [] : ["\(parts.scheme)://\(parts.host)"]
    case .originScheme:
      let other = ["https": "http", "http": "https"][parts.scheme]
      return other.map { ["\($0)://\(parts.host)\(parts.portSuffix)"] } ?? []
    case .originSchemeMissing:
      return [parts.host + parts.portSuffix] + (parts.port == nil ? [] : [parts.host])
    case .originLetterCase:
      let capitalized = parts.host.split(separator: ".", omittingEmptySubsequences: false)
        .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: ".")
      return [parts.host.uppercased(), parts.host.lowercased(), capitalized].map(parts.with(host:))
    case .originWWW:
      let mark = "www."
      return [parts.host.hasPrefix(mark) ? String(parts.host.dropFirst(mark.count)) : mark + parts.host]
        .map(parts.with(host:))
    case .originHostEncoding:
      return [Punycode.unicode(host: parts.host), Punycode.ascii(host: parts.host)].compactMap(\.self)
        .map(parts.with(host:))
    default: return []
    }
  }
}
