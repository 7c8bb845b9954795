import CBOR
import COSE
import Certificates
import Checks
import Primitives

/// The checks of the mobile security object: structure, version, document type, dates, algorithms and device key
/// (ISO/IEC 18013-5, 9.3.1).
extension DocumentVerification {
  mutating func checkSecurityObject(at moment: DateTime) {
    guard let signature else { return }
    guard let payload = signature.unverifiedPayload else {
      outcomes[.securityObjectStructure] = .found(.malformed, "the issuer signature has no payload")
      return
    }
    do {
      let object = try MobileSecurityObject(payload: payload)
      self.object = object
      outcomes[.securityObjectStructure] = Self.findings(of: .securityObjectStructure, in: object, [])
      check(object, at: moment)
    } catch {
      let reason = ResponseCheck.Reason(reading: error.code)
      let message = CheckFinding(ResponseCheck.securityObjectStructure, reason).message
      outcomes[.securityObjectStructure] = .found(
        reason, "\(message): \(error.message)",
        .field("MobileSecurityObject", found: "\(error.code.rawValue) at byte \(error.offset)"))
    }
  }

  private mutating func check(_ object: MobileSecurityObject, at moment: DateTime) {
    outcomes[.securityObjectVersion] = .require(
      VersionText.isOne(object.version), nil, VersionText.problem(object.version, of: "mobile security object"),
      .field("version", expected: "1.x", found: object.version))
    outcomes[.documentType] = .require(
      object.documentType.isExactly(document.documentType), nil, nil,
      .field("docType", expected: object.documentType, found: document.documentType))
    report(object)
    if let validity = object.validity {
      outcomes[.validityOrder] = Self.order(validity)
      if let signer = chain.first { outcomes[.signerValidity] = Self.signerValidity(validity, signer: signer) }
      outcomes[.validity] = Self.validity(validity, at: moment)
    }
    outcomes[.digestIdentifier] = Self.digestIdentifiers(object)
    outcomes[.digestAlgorithm] = .require(
      object.digestAlgorithm != nil, nil, nil,
      .field(
        "digestAlgorithm",
        expected: MobileSecurityObject.DigestAlgorithm.allCases.map(\.rawValue).joined(separator: ", "),
        found: object.digestAlgorithmName))
    if let algorithm = object.digestAlgorithm { outcomes[.digestLength] = Self.digestLengths(object, algorithm) }
  }

  /// Departures that were noticed in reading, after the problems of the same check.
  private static func findings(
    of check: ResponseCheck, in object: MobileSecurityObject, _ problems: [Outcome.Finding]
  ) -> Outcome {
    .findings(
      problems
        + object.deviations.filter { $0.check == check }.map { .init($0.reason, $0.message) })
  }

  private mutating func report(_ object: MobileSecurityObject) {
    var dates: [Outcome.Finding] = []
    var keys: [Outcome.Finding] = []
    var authorizations: [Outcome.Finding] = []
    for problem in object.problems {
      switch problem {
      case .date(let member, let found):
        dates.append(.init(.impossible, "\(member) is not a date that exists", .field(member, found: found)))
      case .dateOffset(let member, let found):
        dates.append(.init(.offset, "\(member) is not in UTC", .field(member, expected: "a date with Z", found: found)))
      case .deviceKey(let error): keys.append(.init(.unusable, "the device key cannot be used: \(error.message)"))
      case .keyAuthorizations(let message): authorizations.append(.init(nil, message))
      }
    }
    outcomes[.dates] = Self.findings(of: .dates, in: object, dates)
    outcomes[.deviceKey] = Self.findings(of: .deviceKey, in: object, keys)
    outcomes[.keyAuthorizations] = .findings(authorizations)
  }

  private static func signerValidity(_ validity: MobileSecurityObject.Validity, signer: CertificateFields) -> Outcome {
    var found: [Outcome.Finding] = []
    if !signer.isValid(at: validity.signed) {
      let isEarly =
        validity.signed < signer.validity.from
        && signer.validity.from.isWithin(Tolerances.secondsBeforeSigner, after: validity.signed)
      found.append(
        .init(
          isEarly ? .signedEarly : .signedOutside, nil,
          .field(
            "signed", expected: "\(signer.validity.from) to \(signer.validity.until)", found: "\(validity.signed)")))
    }
    if validity.validUntil > signer.validity.until {
      found.append(
        .init(
          .outlivesSigner, nil,
          .field("validUntil", expected: "\(signer.validity.until) or earlier", found: "\(validity.validUntil)")))
    }
    return .findings(found)
  }

  private static func validity(_ validity: MobileSecurityObject.Validity, at moment: DateTime) -> Outcome {
    var found: [Outcome.Finding] = []
    if validity.validFrom > moment {
      found.append(
        .init(
          .notYetValid, "the document is not valid before \(validity.validFrom)",
          .field("validFrom", expected: "\(moment) or earlier", found: validity.validFrom.description)))
    }
    if moment > validity.validUntil {
      found.append(
        .init(
          .expired, "the document expired on \(validity.validUntil)",
          .field("validUntil", expected: "\(moment) or later", found: validity.validUntil.description)))
    }
    return .findings(found)
  }

  /// Validity begins at signing or later, and ends after its beginning (ISO/IEC 18013-5, 9.1.2.4).
  private static func order(_ validity: MobileSecurityObject.Validity) -> Outcome {
    var found: [Outcome.Finding] = []
    if validity.validFrom < validity.signed {
      let isTolerable = validity.signed.isWithin(Tolerances.secondsBeforeSignature, after: validity.validFrom)
      found.append(
        .init(
          isTolerable ? .beforeSigned : .contradictory, "the document is valid before it was signed",
          .field("validFrom", expected: "\(validity.signed) or later", found: "\(validity.validFrom)")))
    }
    if validity.validUntil < validity.validFrom {
      found.append(
        .init(
          .contradictory, "the document's validity ends before it begins",
          .field("validUntil", expected: "after \(validity.validFrom)", found: "\(validity.validUntil)")))
    } else if validity.validUntil == validity.validFrom {
      found.append(.init(.endsAtBeginning))
    }
    if let update = validity.expectedUpdate, update > validity.validUntil {
      found.append(
        .init(
          .updateAfterEnd, nil,
          .field("expectedUpdate", expected: "\(validity.validUntil) or earlier", found: "\(update)")))
    }
    return .findings(found)
  }

  private static func digestIdentifiers(_ object: MobileSecurityObject) -> Outcome {
    .findings(
      object.valueDigests.compactMap { nameSpace in
        guard let largest = nameSpace.digests.entries.last?.identifier, largest > IssuerSignedItem.maximumDigestID
        else { return nil }
        return .init(
          largest <= Tolerances.largestDigestID ? .thirtyTwoBits : nil, nil,
          .field(
            "digestID of \(nameSpace.nameSpace)", expected: "\(IssuerSignedItem.maximumDigestID) or less",
            found: String(largest)))
      })
  }

  private static func digestLengths(
    _ object: MobileSecurityObject, _ algorithm: MobileSecurityObject.DigestAlgorithm
  ) -> Outcome {
    .findings(
      object.valueDigests.compactMap { nameSpace in
        let wrong = nameSpace.digests.entries.first { $0.digest.count != algorithm.byteCount }
        guard let wrong else { return nil }
        return .init(
          nil, nil,
          .field(
            "digest \(wrong.identifier) of \(nameSpace.nameSpace)", expected: "\(algorithm.byteCount) bytes",
            found: "\(wrong.digest.count) bytes"))
      })
  }
}

/// The extents of the departures that a lenient policy accepts.
private enum Tolerances {
  /// An hour: issuers in use begin validity five minutes before the signature.
  static let secondsBeforeSignature: Int64 = 3600
  /// An hour: issuers in use sign with a certificate that begins later in the same hour.
  static let secondsBeforeSigner: Int64 = 3600
  /// The largest digest identifier of 32 bits.
  static let largestDigestID: UInt64 = (1 << 32) - 1
}

extension DateTime {
  /// Returns whether the time is at most some seconds after another one.
  fileprivate func isWithin(_ seconds: Int64, after other: DateTime) -> Bool {
    secondsSince1970 - other.secondsSince1970 <= seconds
  }
}
