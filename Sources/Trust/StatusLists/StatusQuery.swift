import Certificates
import Primitives
import X509

/// The facts that a status lookup of a verified document needs.
public struct StatusQuery: Sendable {
  /// `DocType`.
  public let documentType: String
  /// Where the issuer publishes the status.
  public let status: DocumentStatus
  /// The trusted certificate that the document's own path ended in: a root, or the signer where it is trusted itself.
  let root: Certificate
  /// Certificate of the document signer, who must not sign lists.
  let signer: Certificate

  init(documentType: String, status: DocumentStatus, root: Certificate, signer: Certificate) {
    self.documentType = documentType
    self.status = status
    self.root = root
    self.signer = signer
  }

  /// The query for a document, or nil if its issuer publishes no status.
  ///
  /// - Parameters:
  ///   - documentType: The document's `DocType`.
  ///   - status: `Status` of its mobile security object.
  ///   - path: The document signer's path to a trusted root.
  package init?(documentType: String, status: DocumentStatus?, path: ValidatedCertificatePath) {
    guard let status, !status.references.isEmpty || !status.problems.isEmpty else { return nil }
    self.init(documentType: documentType, status: status, root: path.anchor, signer: path.leaf)
  }
}

/// The outcome of fetching a list.
public enum StatusListAnswer: Sendable {
  /// The token, and when it was fetched.
  case token([UInt8], fetched: DateTime)
  /// The fetch failed, with a human-readable description.
  case unreachable(String)
}
