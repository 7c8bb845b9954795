import CBOR
import CaseSuites
import Checks
import Crypto
import Faults
import IdentityDocumentServices
import MobileDocument
import Primitives
import TranscriptDiagnosis
import WebPresentment

/// Every case of the suite of wallets, in the order in which they are run and reported.
public enum WalletCatalogue {
  /// Every case.
  public static let all =
    genuine + readers + signatures + transcripts + rawRequests + origins + consent + forms + limits

  /// The suite.
  public static let suite = Suite(
    subject: "wallet", cases: all.map(\.about),
    groups: [.genuine, .reader, .signature, .transcript, .rawRequest, .origin, .consent, .form, .limits],
    mistakes: [.wronglyAccepted, .wrongAnswer, .wronglyRefused, .notRefusedCleanly], page: "test-your-wallet.md")

  /// The genuine request beside which dishonest requests count.
  static let twin = RequestPlan()

  private static func plan(_ change: (inout RequestPlan) -> Void) -> RequestPlan {
    var plan = RequestPlan()
    change(&plan)
    return plan
  }

  // MARK: Genuine requests

  private static let unknownDocument = ItemsRequest(
    documentType: "org.example.membership.1",
    nameSpaces: [ItemsRequest.NameSpace("org.example.membership", [.init("number", intentToRetain: false)])])

  private static func genuineCase(
    _ name: String, _ title: String, _ clause: String, _ weight: SuiteCase.Weight = .must,
    _ change: (inout RequestPlan) -> Void = { _ in }
  ) -> WalletCase {
    WalletCase(
      id: "genuine.\(name)", group: .genuine, title: title, clause: clause,
      expects: weight == .may ? .either : .accept, weight: weight, check: nil, play: .request(plan(change)))
  }

  private static let genuine: [WalletCase] = [
    genuineCase("names", "a certified website asks for two elements of a license", "ISO/IEC 18013-5, 8.3.2.1.2.2"),
    genuineCase("one-element", "it asks for one element", "ISO/IEC 18013-5, 8.3.2.1.2.2") {
      $0.documents = [SuiteDocument.license.asking(["age_over_21"])]
    },
    genuineCase("every-element", "it asks for every element of the license", "ISO/IEC 18013-5, 8.3.2.1.2.2") {
      $0.documents = [SuiteDocument.license.askingAll]
    },
    genuineCase("retained", "it retains the elements", "ISO/IEC 18013-5, 8.3.2.1.2.1") {
      $0.documents = [SuiteDocument.license.asking(["given_name", "portrait"], retaining: true)]
    },
    genuineCase(
      "element-not-held", "it asks for an element, too, that the license does not have", "ISO/IEC 18013-5, 8.3.2.1.2.2"
    ) { $0.documents = [SuiteDocument.license.asking(["given_name", "eye_colour"])] },
    genuineCase(
      "name-space-not-held", "it asks for a name space, too, that the license does not have",
      "ISO/IEC 18013-5, 8.3.2.1.2.2"
    ) {
      let names = RequestPlan.names
      $0.documents = [
        ItemsRequest(
          documentType: names.documentType,
          nameSpaces: names.nameSpaces
            + [ItemsRequest.NameSpace("org.example.extra", [.init("given_name", intentToRetain: false)])])
      ]
    },
    genuineCase("photo-id", "it asks for a photo ID", "ISO/IEC 18013-5, 8.3.2.1.2.1") {
      $0.documents = [SuiteDocument.photoID.asking(["family_name", "nationality"])]
    },
    genuineCase("two-documents", "it asks for a license and a photo ID", "ISO/IEC 18013-5, 8.3.2.1.2.1", .should) {
      $0.documents = [RequestPlan.names, SuiteDocument.photoID.asking(["nationality"])]
    },
    genuineCase(
      "other-set", "a use case has a set that is not held, and one that is", "ISO/IEC 18013-5 second edition, 10.2.5",
      .should
    ) {
      $0.documents = [unknownDocument, RequestPlan.names]
      $0.useCases = [.init(isMandatory: true, documentSets: [[0], [1]])]
    },
    genuineCase(
      "optional-use-case", "an optional use case asks for a document that is not held",
      "ISO/IEC 18013-5 second edition, 10.2.5", .should
    ) {
      $0.documents = [RequestPlan.names, unknownDocument]
      $0.useCases = [
        .init(isMandatory: true, documentSets: [[0]]), .init(isMandatory: false, documentSets: [[1]]),
      ]
    },
    genuineCase("port", "the origin has a port", "ISO/IEC TS 18013-7, C.5") {
      $0.origin = "https://shop.example:8443"
    },
    genuineCase("international-host", "the host of the origin is in Punycode", "ISO/IEC TS 18013-7, C.5") {
      $0.origin = "https://xn--bcher-kva.example"
    },
    genuineCase(
      "intermediate", "the reader certificate is below an intermediate certificate", "ISO/IEC 18013-5, 9.3.3", .should
    ) { $0.readers = [.belowIntermediate] },
    genuineCase(
      "first-edition", "a request of version 1.0, with a signature for each document", "ISO/IEC 18013-5, 9.1.4", .may
    ) {
      $0.version = .first
      $0.shows = RequestPlan.Shows(readers: [.certified])
    },
    genuineCase(
      "second-reader-unknown", "an unknown reader has signed, too", "ISO/IEC 18013-5 second edition, 12.5.4", .may
    ) { $0.readers = [.certified, .untrusted] },
    WalletCase(
      id: "genuine.fresh-key", group: .genuine, title: "two answers have different encapsulated keys",
      clause: "RFC 9180, 4.1", expects: .accept, weight: .must, check: nil, play: .twoAnswers),
  ]

  // MARK: Readers

  private static func readerCase(
    _ name: String, _ title: String, _ readers: [ReaderKind], _ weight: SuiteCase.Weight,
    _ reason: ProviderCheck.Reason?,
    _ check: ProviderCheck = .reader
  ) -> WalletCase {
    WalletCase(
      id: "reader.\(name)", group: .reader, title: title, clause: check.definition.clause, expects: .warn,
      weight: weight, check: check.name(reason), play: .request(plan { $0.readers = readers }))
  }

  private static let readers: [WalletCase] = [
    readerCase("unsigned", "the request has no reader signature", [], .should, .unsigned),
    readerCase("unknown", "no trusted authority has certified the reader", [.untrusted], .must, .untrusted),
    readerCase(
      "unknown-with-root", "the same, and the chain brings its own root", [.untrustedWithRoot], .must, .untrusted),
    readerCase(
      "self-made", "the reader made its certificate itself, with the authority's name and key identifier", [.selfMade],
      .must, .untrusted),
    readerCase("expired", "the reader certificate has expired", [.expired], .must, .expired),
    readerCase(
      "revoked", "the reader certificate is on the authority's list of revoked certificates", [.revoked], .should,
      .revoked),
    readerCase("not-yet-valid", "the reader certificate is not valid yet", [.notYetValid], .must, .notYetValid),
    readerCase(
      "another-host", "the reader certificate is for another website", [.ofAnotherHost], .must, .differs, .domain),
    readerCase("document-signer", "the certificate is for signing documents", [.documentSigner], .must, .untrusted),
  ]

  // MARK: Signatures

  private static func dishonest(
    _ id: String, _ group: SuiteCase.Group, _ title: String, _ check: ProviderCheck,
    _ reason: ProviderCheck.Reason? = nil, _ weight: SuiteCase.Weight = .must, _ change: (inout RequestPlan) -> Void
  ) -> WalletCase {
    WalletCase(
      id: id, group: group, title: title, clause: check.definition.clause, expects: .refuse, weight: weight,
      check: check.name(reason), play: .request(plan(change)))
  }

  private static func changing(
    _ change: @escaping @Sendable (CBORValue) throws -> CBORValue
  ) -> @Sendable (inout RequestData) throws -> Void {
    { data in
      guard let bytes = Base64URL.decode(data.deviceRequest) else { return }
      data.deviceRequest = Base64URL.encode(
        try change(CBORValue(CBORReader.read(bytes, readingEmbedded: false))).encoded)
    }
  }

  private static let firstReader: [CBORPlace] = [.member(.text("readerAuthAll")), .element(0)]

  private static let signatures: [WalletCase] = [
    dishonest("signature.altered", .signature, "a bit of the reader signature is flipped", .readerSignature) {
      $0.change = changing { request in
        try request.changing(firstReader + [.element(3)]) { value in
          guard case .bytes(var bytes) = value, !bytes.isEmpty else { return value }
          bytes[bytes.count - 1] ^= 1
          return .bytes(bytes)
        }
      }
    },
    dishonest("signature.zeros", .signature, "the reader signature is zeros", .readerSignature) {
      $0.change = changing { request in
        try request.changing(firstReader + [.element(3)]) { _ in .bytes([UInt8](repeating: 0, count: 64)) }
      }
    },
    dishonest(
      "signature.another-key", .signature, "another key than that of the certificate has signed", .readerSignature
    ) { $0.signs = .anotherKey },
    dishonest(
      "signature.another-origin", .signature, "another website passes on a request that was signed for its own origin",
      .readerSignature
    ) {
      $0.readers = [.certified]
      $0.signs = .origin("https://other.example")
    },
  ]

  // MARK: What is signed

  /// Another session or website would get the answer.
  private static let weighsMost: Set<TranscriptVariant> = [.anotherSession, .originNull, .originEmpty, .originAbsent]

  private static let transcripts: [WalletCase] =
    TranscriptVariant.allCases.compactMap { variant in
      let inputs = TranscriptInputs(
        encryptionInfoText: sampleText, origin: RequestPlan.shop,
        otherSessions: [.init(identifier: "other", encryptionInfoText: otherText, origin: RequestPlan.shop)])
      guard !variant.transcripts(from: inputs).isEmpty else { return nil }
      return dishonest(
        variant.rawValue, .transcript, "the readers signed another transcript: \(variant.message)", .readerSignature,
        nil, weighsMost.contains(variant) ? .must : .should
      ) { $0.signs = .transcript(variant) }
    }
    + ReaderAuthenticationVariant.allCases.filter { ![.all, .itemsOrder].contains($0) }.map { variant in
      dishonest(
        variant.rawValue, .transcript, "the readers signed another structure: \(variant.message)", .readerSignature,
        nil, .should
      ) { $0.signs = .authentication(variant) }
    }

  /// Encryption information with characters in which the alphabets of base64 differ, and that of another session.
  private static let (sampleText, otherText) = (sample(0xFF), sample(0))

  private static func sample(_ byte: UInt8) -> String {
    var key = P256.KeyAgreement.PrivateKey()
    if let fixed = try? P256.KeyAgreement.PrivateKey(rawRepresentation: [UInt8](repeating: 1, count: 32)) {
      key = fixed
    }
    return EncryptionInfo(nonce: [UInt8](repeating: byte, count: 32), recipientPublicKey: key.publicKey).text
  }

  // MARK: Raw requests that differ

  private static func differing(
    _ name: String, _ title: String, _ weight: SuiteCase.Weight = .must, _ change: (inout RequestPlan) -> Void
  ) -> WalletCase {
    dishonest("raw-request.\(name)", .rawRequest, title, .rawRequest, .differs, weight) {
      $0.shows = RequestPlan.Shows()
      change(&$0)
    }
  }

  private static let rawRequests: [WalletCase] = [
    differing("more-elements", "the raw request asks for an element that the view does not show") {
      $0.documents = [SuiteDocument.license.asking(["family_name", "given_name", "portrait"])]
    },
    differing("other-elements", "the raw request asks for other elements than the view shows") {
      $0.documents = [SuiteDocument.license.asking(["birth_date", "document_number"])]
    },
    differing("fewer-elements", "the raw request asks for fewer elements than the view shows", .should) {
      $0.documents = [SuiteDocument.license.asking(["given_name"])]
    },
    differing("retained", "the raw request retains elements that the view shows as not retained") {
      $0.documents = [SuiteDocument.license.asking(["family_name", "given_name"], retaining: true)]
    },
    differing("another-document", "the raw request asks for another document than the view shows") {
      $0.documents = [SuiteDocument.photoID.asking(["family_name", "given_name"])]
    },
    differing("more-documents", "the raw request asks for a document that the view does not show") {
      $0.documents = [RequestPlan.names, SuiteDocument.photoID.asking(["nationality"])]
    },
    differing("another-reader", "the raw request has another reader's certificate than the view shows") {
      $0.readers = [.belowIntermediate]
    },
    differing("unsigned", "the raw request has no signature, and the view shows a reader") { $0.readers = [] },
    dishonest(
      "raw-request.unknown-document", .rawRequest, "a document type that the wallet does not hold is requested",
      .document, nil, .should
    ) { $0.documents = [unknownDocument] },
  ]

  // MARK: Origins

  private static let origins: [WalletCase] = [
    dishonest("origin.withheld", .origin, "the system does not say the origin", .origin) { $0.statesOrigin = false },
    dishonest("origin.null", .origin, "the origin is null, as that of a sandboxed frame", .origin, nil, .should) {
      $0.origin = "null"
    },
  ]

  // MARK: Consent

  private static func consentCase(
    _ name: String, _ title: String, _ play: ConsentPlay, _ weight: SuiteCase.Weight = .must
  ) -> WalletCase {
    WalletCase(
      id: "consent.\(name)", group: .consent, title: title, clause: "IdentityDocumentServices", expects: .refuse,
      weight: weight, check: nil, play: .consent(play))
  }

  private static let consent: [WalletCase] = [
    consentCase("declined", "the raw request follows although the person declined", .declined),
    consentCase("never-asked", "a raw request comes for a view that the wallet never had", .neverAsked),
    consentCase("again", "the raw request comes again after its answer", .again, .should),
    consentCase(
      "another-view", "the raw request of another view comes, with more elements than the agreed one", .ofAnotherView),
  ]

  // MARK: Malformed requests

  private static func malformed(
    _ name: String, _ title: String, raw: String? = nil, _ change: (@Sendable (inout RequestData) throws -> Void)? = nil
  ) -> WalletCase {
    dishonest("form.\(name)", .form, title, .rawRequest, .unreadable, .should) {
      $0.shows = RequestPlan.Shows()
      $0.raw = raw
      $0.change = change
    }
  }

  private static func malformed(_ name: String, _ title: String, _ change: RequestPlan.EncryptionChange) -> WalletCase {
    dishonest("form.\(name)", .form, title, .rawRequest, .unreadable, .should) { $0.encryption = change }
  }

  private static let forms: [WalletCase] = [
    malformed("empty", "the raw request is empty", raw: ""),
    malformed("not-json", "the raw request is not JSON", raw: "org-iso-mdoc"),
    malformed("number", "the raw request is a number", raw: "1"),
    malformed("no-members", "the raw request has no members", raw: "{}"),
    malformed("not-base64url", "the device request is not base64url", { $0.deviceRequest = "*" + $0.deviceRequest }),
    malformed("truncated", "the last bytes of the device request are missing") {
      $0.deviceRequest = String($0.deviceRequest.dropLast(40))
    },
    malformed(
      "version", "the device request is of version 2.0",
      changing { try $0.changing([.member(.text("version"))]) { _ in .text("2.0") } }),
    malformed(
      "no-documents", "the device request has no documents",
      changing { try $0.changing([.member(.text("docRequests"))]) { _ in .array([]) } }),
    malformed(
      "document-is-number", "a document request is a number",
      changing { try $0.changing([.member(.text("docRequests"))]) { _ in .array([.unsigned(1)]) } }),
    malformed(
      "certificate", "the reader certificate is not a certificate",
      changing {
        try $0.changing(firstReader + [.element(1), .member(.unsigned(33))]) { _ in .bytes([1, 2, 3]) }
      }),
    malformed("encryption-not-cbor", "the encryption information is not CBOR", .notCBOR),
    malformed("encryption-marker", "the encryption information is of another protocol", .marker),
    malformed("encryption-without-key", "the encryption information has no recipient key", .keyMissing),
    malformed("key-off-curve", "the recipient key is not on its curve", .keyOffCurve),
    malformed("key-of-another-curve", "the recipient key names another curve", .keyOfAnotherCurve),
    malformed("short-nonce", "the nonce has 8 bytes", .shortNonce),
  ]

  // MARK: Large requests

  private static func large(
    _ name: String, _ title: String, showing shows: RequestPlan.Shows? = nil,
    _ change: @escaping @Sendable (CBORValue) throws -> CBORValue
  ) -> WalletCase {
    WalletCase(
      id: "limits.\(name)", group: .limits, title: title, clause: "own rule", expects: .either, weight: .may,
      check: ProviderCheck.rawRequest.name(.unreadable),
      play: .request(
        plan {
          $0.shows = shows
          $0.change = changing(change)
        }))
  }

  private static let limits: [WalletCase] = [
    large("bytes", "the device request has 4 MiB") {
      try $0.adding("padding", .bytes([UInt8](repeating: 0, count: 4 << 20)))
    },
    large("items", "the device request has 200,000 items") {
      try $0.adding("padding", .array([CBORValue](repeating: .unsigned(0), count: 200_000)))
    },
    large("depth", "the device request nests 1,000 deep") {
      try $0.adding("padding", (0..<1_000).reduce(.array([])) { inner, _ in .array([inner]) })
    },
    large("certificates", "a reader's chain has 500 certificates", showing: RequestPlan.Shows()) {
      try $0.changing(firstReader + [.element(1), .member(.unsigned(33))]) {
        .array([CBORValue](repeating: $0, count: 500))
      }
    },
  ]
}
