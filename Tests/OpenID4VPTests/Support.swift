import CBOR
import COSE
import Certificates
import Checks
import Crypto
import DocumentFixtures
import JOSE
import JSON
import OpenID4VPVectors
import Primitives
import SDJWT
import TestSupport

@testable import OpenID4VP

/// Reads JSON that a test wrote.
func json(_ text: String) throws -> JSONItem { try JSONReader.item(Array(text.utf8)) }

/// The own end-to-end set of the vectors.
struct Synthetic {
  static let name = "synthetic_dcapi.json"
  let file: KnownItem

  init() throws { file = try KnownItem.file(Self.name) }

  var origin: String { get throws { try file.text("origin") } }
  var moment: DateTime { get throws { try DocumentFixtures.moment(file.text("verification_time")) } }

  func certificate(_ name: String) throws -> [UInt8] {
    try file.item("certificates").item(name).json.item("der_base64").base64()
  }

  func trusted(_ name: String, for profile: CertificateProfile) throws -> TrustedCertificates {
    try TrustedCertificates(reading: [certificate(name)], for: profile)
  }

  func authenticator() throws -> RequestAuthenticator {
    var authenticator = RequestAuthenticator(trustedReaders: try trusted("reader-root", for: .reader))
    let known = try file.item("trust_anchors").item("verifier_attestations")
    authenticator.attesters = [
      VerifierAttester(
        issuer: try known.text("iss"), key: try file.item("keys").item(known.text("key")).publicJWK())
    ]
    authenticator.transactionTypes = [TransactionType("org.example.payment", members: ["amount", "currency"])]
    return authenticator
  }

  func report(
    _ entry: KnownItem, data name: String = "data", change: (inout RequestAuthenticator) -> Void = { _ in }
  ) async throws -> RequestReport {
    var authenticator = try authenticator()
    change(&authenticator)
    return await authenticator.authenticate(
      protocol: try entry.text("protocol"), data: try entry.item(name).json.bytes,
      origin: try entry.optional("origin")?.json.text() ?? origin, at: try moment)
  }

  /// What the verifier of an exchange kept.
  func expected(_ entry: KnownItem) throws -> ExpectedPresentations {
    let parameters = try entry.optional("request_parameters") ?? entry.item("request_data")
    let query = try DCQLQuery(json: parameters.item("dcql_query").json)
    guard try parameters.text("response_mode") == "dc_api.jwt" else { return ExpectedPresentations(query: query) }
    return ExpectedPresentations(query: query, encryption: try encryption())
  }

  func encryption() throws -> ExpectedPresentations.Encryption {
    .init(
      privateKey: try file.item("keys").item("enc").agreementKey(), key: try file.item("encryption_jwk").publicJWK(),
      encryptions: JWEEncryption.allCases)
  }

  func exchange(_ id: String) throws -> KnownItem { try KnownItem.entry(id, of: Self.name, "exchanges") }
}
