import Certificates
import FoundationEssentials
import MobileDocument
import Primitives

/// The identity of a requester for an authorization view.
public struct RequesterIdentity: Sendable, Equatable {
  /// The brand name, or the common name of the certificate, or the website's host.
  public let name: String
  /// The name of the brand's icon, or nil if no icon is certified.
  public let icon: String?
  /// Indicates whether an authority that the app trusts certified the name.
  public let isCertified: Bool

  /// Makes the identity of the requester of a parsed request: the brand in the first certificate that leads to a trusted
  /// authority, or else the website's host from the browser.
  /// - Parameter moment: The time at which certificates must be valid.
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
