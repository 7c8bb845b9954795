import Certificates
import DevicePlatform
import Foundation
import IdentityDocumentServices
import MobileDocument
import Primitives
import X509

/// The selection rule as a linear search, one registration after the other.
struct SelectionOracle {
  enum Answer: Equatable {
    case offered([String])
    case hidden(SelectorFinding, registration: String?)
  }

  let request: ISO18013MobileDocumentRequest
  let moment: DateTime
  let reading: Selection.AuthorityReading
  var silentApps: Set<String> = []

  typealias DocumentRequest = ISO18013MobileDocumentRequest.DocumentRequest

  func answer(of app: InstalledApp) -> Answer {
    if !app.isAuthorized { return .hidden(SelectorFinding(.appAuthorization), registration: nil) }
    if silentApps.contains(app.name) { return .hidden(SelectorFinding(.exchangeProtocol), registration: nil) }
    let ended = app.registrations.map { ($0, firstFailure(of: $0, in: app)) }
    let matching = ended.filter { $0.1 == nil }.map(\.0)
    if matching.isEmpty {
      guard let furthest = ended.sorted(by: cameFurther).first, let reason = furthest.1 else {
        return .hidden(SelectorFinding(.registration), registration: nil)
      }
      return .hidden(reason, registration: furthest.0.documentIdentifier)
    }
    // All document sets that can be presented completely.
    let complete = request.presentmentRequests.map { useCase in
      useCase.documentRequestSets.filter { set in
        set.requests.allSatisfy { asked in matching.contains { meets($0, asked) } }
      }
    }
    let isEveryMandatoryOneMet = zip(request.presentmentRequests, complete).allSatisfy { useCase, sets in
      !useCase.isMandatory || !sets.isEmpty
    }
    if !isEveryMandatoryOneMet || complete.allSatisfy(\.isEmpty) {
      let furthest = matching.map { ($0, SelectorFinding?.none) }.sorted(by: cameFurther).first
      return .hidden(SelectorFinding(.useCase), registration: furthest?.0.documentIdentifier)
    }
    let used = complete.joined().flatMap(\.requests)
    return .offered(
      matching.filter { held in used.contains { meets(held, $0) } }.map(\.documentIdentifier).sorted(by: bytewise))
  }

  private static let order: [SelectorCheck] = [.entitlement, .documentType, .registrationValidity, .reader, .issuer]

  private func firstFailure(of held: MobileDocumentRegistration, in app: InstalledApp) -> SelectorFinding? {
    let asked = request.presentmentRequests.flatMap { $0.documentRequestSets.flatMap(\.requests) }
      .filter { $0.documentType == held.mobileDocumentType }
    if !app.entitledDocumentTypes.contains(held.mobileDocumentType) { return SelectorFinding(.entitlement) }
    if asked.isEmpty { return SelectorFinding(.documentType) }
    if let date = held.invalidationDate, DateTime(date) <= moment { return SelectorFinding(.registrationValidity) }
    if !held.supportedAuthorityKeyIdentifiers.isEmpty {
      if request.requestAuthentications.isEmpty { return SelectorFinding(.reader, .unsigned) }
      let named = request.requestAuthentications.filter { names($0, anAuthorityOf: held) }
      let invalid = named.map { signature in
        signature.authenticationCertificateChain.first { !$0.isValid(at: moment) }
      }
      if named.isEmpty { return SelectorFinding(.reader, .untrusted) }
      let genuine = zip(named, invalid).contains { signature, invalid in
        invalid == nil && isIssued(signature.authenticationCertificateChain[...], by: held)
      }
      if invalid.contains(nil), !genuine { return SelectorFinding(.reader, .forged) }
      if !invalid.contains(nil) {
        let hasExpired = invalid.contains { $0.map { $0.validity.until < moment } ?? false }
        return SelectorFinding(.reader, hasExpired ? .expired : .notYetValid)
      }
    }
    return asked.contains { meets(held, $0) } ? nil : SelectorFinding(.issuer)
  }

  private func names(
    _ signature: ISO18013MobileDocumentRequest.RequestAuthentication,
    anAuthorityOf held: MobileDocumentRegistration
  ) -> Bool {
    let chain = signature.authenticationCertificateChain
    guard let top = chain.last else { return false }
    let named: [[UInt8]?] =
      switch reading {
      case .root: [top.subject == top.issuer ? top.subjectKeyIdentifier : top.authorityKeyIdentifier]
      case .anyInChain: chain.map(\.authorityKeyIdentifier)
      }
    return named.contains { key in held.supportedAuthorityKeyIdentifiers.contains { [UInt8]($0) == key } }
  }

  private func isIssued(_ chain: ArraySlice<Certificate>, by held: MobileDocumentRegistration) -> Bool {
    guard !held.supportedAuthorityCertificates.isEmpty else { return true }
    guard let first = chain.first else { return false }
    let roots = held.supportedAuthorityCertificates.compactMap { try? Certificate(derEncoded: [UInt8]($0)) }
    func signs(_ issuer: Certificate) -> Bool { issuer.publicKey.isValidSignature(first.signature, for: first) }
    if roots.contains(where: { $0.subject == first.issuer && signs($0) }) { return true }
    let rest = chain.dropFirst()
    return rest.first.map(signs) ?? false && isIssued(rest, by: held)
  }

  private func meets(_ held: MobileDocumentRegistration, _ asked: DocumentRequest) -> Bool {
    guard held.mobileDocumentType == asked.documentType else { return false }
    let accepted = Set(asked.issuerKeyIdentifiers)
    return accepted.isEmpty || !accepted.isDisjoint(with: held.supportedIssuerKeyIdentifiers)
  }

  private func cameFurther(
    _ left: (MobileDocumentRegistration, SelectorFinding?), than right: (MobileDocumentRegistration, SelectorFinding?)
  ) -> Bool {
    func place(_ reason: SelectorFinding?) -> Int { (reason?.check).flatMap(Self.order.firstIndex) ?? Self.order.count }
    if place(left.1) != place(right.1) { return place(left.1) > place(right.1) }
    let (leftEnd, rightEnd) = (left.0.invalidationDate, right.0.invalidationDate)
    if leftEnd != rightEnd {
      guard let leftEnd else { return true }
      guard let rightEnd else { return false }
      return leftEnd > rightEnd
    }
    return bytewise(left.0.documentIdentifier, right.0.documentIdentifier)
  }

  private func bytewise(_ left: String, _ right: String) -> Bool {
    Data(left.utf8).lexicographicallyPrecedes(Data(right.utf8))
  }
}
