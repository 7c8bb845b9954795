import FoundationEssentials
import Synchronization
import X509

/// The comparisons of reader certificate chains with registered authority certificates that a device has made. A website
/// sends the same chains with each request, and each comparison verifies signatures.
///
/// An outcome depends on the bytes of the certificates alone. Dates are judged at each selection.
public final class CertifiedChains: Sendable {
  private struct Comparison {
    /// The chain, leaf first. Certificates are compared by all of their bytes.
    let chain: [Certificate]
    /// DER of the authority's certificate.
    let authority: Data
    let isCertified: Bool
  }

  /// The most outcomes that are kept, more than the sites and authorities of a device in use. Any website can send new
  /// chains, so the number has a limit.
  static let maximumCount = 64

  // Compared one after the other: that takes less time than to hash certificates.
  private let comparisons = Mutex<[Comparison]>([])

  /// Creates an empty memory.
  public init() {}

  /// The number of outcomes that are kept.
  var count: Int { comparisons.withLock { $0.count } }

  /// Returns whether each certificate of a chain is signed by the next one, up to one that an authority signed.
  /// - Parameter authority: The authority's certificate as DER. An unreadable one has signed nothing.
  func contains(_ chain: [Certificate], certifiedBy authority: Data) -> Bool {
    let known = comparisons.withLock { comparisons in
      comparisons.first { $0.authority == authority && $0.chain == chain }
    }
    if let known { return known.isCertified }
    let comparison = Comparison(chain: chain, authority: authority, isCertified: Self.isCertified(chain, by: authority))
    comparisons.withLock { comparisons in
      if comparisons.count >= Self.maximumCount { comparisons.removeAll() }
      comparisons.append(comparison)
    }
    return comparison.isCertified
  }

  private static func isCertified(_ chain: [Certificate], by authority: Data) -> Bool {
    guard let authority = try? Certificate(derEncoded: [UInt8](authority)) else { return false }
    for (position, certificate) in chain.enumerated() {
      if certificate.issuer == authority.subject, certificate.isSigned(by: authority) { return true }
      guard position + 1 < chain.count, certificate.isSigned(by: chain[position + 1]) else { return false }
    }
    return false
  }
}
