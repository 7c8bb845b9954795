import CBOR
import COSE
import Checks
import Primitives
import X509

/// Version, document type, dates, algorithms and device key of the mobile security object.
extension DeviceResponseVerifier {
  /// Reads the mobile security object; nil when its structure is not as it should be.
  func readSecurityObject(
    _ issuer: IssuerAuth?, list: inout Checklist<ResponseCheck>
  ) -> MobileSecurityObject? {
    guard let issuer else { return nil }
    guard let payload = issuer.payload else {
      list.fail(.securityObjectReadable, "the issuer's signature has no payload")
      return nil
    }
    do {
      let object = try MobileSecurityObject(payload: payload)
      for departure in object.deviations { list.deviate(departure.code, under: departure.check, departure.sentence) }
      list.pass(.securityObjectReadable)
      return object
    } catch {
      let check = Self.check(error.code)
      list.replace(.securityObjectReadable, with: check)
      list.fail(
        check, "\(check.sentence): \(error.sentence)",
        [CheckResult.Evidence("MobileSecurityObject", found: "\(error.code.rawValue) at byte \(error.offset)")])
      return nil
    }
  }

  private static func check(_ code: CBORError.Code) -> ResponseCheck {
    switch code {
    case .duplicateKey: .securityObjectKeyOnce
    case .trailingBytes: .securityObjectEnd
    default: .securityObjectReadable
    }
  }

  /// Everything that the mobile security object says about the document as a whole (ISO/IEC 18013-5, 9.3.1).
  func checkSecurityObject(
    _ object: MobileSecurityObject, document: UnverifiedDocument, signer: Certificate?, at moment: DateTime,
    list: inout Checklist<ResponseCheck>
  ) {
    list.require(
      Self.isVersionOne(object.version), .securityObjectVersion,
      Self.versionFault(object.version, of: "mobile security object"),
      [CheckResult.Evidence("version", expected: "1.x", found: object.version)])
    list.require(
      object.documentType.isExactly(document.documentType), .documentType, nil,
      [CheckResult.Evidence("docType", expected: object.documentType, found: document.documentType)])
    report(object.problems, list: &list)
    if let validity = object.validity { checkValidity(validity, signer: signer, at: moment, list: &list) }
    checkDigestForm(object, list: &list)
  }

  private func report(_ problems: [MobileSecurityObject.Problem], list: inout Checklist<ResponseCheck>) {
    for problem in problems {
      switch problem {
      case .date(let member, let found):
        list.fail(.dates, "\(member) is no date that exists", [CheckResult.Evidence(member, found: found)])
      case .dateOffset(let member, let found):
        list.fail(
          .datesInUTC, "\(member) is not in UTC",
          [CheckResult.Evidence(member, expected: "a date with Z", found: found)])
      case .deviceKey(let error):
        list.fail(.deviceKey, "the device key cannot be used: \(error.sentence)")
      case .keyAuthorizations(let sentence): list.fail(.keyAuthorizations, sentence)
      }
    }
    list.pass(.dates)
    list.pass(.datesInUTC)
    list.pass(.deviceKey)
    list.pass(.keyAuthorizations)
  }

  private func checkValidity(
    _ validity: MobileSecurityObject.Validity, signer: Certificate?, at moment: DateTime,
    list: inout Checklist<ResponseCheck>
  ) {
    checkOrder(validity, list: &list)
    if let signer {
      list.require(
        signer.isValid(at: validity.signed), .signedWithinSigner, nil,
        [
          CheckResult.Evidence(
            "signed", expected: "\(signer.validity.from) to \(signer.validity.until)",
            found: validity.signed.description)
        ])
      if validity.validUntil > signer.validity.until {
        list.deviate(
          .validityWithinSigner, ResponseCheck.validityWithinSigner.sentence,
          [
            CheckResult.Evidence(
              "validUntil", expected: "\(signer.validity.until) or earlier", found: validity.validUntil.description)
          ])
      }
      list.pass(.validityWithinSigner)
    }
    list.require(
      validity.validFrom <= moment, .validFrom, "the document is not valid before \(validity.validFrom)",
      [CheckResult.Evidence("validFrom", expected: "\(moment) or earlier", found: validity.validFrom.description)])
    list.require(
      moment <= validity.validUntil, .validUntil, "the document expired on \(validity.validUntil)",
      [CheckResult.Evidence("validUntil", expected: "\(moment) or later", found: validity.validUntil.description)])
  }

  /// Not before signing does validity begin, and only after its beginning does it end (ISO/IEC 18013-5, 9.1.2.4).
  private func checkOrder(_ validity: MobileSecurityObject.Validity, list: inout Checklist<ResponseCheck>) {
    if validity.validFrom < validity.signed {
      list.fail(
        .validityOrder, "the document is valid before it was signed",
        [CheckResult.Evidence("validFrom", expected: "\(validity.signed) or later", found: "\(validity.validFrom)")])
    }
    if validity.validUntil < validity.validFrom {
      list.fail(
        .validityOrder, "the document's validity ends before it begins",
        [CheckResult.Evidence("validUntil", expected: "after \(validity.validFrom)", found: "\(validity.validUntil)")])
    } else if validity.validUntil == validity.validFrom {
      list.deviate(ResponseDeviation.validityOfNoLength, under: .validityOrder)
    }
    if let update = validity.expectedUpdate, update > validity.validUntil {
      list.deviate(
        ResponseDeviation.updateAfterEnd, under: .validityOrder, nil,
        [CheckResult.Evidence("expectedUpdate", expected: "\(validity.validUntil) or earlier", found: "\(update)")])
    }
    list.pass(.validityOrder)
  }

  private func checkDigestForm(_ object: MobileSecurityObject, list: inout Checklist<ResponseCheck>) {
    for nameSpace in object.valueDigests {
      guard let largest = nameSpace.digests.keys.max(), largest > IssuerSignedItem.maximumDigestID else { continue }
      list.fail(
        .digestIdentifier, nil,
        [
          CheckResult.Evidence(
            "digestID of \(nameSpace.nameSpace)", expected: "\(IssuerSignedItem.maximumDigestID) or less",
            found: String(largest))
        ])
    }
    list.pass(.digestIdentifier)
    guard let algorithm = object.digestAlgorithm else {
      return list.fail(
        .digestAlgorithm, nil,
        [
          CheckResult.Evidence(
            "digestAlgorithm",
            expected: MobileSecurityObject.DigestAlgorithm.allCases.map(\.rawValue).joined(separator: ", "),
            found: object.digestAlgorithmName)
        ])
    }
    list.pass(.digestAlgorithm)
    for nameSpace in object.valueDigests {
      let wrong = nameSpace.digests.filter { $0.value.count != algorithm.byteCount }.map(\.key).min()
      guard let wrong else { continue }
      list.fail(
        .digestLength, nil,
        [
          CheckResult.Evidence(
            "digest \(wrong) of \(nameSpace.nameSpace)", expected: "\(algorithm.byteCount) bytes",
            found: "\(nameSpace.digests[wrong]?.count ?? 0) bytes")
        ])
    }
    list.pass(.digestLength)
  }
}
