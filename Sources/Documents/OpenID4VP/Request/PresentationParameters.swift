import Checks
import JOSE
import JSON
import Primitives

/// The parameters of a request (OpenID4VP, A.2). Every member that is not named here is ignored.
public struct PresentationParameters: Sendable {
  /// `response_mode`.
  public let responseMode: ResponseMode
  /// `nonce`, exactly as received.
  public let nonce: String
  /// `dcql_query`.
  public let query: DCQLQuery
  /// `transaction_data`; empty without it.
  public let transactionData: [TransactionData]
  /// `verifier_info`; empty without it. Of several signatures each has its own.
  public let verifierInfo: [VerifierInfo]
  /// `client_metadata`; nil without it.
  public let metadata: ClientMetadata?

  /// Reads the parameters of a request.
  /// - Parameter types: The types of transactions that are understood; nil for every type.
  /// - Throws: ``PresentationRequestFailure`` for the first one that is missing or malformed.
  init(_ json: JSONItem, types: [TransactionType]?) throws(PresentationRequestFailure) {
    let type = try? json.optionalMember("response_type") as String?
    guard type?.isExactly("vp_token") == true else {
      throw PresentationRequestFailure(
        .responseType, evidence: .field("response_type", expected: "vp_token", found: Self.shown(type ?? "none")))
    }
    let mode = try? json.optionalMember("response_mode") as String?
    guard let responseMode = mode.flatMap(ResponseMode.init(rawValue:)) else {
      throw PresentationRequestFailure(
        .responseMode,
        evidence: .field(
          "response_mode", expected: ResponseMode.allCases.map(\.rawValue).joined(separator: " or "),
          found: Self.shown(mode ?? "none")))
    }
    self.responseMode = responseMode
    nonce = try Self.nonce(json)
    query = try Self.query(json)
    transactionData = try Self.transactionData(json, query: query, types: types)
    verifierInfo = try json.present("verifier_info").map(VerifierInfo.read) ?? []
    metadata = try json.present("client_metadata").map(ClientMetadata.init(json:))
    guard responseMode == .plain || metadata?.encryption() != nil else {
      throw PresentationRequestFailure(.encryption, because: Self.missingEncryption(metadata))
    }
  }

  private static func shown(_ text: String) -> String { TerminalSafe.text(String(text.prefix(128))) }

  private static func missingEncryption(_ metadata: ClientMetadata?) -> String {
    guard let metadata else { return "'client_metadata' is missing" }
    guard metadata.encryptionKeys.isEmpty else { return "no listed content encryption is supported" }
    return metadata.unusableKeys.isEmpty ? "there is no key" : metadata.unusableKeys.joined(separator: "; ")
  }

  private static func nonce(_ json: JSONItem) throws(PresentationRequestFailure) -> String {
    guard let nonce = try? json.member("nonce") as String else { throw PresentationRequestFailure(.nonce, .missing) }
    let isAllowed = nonce.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-._~".utf8.contains($0) }
    guard isAllowed, !nonce.isEmpty, nonce.utf8.count <= OpenID4VPLimits.nonceBytes else {
      throw PresentationRequestFailure(.nonce, .malformed)
    }
    return nonce
  }

  private static func query(_ json: JSONItem) throws(PresentationRequestFailure) -> DCQLQuery {
    guard let item = json.present("dcql_query"), item.kind == .object else {
      throw PresentationRequestFailure(.query, .missing)
    }
    do { return try DCQLQuery(json: item) } catch {
      throw PresentationRequestFailure(CheckFinding(.query, .malformed), error)
    }
  }

  private static func transactionData(
    _ json: JSONItem, query: DCQLQuery, types: [TransactionType]?
  ) throws(PresentationRequestFailure) -> [TransactionData] {
    guard let item = json.present("transaction_data") else { return [] }
    guard let texts = try? [String](json: item), !texts.isEmpty, texts.count <= OpenID4VPLimits.entries else {
      throw PresentationRequestFailure(
        .transactionData, .malformed, because: "expected 1 to \(OpenID4VPLimits.entries) strings")
    }
    return try texts.map { (text) throws(PresentationRequestFailure) in
      try TransactionData(text, query: query, types: types)
    }
  }
}

extension JSONItem {
  /// Returns a member, also one with null, so that null does not leave out a required one; nil without it.
  func present(_ name: String) -> JSONItem? { (try? members()).flatMap { $0.first { $0.name.isExactly(name) }?.item } }
}
