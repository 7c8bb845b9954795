import Checks
import Primitives

/// The elements that were returned: against the issuer's digests, and by themselves.
extension DeviceResponseVerifier {
  /// Digest of every element that was returned (ISO/IEC 18013-5, 9.1.2.5).
  func checkDigests(
    _ document: UnverifiedDocument, object: MobileSecurityObject, list: inout Checklist<ResponseCheck>
  ) {
    for nameSpace in document.issuerSigned.nameSpaces {
      guard let digests = object.valueDigests.first(where: { $0.nameSpace.isExactly(nameSpace.name) })?.digests else {
        list.fail(.nameSpaceCovered, nil, [CheckResult.Evidence("name space", found: nameSpace.name)])
        continue
      }
      for item in nameSpace.items {
        let element = item.value
        var place: CheckResult.Evidence { Self.place(nameSpace.name, element.elementIdentifier) }
        guard let expected = digests[element.digestID] else {
          list.fail(.elementCovered, nil, [place, CheckResult.Evidence("digestID", found: String(element.digestID))])
          continue
        }
        guard let found = object.digestAlgorithm?.digest(item.bytes), found != expected else { continue }
        list.fail(
          .elementDigest,
          "the digest of \(element.elementIdentifier) does not match: its value is not what the issuer signed",
          [place, CheckResult.Evidence("digest", expected: hexadecimal(expected), found: hexadecimal(found))])
      }
    }
    list.pass(.nameSpaceCovered)
    list.pass(.elementCovered)
    // Without an algorithm no digest was computed.
    if object.digestAlgorithm != nil { list.pass(.elementDigest) }
  }

  /// What can be said of elements without what the issuer signed: each is there once, has a salt of its own and a value
  /// of its type.
  func checkElements(_ document: UnverifiedDocument, list: inout Checklist<ResponseCheck>) {
    var salts: [[UInt8]: (nameSpace: String, identifier: String)] = [:]
    for nameSpace in document.issuerSigned.nameSpaces {
      for item in nameSpace.items {
        let random = item.value.random
        var place: CheckResult.Evidence { Self.place(nameSpace.name, item.value.elementIdentifier) }
        if random.count < IssuerSignedItem.minimumRandomLength {
          let evidence = CheckResult.Evidence("random", expected: "16 bytes or more", found: "\(random.count) bytes")
          list.fail(.elementSalt, "the salt of an element is shorter than 16 bytes", [place, evidence])
        } else if let other = salts.updateValue((nameSpace.name, item.value.elementIdentifier), forKey: random),
          other != (nameSpace.name, item.value.elementIdentifier)
        {
          list.fail(
            .elementSalt, "\(other.identifier) and \(item.value.elementIdentifier) have the same salt", [place])
        }
      }
    }
    list.pass(.elementSalt)
    // Two issuer-signed elements, two device-signed ones, or one of each (ISO/IEC 18013-5, 8.3.2.1.2.2).
    var seen: Set<Name> = []
    for element in document.elements {
      var place: CheckResult.Evidence { Self.place(element.nameSpace, element.identifier) }
      let name = Name(nameSpace: element.nameSpace, identifier: element.identifier)
      if !seen.insert(name).inserted { list.fail(.elementUnique, nil, [place]) }
      let type = DataElementCatalogue.definition(nameSpace: element.nameSpace, identifier: element.identifier)?.type
      switch type?.dateFault(in: element.value) {
      case let fault? where fault == .impossible:
        list.fail(.elementDates, "\(element.identifier) \(fault.sentence)", [place])
      case let fault?: list.fail(.elementDatesInUTC, "\(element.identifier) \(fault.sentence)", [place])
      case nil:
        guard let problem = type?.problem(with: element.value) else { continue }
        list.deviate(.elementType, "\(element.identifier) \(problem)", [place])
      }
    }
    for check in [ResponseCheck.elementUnique, .elementType, .elementDates, .elementDatesInUTC] { list.pass(check) }
    for error in document.errors where seen.contains(Name(nameSpace: error.nameSpace, identifier: error.identifier)) {
      list.fail(.errorsAgree, nil, [Self.place(error.nameSpace, error.identifier)])
    }
    list.pass(.errorsAgree)
    checkAges(document, list: &list)
  }

  /// Nobody is over an age and not over a lower one, or over an age and not over it (ISO/IEC 18013-5, 7.2.5): all
  /// attestations of a document are made for one moment.
  private func checkAges(_ document: UnverifiedDocument, list: inout Checklist<ResponseCheck>) {
    var over: [ExactText: AgeAttestation] = [:]
    var notOver: [ExactText: AgeAttestation] = [:]
    for attestation in document.elements.compactMap(AgeAttestation.init) {
      let name = ExactText(attestation.nameSpace)
      if attestation.value {
        if over[name].map({ $0.age < attestation.age }) ?? true { over[name] = attestation }
      } else if notOver[name].map({ attestation.age < $0.age }) ?? true {
        notOver[name] = attestation
      }
    }
    // In the order in which they were returned, and each name space once.
    for nameSpace in document.elements.map({ ExactText($0.nameSpace) }).uniqued() {
      guard let yes = over[nameSpace], let no = notOver[nameSpace], yes.age >= no.age else { continue }
      list.fail(
        .agesAgree, "\(yes.identifier) is true and \(no.identifier) is false",
        [Self.place(yes.nameSpace, yes.identifier), Self.place(no.nameSpace, no.identifier)])
    }
    list.pass(.agesAgree)
  }

  private struct Name: Hashable {
    let nameSpace: String
    let identifier: String
  }

  static func place(_ nameSpace: String, _ identifier: String) -> CheckResult.Evidence {
    CheckResult.Evidence("element", found: "\(nameSpace) \(identifier)")
  }
}
