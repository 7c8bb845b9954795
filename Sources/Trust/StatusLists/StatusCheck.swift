import Checks

/// The checks of a document's status, in the order in which they are made (ISO/IEC 18013-5 second edition draft, 12.3.6;
/// Token Status List draft, 8.3).
public enum StatusCheck: String, CheckCode {
  case published = "status.absent"
  case readable = "status.malformed"
  case location = "status.uri"
  case reachable = "status.unreachable"
  case listReadable = "status.list-malformed"
  case listType = "status.list-type"
  case listSigner = "status.list-signer"
  case listTrust = "status.list-not-trusted"
  case listCertificate = "status.list-certificate"
  case listSignature = "status.list-signature"
  case listClaims = "status.list-claims"
  case listSubject = "status.list-subject"
  case listBegun = "status.list-not-yet-valid"
  case listCurrent = "status.list-stale"
  case entry = "status.index-out-of-range"
  case valueKnown = "status.unknown-value"
  case notRevoked = "status.revoked"
  case notSuspended = "status.suspended"

  /// What it means when this fails, for a person to read.
  public var sentence: String {
    switch self {
    case .published: "the document does not say where its status is published"
    case .readable: "the status of the document is malformed"
    case .location: "the list cannot be fetched over TLS: its URI is not one of https"
    case .reachable: "the list cannot be fetched"
    case .listReadable: "what was fetched is no token with a list"
    case .listType: "the token is of another type than the document's entry"
    case .listSigner: "the document signer signed the list itself: whoever has its key could unrevoke what it signed"
    case .listTrust: "the list is not signed under the document's issuing authority"
    case .listCertificate: "the certificate of the list's signer is not valid, or not one for it"
    case .listSignature: "the signature of the list does not verify"
    case .listClaims: "the claims of the list are malformed"
    case .listSubject: "the list is another than the document names"
    case .listBegun: "the list is dated in the future"
    case .listCurrent: "the list is out of date"
    case .entry: "the list has no entry for the document"
    case .valueKnown: "the list says something about the document that is not known here"
    case .notRevoked: "the document was revoked"
    case .notSuspended: "the document is suspended"
    }
  }

  /// What it means when this holds, for a person to read.
  public var sentenceWhenPassed: String {
    switch self {
    case .published: "the document says where its status is published"
    case .readable: "the status of the document is well-formed"
    case .location: "the list is to be fetched over TLS"
    case .reachable: "the list was fetched"
    case .listReadable: "what was fetched is a signed token"
    case .listType: "the token is of the type that the document's entry needs"
    case .listSigner: "somebody other than the document signer signed the list"
    case .listTrust: "the list's signer leads to the document's issuing authority"
    case .listCertificate: "the certificate of the list's signer is valid and one for it"
    case .listSignature: "the signature of the list verifies"
    case .listClaims: "the claims of the list are well-formed"
    case .listSubject: "the list is the one that the document names"
    case .listBegun: "the list was signed before now"
    case .listCurrent: "the list is up to date"
    case .entry: "the list says something about the document"
    case .valueKnown: "what the list says is known"
    case .notRevoked: "the document was not revoked"
    case .notSuspended: "the document is not suspended"
    }
  }

  /// Checks of each list; the first two are about the document's own words.
  static let ofList: [StatusCheck] = allCases.filter { $0 != .published && $0 != .readable }

  /// What a policy decides about this.
  var kind: RevocationPolicy.Finding {
    switch self {
    case .published: .absent
    case .notRevoked: .revoked
    case .notSuspended: .suspended
    case .location, .reachable: .unreachable
    case .listCurrent: .stale
    case .readable, .listReadable, .listType, .listSigner, .listTrust, .listCertificate, .listSignature, .listClaims,
      .listSubject, .listBegun, .entry, .valueKnown:
      .unusable
    }
  }
}
