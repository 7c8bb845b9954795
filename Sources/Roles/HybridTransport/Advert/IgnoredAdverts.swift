import Checks

/// The adverts that a client platform heard and that are not for its QR code.
struct IgnoredAdverts: Sendable {
  private var seen: Set<[UInt8]> = []
  private var counts: [HybridError.Code: Int] = [:]

  func contains(_ data: [UInt8]) -> Bool { seen.contains(data) }

  mutating func insert(_ data: [UInt8], _ code: HybridError.Code) {
    counts[code, default: 0] += 1
    if seen.count < HybridLimits.rememberedAdverts { seen.insert(data) }
  }

  /// The reason why none was for the QR code: that of the one that was nearest to it.
  var reason: HybridCheck.Reason {
    if counts[.advertService] != nil { return .service }
    if counts[.advertReserved] != nil { return .malformed }
    return counts.isEmpty ? .none : .anotherCode
  }

  /// The number of ignored adverts, by reason.
  var evidence: [CheckResult.Evidence] {
    HybridError.Code.allCases.compactMap { code in
      counts[code].map { CheckResult.Evidence("ignored adverts, \(code.rawValue)", found: "\($0)") }
    }
  }
}
