/// The elements that were returned: against the issuer's digests, and by themselves.
extension DeviceResponseVerifier {
  /// Digest of every element that was returned (ISO/IEC 18013-5, 9.1.2.5).
  func checkDigests(
    _ document: UnverifiedDocument, object: MobileSecurityObject, list: inout Checklist<ResponseCheck>
  ) {
    for nameSpace in document.issuerSigned.nameSpaces {
      guard let digests = object.valueDigests.first(where: { $0.nameSpace == nameSpace.name })?.digests else {
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
      if let problem = type?.problem(with: element.value) {
        list.deviate(.elementType, "\(element.identifier) \(problem)", [place])
      }
    }
    list.pass(.elementUnique)
    list.pass(.elementType)
  }

  private struct Name: Hashable {
    let nameSpace: String
    let identifier: String
  }

  static func place(_ nameSpace: String, _ identifier: String) -> CheckResult.Evidence {
    CheckResult.Evidence("element", found: "\(nameSpace) \(identifier)")
  }
}
