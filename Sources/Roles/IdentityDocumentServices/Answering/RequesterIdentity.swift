import Certificates
import FoundationEssentials
import MobileDocument
import Primitives

/// Who asks, as an app may show it.
public struct RequesterIdentity: Sendable, Equatable {
  /// Brand name, or the common name of the certificate, or the website's host.
  public let name: String
  /// Name of the brand's icon; nil when none is certified.
  public let icon: String?
  /// Whether an authority that the app trusts vouches for the name.
  public let isCertified: Bool

  /// The requester of a parsed request: the brand in the first certificate that leads to a trusted authority, else
  /// the website's host, which the browser vouches for.
  /// - Parameter moment: the time for which certificates must be valid.
  public init(
    of context: ISO18013MobileDocumentRequestContext, trustedReaders: TrustedCertificates, at moment: DateTime
  ) async {
    for authentication in context.request.requestAuthentications {
      guard
        case .success(let path) = await trustedReaders.validate(
          authentication.authenticationCertificateChain, at: moment)
      else { continue }
      let brand = BrandIdentity(in: path.leaf)
      let names = [brand?.name, path.leaf.commonName, context.requestingWebsiteOrigin?.host()]
      name = names.compactMap(\.self).first { !$0.isEmpty } ?? "Unknown"
      icon = brand.flatMap { $0.icon.isEmpty ? nil : $0.icon }
      isCertified = true
      return
    }
    name = context.requestingWebsiteOrigin?.host() ?? "Unknown"
    icon = nil
    isCertified = false
  }
}
