import Certificates
import Checks
import Messaging

/// Fetches what an authority or a list operator publishes at its address. The world resolves host names: the host of a party
/// is its name with the domain `example`.
package struct PublicationFetcher: Sendable {
  private let station: Station

  /// The time that an address has to answer.
  private static let limit = Duration.seconds(10)

  /// The longest list that is read, in bytes: 200 authorities with a certificate of 2 kB each, and as much for their names.
  package static let longestList = 512 << 10

  /// Creates a fetcher for a party.
  package init(station: Station) { self.station = station }

  /// Gets the root certificate of an authority, in DER.
  /// - Throws: `CheckFailure` of ``RootCheck`` for its address, ``SimulationError`` for the authority itself.
  package func root(of authority: Party, from source: RootSource) async throws -> [UInt8] {
    switch source {
    case .authority: try await station.request(.root, [String](), to: authority).bytes
    case .address:
      try await fetch(
        .getRoot, from: authority, target: PublishedAddress.root, accepting: MediaType.certificate,
        answeredBy: .publishedRoot, atMost: CertificateLimits.bytes)
    }
  }

  /// Fetches the list of an operator.
  /// - Throws: `CheckFailure` of ``RootCheck``.
  package func issuerList(of listOperator: Party) async throws -> [UInt8] {
    try await fetch(
      .getIssuerList, from: listOperator, target: PublishedAddress.issuerList, accepting: MediaType.signedMessage,
      answeredBy: .issuerList, atMost: Self.longestList)
  }

  private func fetch(
    _ kind: MessageKind, from party: Party, target: String, accepting mediaType: String,
    answeredBy expected: MessageKind,
    atMost maximum: Int
  ) async throws -> [UInt8] {
    let host = PublishedAddress.host(of: party.name)
    func failure(_ reason: RootCheck.Reason, _ evidence: CheckResult.Evidence) -> CheckFailure<RootCheck> {
      CheckFailure(
        .address, reason, evidence: [CheckResult.Evidence("address", found: "https://\(host)\(target)"), evidence])
    }
    let answer: Message
    do {
      answer = try await station.endpoint.request(
        kind, HTTPGetRequest(host: host, target: target).encoded(accepting: [mediaType]), as: MediaType.http,
        to: party, within: Self.limit)
    } catch {
      throw failure(.noAnswer, CheckResult.Evidence("answer", expected: "within \(Self.limit)", found: "none"))
    }
    guard answer.kind == expected else {
      throw failure(.missing, CheckResult.Evidence("answer", expected: mediaType, found: answer.kind.rawValue))
    }
    guard answer.bytes.count <= maximum else {
      throw failure(
        .tooLong, CheckResult.Evidence("bytes", expected: "at most \(maximum)", found: "\(answer.bytes.count)"))
    }
    station.record(RootCheck.address.passed)
    return answer.bytes
  }
}
