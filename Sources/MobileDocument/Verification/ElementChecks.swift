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
        let place = Self.place(nameSpace.name, element.elementIdentifier)
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
        let place = Self.place(nameSpace.name, item.value.elementIdentifier)
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
    var seen: Set<[String]> = []
    for element in document.elements {
      let place = Self.place(element.nameSpace, element.identifier)
      if !seen.insert([element.nameSpace, element.identifier]).inserted { list.fail(.elementUnique, nil, [place]) }
      let type = DataElementCatalogue.definition(nameSpace: element.nameSpace, identifier: element.identifier)?.type
      if let problem = type?.problem(with: element.value) {
        list.deviate(.elementType, "\(element.identifier) \(problem)", [place])
      }
    }
    list.pass(.elementUnique)
    list.pass(.elementType)
  }

  static func place(_ nameSpace: String, _ identifier: String) -> CheckResult.Evidence {
    CheckResult.Evidence("element", found: "\(nameSpace) \(identifier)")
  }
}

extension UnverifiedDocument {
  /// Every element that was returned, the issuer's first.
  var elements: [VerifiedDocument.Element] {
    issuerSigned.nameSpaces.flatMap { nameSpace in
      nameSpace.items.map {
        VerifiedDocument.Element(
          nameSpace: nameSpace.name, identifier: $0.value.elementIdentifier, value: $0.value.elementValue,
          isDeviceSigned: false)
      }
    }
      + (deviceSigned?.elements ?? []).map {
        VerifiedDocument.Element(
          nameSpace: $0.nameSpace, identifier: $0.identifier, value: $0.value, isDeviceSigned: true)
      }
  }
}
