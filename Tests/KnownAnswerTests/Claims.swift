import CBOR
import COSE
import Certificates
import Checks
import TestSupport
import Testing
import X509

@testable import MobileDocument

/// Compares the verified and unverified claims of a vector with a report of a verification here.
struct Claims {
  let report: VerificationReport
  /// The documents with the claims of the vector about each, in order.
  let documents: [IssuerFacts]
  let anchors: [Certificate]

  /// Compares every message of `verified` and `not_verified` with the report.
  func check(_ entry: Vector) throws {
    for claim in (entry["verified"]?.array ?? []).compactMap(\.text) {
      let (document, message) = Self.split(claim)
      try verified(message, of: document, entry)
    }
    for claim in (entry["not_verified"]?.array ?? []).compactMap(\.text) {
      let (document, message) = Self.split(claim)
      try notVerified(message, of: document, entry)
    }
  }

  /// `doc1: message` is about the second document, a message without a prefix about the only one.
  private static func split(_ claim: String) -> (document: Int, message: String) {
    guard claim.hasPrefix("doc"), let colon = claim.firstIndex(of: ":"),
      let number = Int(claim[..<colon].dropFirst(3))
    else { return (0, claim) }
    return (number, String(claim[colon...].dropFirst(2)))
  }

  private func results(_ check: ResponseCheck, _ document: Int) -> [CheckResult] {
    let subject =
      report.checks.contains { $0.subject == nil && $0.check == check.id }
      ? nil : documents[document].object.documentType
    return report.checks.filter { $0.check == check.id && $0.subject == subject }
  }

  private func holds(_ check: ResponseCheck, _ document: Int) -> Bool {
    let found = results(check, document)
    return !found.isEmpty && found.allSatisfy { $0.status == .passed || $0.status == .deviates }
  }

  private func fails(_ check: ResponseCheck, _ document: Int) -> Bool {
    results(check, document).contains { $0.status == .failed }
  }

  private func verified(_ message: String, of document: Int, _ entry: Vector) throws {
    let facts = documents[document]
    func chain() throws -> [Certificate] { try CertificateChain.read(facts.signature.headers.x5chain ?? []) }
    func isIssued(_ certificate: Certificate, by issuer: Certificate) -> Bool {
      issuer.publicKey.isValidSignature(certificate.signature, for: certificate)
    }
    let words = message.split(separator: " ")
    switch message {
    case "issuerAuth COSE_Sign1 signature verifies with x5chain[0] key": #expect(holds(.issuerSignature, document))
    case "document docType equals MSO docType": #expect(holds(.documentType, document))
    case "deviceSignature verifies over DeviceAuthenticationBytes",
      "deviceSignature verifies with the dcapi transcript":
      #expect(holds(.deviceSignature, document))
    case "deviceMac verifies (EMacKey via ECDH+HKDF)": #expect(holds(.deviceSignature, document))
    case _ where message.hasSuffix("IssuerSignedItemBytes digests match MSO valueDigests"),
      _ where message.hasSuffix("digests match"):
      #expect(holds(.elementDigest, document) && holds(.elementCoverage, document))
      #expect(words.first.flatMap { Int($0) } == facts.elementCount)
    case "x5chain[0] is self-signed":
      let leaf = try #require(try chain().first)
      #expect(isIssued(leaf, by: leaf))
    case "x5chain[0] equals the supplied (pinned, self-signed) certificate":
      #expect(anchors.contains(try #require(try chain().first)))
    case "x5chain[1] signed x5chain[0]":
      let certificates = try chain()
      #expect(isIssued(certificates[0], by: certificates[1]))
    case _ where message.hasPrefix("document signer certificate signature verifies with"):
      let certificates = try chain()
      let issuers = anchors + certificates
      #expect(issuers.contains { isIssued(certificates[0], by: $0) })
    // Presenting the document with that key covers this: see IssuedDocuments.
    case "device private key matches MSO deviceKey": break
    default: Issue.record("\(entry): nothing checks \"\(message)\"")
    }
  }

  private func notVerified(_ message: String, of document: Int, _ entry: Vector) throws {
    switch message {
    case "deviceSignature not checked: session transcript not published": #expect(fails(.deviceSignature, document))
    case "deviceMac not checked: session transcript not published": #expect(fails(.deviceSignature, document))
    case "issuerAuth signature does NOT verify": #expect(fails(.issuerSignature, document))
    case "issuer authentication is impossible by construction: zero signature, no certificate",
      "sealed bytes not in the log; IACA certificate unpublished", "HPKE layer not published":
      #expect(report.verified == nil)
    case _ where message.contains("digest mismatches: "):
      let listed = try #require(message.split(separator: ": ", maxSplits: 1).last)
      let wanted = listed.split(separator: ", ").map { String($0).replacing("/", with: " ") }
      let found = results(.elementDigest, document).flatMap(\.evidence).filter { $0.field == "element" }
      // Long lists are cut.
      #expect(Set(found.compactMap(\.found)).isSuperset(of: wanted))
      #expect(Int(message.prefix { $0.isNumber }) == found.count)
    default: Issue.record("\(entry): nothing checks \"\(message)\"")
    }
  }
}

/// Compares a vector's deviations from the required encoding with the reader's findings.
func expectEncoding(_ entry: Vector, _ found: [CBORDeviation], sourceLocation: SourceLocation = #_sourceLocation) {
  guard let printed = entry["encoding_deviations"]?.array?.compactMap(\.text) else { return }
  // The order of keys is only recommended (ISO/IEC 18013-5 second edition draft, 8.3): another order is not a finding.
  let known: Set = ["map keys not in bytewise order", "non-minimal length/integer head"]
  #expect(known.isSuperset(of: printed), sourceLocation: sourceLocation)
  let isLong = printed.contains("non-minimal length/integer head")
  #expect(found.contains { $0.code == .nonMinimalHead } == isLong, sourceLocation: sourceLocation)
  #expect(found.allSatisfy { $0.code == .nonMinimalHead }, sourceLocation: sourceLocation)
}
