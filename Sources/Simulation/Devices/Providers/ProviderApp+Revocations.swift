import Certificates
import IdentityDocumentServices
import Messaging
import MobileDocument
import Vocabulary

extension ProviderApp {
  /// Fetches the lists of revoked certificates that the certificates of a request name, if they are those of an authority
  /// that the app trusts and the app has no current copy.
  func fetchRevocationLists(for request: ISO18013MobileDocumentRequest) async {
    let certificates = request.requestAuthentications.flatMap(\.authenticationCertificateChain)
    let named = certificates.flatMap(\.revocationListLocations).uniqued()
    for authority in program.trustsReaders {
      let host = "\(authority).example"
      for location in named where location.hasPrefix("https://\(host)/") {
        if let next = revocationLists[location]?.nextUpdate, station.now <= next { continue }
        await fetchRevocationList(at: location, host: host, from: Party(.readerAuthority, authority))
      }
    }
  }

  private func fetchRevocationList(at location: String, host: String, from authority: Party) async {
    let target = String(location.dropFirst("https://\(host)".count))
    do {
      let answer = try await station.endpoint.request(
        .getRevocationList, HTTPGetRequest(host: host, target: target).encoded(accepting: [MediaType.revocationList]),
        as: MediaType.http, to: authority)
      guard answer.kind == .revocationList else {
        return station.note(.providerNoRevocationList, "\(location): the authority has no such list")
      }
      revocationLists[location] = try CertificateRevocationList(derEncoded: answer.bytes)
    } catch {
      station.note(.providerNoRevocationList, "\(location): \(error)")
    }
  }

  /// The lists that the app has fetched.
  var knownRevocationLists: [CertificateRevocationList] { revocationLists.sorted { $0.key < $1.key }.map(\.value) }
}
