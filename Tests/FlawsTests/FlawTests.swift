import Checks
import CrossCheckTrait
import Flaws
import MobileDocument
import Testing

@Suite("Flaws", .secondOpinion)
struct FlawTests {
  /// What a verifier finds: the codes that fail, and those that deviate.
  private func findings(
    _ documentFlaw: DocumentFlaw?, _ answerFlaw: AnswerFlaw?
  ) async throws -> (failed: Set<String>, deviating: Set<String>) {
    let elements = documentFlaw?.elements ?? answerFlaw?.elements
    let parties = try elements.map { try Parties(asking: $0.asked) } ?? Parties()
    let document =
      try elements.map { try parties.document(documentFlaw, elements: $0.held) } ?? parties.document(documentFlaw)
    let answer = try parties.answer(answerFlaw, with: document)
    let (checks, isVerified) = await parties.verdict(answer)
    func codes(_ outcome: CheckResult.Outcome) -> Set<String> {
      Set(checks.filter { $0.outcome == outcome }.map(\.code))
    }
    // Nothing is both held and found fault with.
    #expect(codes(.passed).isDisjoint(with: codes(.failed)))
    #expect(isVerified == codes(.failed).isEmpty)
    return (codes(.failed), codes(.deviates))
  }

  @Test("without one a document is verified, and nothing is found")
  func none() async throws {
    let (failed, deviating) = try await findings(nil, nil)
    #expect(failed == [] && deviating == [])
  }

  @Test("of documents are found with exactly what is declared", arguments: DocumentFlaw.allCases)
  func documents(_ flaw: DocumentFlaw) async throws {
    let (failed, deviating) = try await findings(flaw, nil)
    #expect(failed == flaw.declared.failed)
    #expect(deviating == flaw.declared.deviating)
  }

  @Test(
    "of answers are found with exactly what is declared",
    arguments: AnswerFlaw.allCases.filter { $0 != .issuerNotRequested })
  func answers(_ flaw: AnswerFlaw) async throws {
    let (failed, deviating) = try await findings(nil, flaw)
    #expect(failed == flaw.declared.failed)
    #expect(deviating == flaw.declared.deviating)
  }

  @Test("of values leave an issuing country that is no text, which agrees with no certificate")
  func countryOfAnotherType() async throws {
    let parties = try Parties(asking: ["issuing_country"])
    let document = try parties.document(.elementType, elements: ["issuing_country"])
    let (checks, isVerified) = await parties.verdict(try parties.answer(nil, with: document))
    let failed = checks.filter { $0.outcome == .failed }.map(\.code)
    #expect(failed == ["issuer.country"] && !isVerified)
  }

  @Test("that change nothing say so", arguments: [AnswerFlaw.elementNotRequested, .valueChanged])
  func misfits(_ flaw: AnswerFlaw) throws {
    let parties = try Parties()
    let elements = flaw == .valueChanged ? ["document_number"] : ["family_name", "given_name"]
    let document = try parties.document(nil, elements: elements)
    #expect(throws: FlawDoesNotFit.self) { try parties.answer(flaw, with: document) }
    #expect(throws: FlawDoesNotFit.self) { try parties.document(.sameSalt, elements: ["family_name"]) }
  }
}

/// What a verifier says of a flaw.
struct Declared {
  let failed: Set<String>
  let deviating: Set<String>

  static func fails(_ failed: String..., deviating: Set<String> = []) -> Declared {
    Declared(failed: Set(failed), deviating: deviating)
  }

  static func deviates(_ deviating: String...) -> Declared { Declared(failed: [], deviating: Set(deviating)) }
}

/// Elements that a flaw needs besides the usual ones.
struct Elements {
  let held: [String]
  let asked: [String]
}

extension DocumentFlaw {
  var elements: Elements? {
    switch self {
    case .elementDateImpossible: Elements(held: ["family_name", "birth_date"], asked: ["birth_date"])
    case .elementDateOffset: Elements(held: ["family_name", "issue_date"], asked: ["issue_date"])
    case .agesContradict:
      Elements(held: ["age_over_18", "age_over_21"], asked: ["age_over_21", "age_over_25"])
    default: nil
    }
  }

  var declared: Declared {
    switch self {
    case .notSigned: .fails("issuer.not-authenticated")
    case .signatureAltered: .fails("issuer.signature")
    case .signatureMalformed: .fails("issuer.malformed")
    case .signatureLength, .signatureRange: .fails("issuer.signature-form")
    case .headerTwice, .headerInBothBuckets: .fails("issuer.header-twice")
    case .headerLabel, .criticalUnprotected: .fails("issuer.malformed")
    case .headerEncoding: .deviates("issuer.form.header-encoding")
    case .thumbprintOfAnother: .fails("issuer.thumbprint")
    case .algorithmUnprotected, .algorithmUnknown, .algorithmOfAnotherCurve: .fails("issuer.algorithm")
    case .algorithmFullySpecified: .deviates("issuer.form.algorithm-fully-specified")
    case .signatureTagged: .deviates("issuer.form.tagged")
    case .chainProtected: .deviates("issuer.form.chain-protected")
    case .chainOfOneAsArray: .deviates("issuer.form.chain-of-one-as-array")
    case .rootInChain: .deviates("certificate.root-in-chain")
    case .unreadableInChain: .deviates("issuer.form.chain-unreadable")
    case .signerOfAnotherRoot: .fails("issuer.not-trusted")
    case .signerExpired: .fails("issuer.certificate-expired", deviating: ["mso.validity.beyond-signer"])
    case .signerNotYetValid: .fails("issuer.certificate-not-yet-valid", "mso.validity.signed")
    case .signerIsReader:
      .fails(
        "issuer.certificate-purpose",
        deviating: ["certificate.crl-distribution-points", "certificate.issuer-alternative-name"])
    case .signerIsAuthority: .fails("issuer.certificate-authority")
    case .signerWithoutPurpose: .fails("issuer.certificate-purpose")
    case .signerOfAnotherState: .fails("issuer.certificate-profile")
    case .signerForTooLong: .deviates("certificate.validity-period")
    case .signerKeyKind, .signerKeySmallOrder: .fails("issuer.certificate-key")
    case .securityObjectMalformed, .securityObjectOutsideItsTag, .securityObjectTagNested, .valueDigestsEmpty,
      .keyInfoMalformed:
      .fails("mso.malformed")
    case .securityObjectKeyTwice, .digestIDTwice: .fails("mso.duplicate-key")
    case .byteAfterSecurityObject: .fails("mso.trailing-bytes")
    case .digestIDTooLarge: .fails("mso.digest-id")
    case .statusNull: .deviates("mso.form.status-null")
    case .securityObjectEncoding: .deviates("mso.form.encoding")
    case .securityObjectVersion: .fails("mso.version")
    case .otherDocumentType: .fails("mso.document-type")
    case .typeNotRequested: .fails("document.not-requested", deviating: ["response.document-missing"])
    case .signedBeforeSigner: .fails("mso.validity.signed")
    case .notYetValid: .fails("mso.validity.not-yet-valid")
    case .expired: .fails("mso.validity.expired")
    case .beyondSigner: .deviates("mso.validity.beyond-signer")
    case .validForNoTime: .deviates("mso.validity.ends-at-beginning")
    case .updateAfterEnd: .deviates("mso.validity.update-after-end")
    case .datesOutOfOrder: .fails("mso.validity.order")
    case .impossibleDate: .fails("mso.date")
    case .dateOffset: .fails("mso.date-offset")
    case .dateUntagged: .deviates("mso.date.untagged")
    case .dateFraction: .deviates("mso.date.fraction")
    case .dateLowerCase: .deviates("mso.date.lower-case")
    case .digestAlgorithm: .fails("mso.digest-algorithm")
    case .digestLength: .fails("mso.digest-length")
    case .deviceKeyCurve, .deviceKeySmallOrder: .fails("mso.device-key")
    case .deviceKeyCompressed: .deviates("mso.device-key.compressed")
    case .keyAuthorizationsTwice, .keyAuthorizationsEmpty: .fails("mso.key-authorizations")
    case .nameSpaceNotCovered: .fails("element.name-space-not-covered")
    case .elementNotCovered: .fails("element.not-covered")
    case .shortSalt, .sameSalt: .fails("element.salt")
    case .elementType: .deviates("element.type")
    case .elementDateImpossible: .fails("element.date")
    case .elementDateOffset: .fails("element.date-offset")
    case .agesContradict: .fails("element.age-contradiction")
    case .elementEncoding: .deviates("response.encoding")
    }
  }
}

extension AnswerFlaw {
  var elements: Elements? {
    switch self {
    case .ageNotRequested: Elements(held: ["age_over_18", "age_over_21"], asked: ["age_over_21"])
    default: nil
    }
  }

  var declared: Declared {
    switch self {
    case .valueChanged: .fails("element.digest")
    case .elementTwice: .fails("element.twice")
    case .elementNotRequested, .ageNotRequested: .fails("element.not-requested")
    case .errorForReturned: .fails("element.error-contradiction")
    case .issuerNotRequested: .fails("issuer.not-requested")
    case .deviceNotSigned: .fails("device.not-signed")
    case .deviceAuthTwice: .fails("device.signed-twice")
    case .deviceMac: .fails("device.mac")
    case .deviceSignatureMalformed: .fails("device.malformed")
    case .deviceSignatureLength: .fails("device.signature-form")
    case .deviceHeaderTwice: .fails("device.header-twice")
    case .deviceHeaderEncoding: .deviates("device.form.header-encoding")
    case .deviceAlgorithmFullySpecified: .deviates("device.form.algorithm-fully-specified")
    case .deviceChainProtected: .deviates("device.form.chain")
    case .deviceAlgorithm: .fails("device.algorithm")
    case .anotherDeviceKey, .signsForAnotherOrigin, .signsForAnotherNonce: .fails("device.signature")
    case .payloadAttached: .deviates("device.form.payload-attached")
    // Before it is compared it is seen to be there.
    case .anotherPayloadAttached: .fails("device.payload", deviating: ["device.form.payload-attached"])
    case .deviceSignatureTagged: .deviates("device.form.tagged")
    case .deviceElement: .fails("device.not-authorized")
    case .anotherNonce, .anotherRecipientKey: .fails("response.hpke-open")
    case .responseVersion: .fails("response.version")
    case .responseStatus: .fails("response.status")
    case .documentTwice: .fails("document.surplus")
    case .documentsOfAnotherKind: .deviates("response.documents-unread")
    case .documentErrorsEmpty: .deviates("response.document-errors-empty")
    case .noDocuments: .fails("response.document-missing")
    case .notWellFormed, .textNotUTF8, .lengthBeyondTheEnd: .fails("response.not-well-formed")
    case .mapKeyTwice: .fails("response.duplicate-key")
    case .byteAfterTheEnd, .byteAfterAnElement: .fails("response.trailing-bytes")
    case .tooDeep, .tooManyElements: .fails("response.out-of-bounds")
    case .emptyDocuments, .memberMissing, .elementOutsideItsTag, .elementTagNested, .elementTagAroundText,
      .nameSpacesEmpty, .nameSpaceEmpty, .errorsMalformed, .otherKindMalformed, .documentErrorForTwo:
      .fails("response.malformed")
    case .headLongerThanNeeded, .indefiniteLength, .indefiniteLengthWithin: .deviates("response.encoding")
    case .envelopeMarker, .envelopeMemberMissing, .envelopeByteAfterTheEnd: .fails("response.envelope")
    }
  }
}
