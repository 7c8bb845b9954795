import DocumentFixtures
import SwiftASN1
import TestSupport
import Testing
import X509

@testable import Certificates
@testable import Checks
@testable import MobileDocument
@testable import Primitives
@testable import StatusLists

@Suite("Text and times of certificates")
struct CertificateTextTests {
  /// One element of DER, shorter than 64 kB.
  private func element(_ tag: UInt8, _ content: [UInt8]...) -> [UInt8] {
    let content = content.flatMap(\.self)
    let length: [UInt8] =
      content.count < 0x80 ? [UInt8(content.count)] : [0x82, UInt8(content.count >> 8), UInt8(content.count & 0xff)]
    return [tag] + length + content
  }

  /// The part of a certificate that the test inspects.
  private func certificate(version: [UInt8] = Hex.bytes("a003020102"), name: [UInt8], until: [UInt8]) -> [UInt8] {
    let subject = element(0x30, element(0x31, element(0x30, Hex.bytes("0603550403"), name)))
    let validity = element(0x30, element(0x17, Array("250915170000Z".utf8)), until)
    return element(
      0x30, element(0x30, version, [0x02, 0x01, 0x01], [0x30, 0x00], [0x30, 0x00], validity, subject, [0x30, 0x00]))
  }

  private func time(_ text: String) -> [UInt8] { element(0x18, Array(text.utf8)) }

  @Test("a time with a fraction of a second is reported")
  func times() {
    let name = element(0x0c, Array("Signer".utf8))
    #expect(Certificate.textFault(in: certificate(name: name, until: time("20500101000000Z"))) == nil)
    #expect(Certificate.textFault(in: certificate(version: [], name: name, until: time("20500101000000Z"))) == nil)
    for version in [Hex.bytes("a003020102"), []] {
      let found = Certificate.textFault(in: certificate(version: version, name: name, until: time("20500101000000.5Z")))
      #expect(found == "a time is not in whole seconds")
    }
  }

  @Test("the validity is read without the other fields")
  func validity() throws {
    let name = element(0x0c, Array("Signer".utf8))
    for version in [Hex.bytes("a003020102"), []] {
      let found = try Certificate.validity(
        ofEncoded: certificate(version: version, name: name, until: time("20500101000000Z")))
      #expect(found.from.description == "2025-09-15T17:00:00Z" && found.until.description == "2050-01-01T00:00:00Z")
    }
    let signer = try Spaceport.shared.signer
    let found = try Certificate.validity(ofEncoded: signer.derEncoded())
    #expect(found == (signer.validity.from, signer.validity.until))
  }

  @Test("a malformed validity is not read")
  func malformedValidity() throws {
    let name = element(0x0c, Array("Signer".utf8))
    for until in [
      time("20500101000000.5Z"), time("20500230000000Z"), time("20500101240000Z"), time("20500101000060Z"), time(""),
      [], element(0x04, Array("20500101000000Z".utf8)),
      time("20500101000000Z") + time("20510101000000Z"),
    ] {
      #expect(throws: (any Error).self) { try Certificate.validity(ofEncoded: certificate(name: name, until: until)) }
    }
    let whole = certificate(name: name, until: time("20500101000000Z"))
    let end = try #require(whole.indices.last { whole[$0...].starts(with: Array("0000Z".utf8)) }) + 5
    for count in 0..<end {
      #expect(throws: (any Error).self, "\(count) bytes") {
        try Certificate.validity(ofEncoded: Array(whole.prefix(count)))
      }
    }
  }

  @Test("text that is not UTF-8 is reported", arguments: ["4453fffe80", "4453eda080", "c0af"])
  func texts(bytes: String) {
    let until = time("20500101000000Z")
    let found = Certificate.textFault(in: certificate(name: element(0x0c, Hex.bytes(bytes)), until: until))
    #expect(found == "a part of a name is not UTF-8")
    #expect(Certificate.textFault(in: certificate(name: element(0x13, Hex.bytes("4453")), until: until)) == nil)
  }

  @Test("a certificate with invalid text is not read, and the message does not contain a source line")
  func reading() throws {
    let port = try Spaceport.shared
    var der = try port.signer.derEncoded()
    let start = try #require(der.indices.last { der[$0...].starts(with: Array("Signer".utf8)) })
    der[start] = 0xff
    do {
      _ = try CertificateChain.read([der])
      Issue.record("the certificate was read")
    } catch {
      #expect(error.rule == .readable)
      #expect("\(error)" == "certificate 0 is malformed: a part of a name is not UTF-8 (certificate.unreadable)")
    }
    do {
      _ = try CertificateChain.read([[0x30, 0x01]])
      Issue.record("nothing was read as a certificate")
    } catch {
      #expect(!"\(error)".contains(".swift") && !"\(error)".contains("ASN1Error"))
    }
  }

  @Test("unreadable key identifiers are not reported as missing")
  func keyIdentifiers() throws {
    let port = try Spaceport.shared
    for (oid, isSubject) in [
      (ASN1ObjectIdentifier.X509ExtensionID.subjectKeyIdentifier, true),
      (.X509ExtensionID.authorityKeyIdentifier, false),
    ] {
      var blueprint = try CertificateBlueprint(.documentSigner, issuer: port.issuer)
      blueprint.subjectKey = !isSubject
      if !isSubject { blueprint.authorityKey = nil }
      blueprint.others = [Certificate.Extension(oid: oid, critical: false, value: [0x31, 0x00])]
      let certificate = try blueprint.made(by: port.issuer.root, key: fixedKey(1))
      let findings = CertificateProfile.documentSigner.findings(
        in: CertificateFields(certificate), issuer: CertificateFields(try port.issuer.root), anchor: nil,
        documentType: nil,
        policy: .standard)
      let messages = findings.filter { $0.status != .passed }.map(\.message)
      #expect(messages == ["the \(isSubject ? "subject" : "authority") key identifier cannot be read"])
    }
  }
}
