import CBOR
import COSE
import Certificates
import Crypto
import Primitives
import TestSupport
import Testing
import X509

@testable import MobileDocument

/// Compares a vector's facts about an issuer's signature with the values read here.
struct IssuerFacts {
  let signature: COSESign1
  let object: MobileSecurityObject
  let document: UnverifiedIssuerSigned

  /// Nil if a certificate in it cannot be read here.
  init(_ document: UnverifiedIssuerSigned) throws {
    self.document = document
    signature = try COSESign1(CBORReader.read(document.issuerAuthBytes, leniency: .received))
    object = try MobileSecurityObject(payload: try #require(signature.unverifiedPayload))
  }

  var elementCount: Int { document.nameSpaces.reduce(0) { $0 + $1.items.count } }

  /// Every published value except the names in the signer's certificate, which have another notation.
  func compare(with facts: JSON) throws {
    #expect(object.documentType == facts["mso_docType"]?.text)
    #expect(object.version == facts["mso_version"]?.text)
    #expect(object.digestAlgorithmName == facts["digestAlgorithm"]?.text)
    #expect(signature.headers.algorithm == .known(.es256) && facts["alg"]?.number == -7)
    #expect(signature.headers.x5chain?.count == facts["x5chain_len"]?.number.map { Int($0) })
    #expect(!signature.deviations.contains(.chainInProtectedHeader) && facts["x5chain_in"]?.text == "unprotected")
    #expect(!signature.deviations.contains(.tagged) && facts["issuerAuth_tag"] == .null)
    let lengths = document.nameSpaces.flatMap(\.items).map(\.value.random.count)
    #expect(lengths.min() == facts["min_random_len"]?.number.map { Int($0) })
    try compareDates(with: facts)
  }

  private func compareDates(with facts: JSON) throws {
    let printed = try #require(facts["validity"]?.object)
    let validity = try #require(object.validity)
    let found = [
      "signed": validity.signed, "validFrom": validity.validFrom, "validUntil": validity.validUntil,
      "expectedUpdate": validity.expectedUpdate,
    ].compactMapValues { $0 }
    #expect(try printed.mapValues { try moment($0.text) } == found)
    let messages = object.deviations.map(\.message)
    for (name, text) in printed {
      let hasFraction = try #require(text.text).contains(".")
      #expect(messages.contains("\(name) has fractional seconds") == hasFraction)
      #expect(messages.contains("\(name) has no tag 0") == (facts["validity_tags"]?[name] == .null))
    }
    if let leaf = try? CertificateChain.read(signature.headers.x5chain ?? []).first {
      #expect(leaf.validity.from == (try moment(facts["ds_validity"]?.array?.first?.text)))
      #expect(leaf.validity.until == (try moment(facts["ds_validity"]?.array?.last?.text)))
    }
  }

  /// Compares the elements and their values with the printed ones.
  func compare(elements: JSON?) throws {
    let printed = try #require(elements?.object)
    #expect(Set(document.nameSpaces.map(\.name)) == Set(printed.keys))
    for nameSpace in document.nameSpaces {
      let wanted = try #require(printed[nameSpace.name]?.object)
      #expect(nameSpace.items.count == wanted.count)
      for item in nameSpace.items {
        let value = try #require(wanted[item.value.elementIdentifier])
        #expect(isPrinted(item.value.elementValue, value), "\(item.value.elementIdentifier)")
      }
    }
  }

  /// The first time at which both the document and its signer are valid.
  static func firstMoment(_ facts: JSON) throws -> DateTime {
    try max(moment(facts["validity"]?["validFrom"]?.text), moment(facts["ds_validity"]?.array?.first?.text))
  }
}
