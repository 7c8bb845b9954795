import Checks
import Primitives

/// The checks of the returned elements: against the issuer's digests, and by themselves.
extension DocumentVerification {
  mutating func checkElements() {
    if let object { checkDigests(object) }
    outcomes[.elementSalt] = Self.salts(document)
    checkValues()
    outcomes[.elementAges] = Self.ages(document)
  }

  /// Compares the digest of every returned element with the signed one (ISO/IEC 18013-5, 9.1.2.5).
  private mutating func checkDigests(_ object: MobileSecurityObject) {
    var uncovered: [Outcome.Finding] = []
    var altered: [Outcome.Finding] = []
    let algorithm = object.digestAlgorithm
    for nameSpace in document.issuerSigned.nameSpaces {
      guard let digests = object.digests(of: nameSpace.name) else {
        uncovered.append(.init(.nameSpace, nil, .field("name space", found: nameSpace.name)))
        continue
      }
      for item in nameSpace.items {
        let element = item.value
        var place: CheckResult.Evidence { Self.place(nameSpace.name, element.elementIdentifier) }
        guard let expected = digests[element.digestID] else {
          uncovered.append(
            .init(.element, nil, [place, CheckResult.Evidence("digestID", found: String(element.digestID))]))
          continue
        }
        guard let found = algorithm?.digest(item.bytes), found[...] != expected else { continue }
        altered.append(
          .init(
            nil,
            "the digest of \(element.elementIdentifier) does not match: its value is not the one that the issuer signed",
            [place, CheckResult.Evidence("digest", expected: hexadecimal(expected), found: hexadecimal(found))]))
      }
    }
    outcomes[.elementCoverage] = .findings(uncovered)
    // Without an algorithm no digest is computed.
    if algorithm != nil { outcomes[.elementDigest] = .findings(altered) }
  }

  private static func salts(_ document: UnverifiedDocument) -> Outcome {
    var seen = HandfulSet<[UInt8]>()
    let areSound = document.issuerSigned.nameSpaces.allSatisfy { nameSpace in
      nameSpace.items.allSatisfy {
        $0.value.random.count >= IssuerSignedItem.minimumRandomLength && seen.insert($0.value.random)
      }
    }
    return areSound ? .passed : .findings(saltFindings(document))
  }

  private static func saltFindings(_ document: UnverifiedDocument) -> [Outcome.Finding] {
    var found: [Outcome.Finding] = []
    var salts: [[UInt8]: (nameSpace: String, identifier: String)] = [:]
    for nameSpace in document.issuerSigned.nameSpaces {
      for item in nameSpace.items {
        let random = item.value.random
        var place: CheckResult.Evidence { Self.place(nameSpace.name, item.value.elementIdentifier) }
        if random.count < IssuerSignedItem.minimumRandomLength {
          let evidence = CheckResult.Evidence("random", expected: "16 bytes or more", found: "\(random.count) bytes")
          found.append(.init(.tooShort, nil, [place, evidence]))
        } else if let other = salts.updateValue((nameSpace.name, item.value.elementIdentifier), forKey: random),
          other != (nameSpace.name, item.value.elementIdentifier)
        {
          found.append(
            .init(
              .repeated, "\(other.identifier) and \(item.value.elementIdentifier) have the same salt", [place]))
        }
      }
    }
    return found
  }

  private mutating func checkValues() {
    var twice: [Outcome.Finding] = []
    var types: [Outcome.Finding] = []
    var dates: [Outcome.Finding] = []
    // Two issuer-signed elements, two device-signed ones, or one of each (ISO/IEC 18013-5, 8.3.2.1.2.2).
    var seen = HandfulSet<Name>()
    for element in document.elements {
      var place: CheckResult.Evidence { Self.place(element.nameSpace, element.identifier) }
      let name = Name(nameSpace: element.nameSpace, identifier: element.identifier)
      if !seen.insert(name) { twice.append(.init(nil, nil, [place])) }
      let type = DataElementCatalogue.definition(nameSpace: element.nameSpace, identifier: element.identifier)?.type
      switch type?.dateFault(in: element.value) {
      case let fault?:
        dates.append(
          .init(fault == .impossible ? .impossible : .offset, "\(element.identifier) \(fault.message)", [place]))
      case nil:
        guard let problem = type?.problem(with: element.value) else { continue }
        types.append(.init(nil, "\(element.identifier) \(problem)", [place]))
      }
    }
    outcomes[.elementUnique] = .findings(twice)
    outcomes[.elementType] = .findings(types)
    outcomes[.elementDates] = .findings(dates)
    outcomes[.elementErrors] = .findings(
      document.errors.filter { seen.contains(Name(nameSpace: $0.nameSpace, identifier: $0.identifier)) }.map {
        .init(nil, nil, [Self.place($0.nameSpace, $0.identifier)])
      })
  }

  /// A person over an age is over every lower one (ISO/IEC 18013-5, 7.2.5): all attestations of a document are made for
  /// one moment.
  private static func ages(_ document: UnverifiedDocument) -> Outcome {
    let attestations = document.elements.compactMap(AgeAttestation.init)
    guard !attestations.isEmpty else { return .passed }
    var over: [ExactText: AgeAttestation] = [:]
    var notOver: [ExactText: AgeAttestation] = [:]
    for attestation in attestations {
      let name = ExactText(attestation.nameSpace)
      if attestation.value {
        if over[name].map({ $0.age < attestation.age }) ?? true { over[name] = attestation }
      } else if notOver[name].map({ attestation.age < $0.age }) ?? true {
        notOver[name] = attestation
      }
    }
    // In the order in which they were returned, and each name space once.
    return .findings(
      document.elements.map({ ExactText($0.nameSpace) }).uniqued().compactMap { nameSpace in
        guard let yes = over[nameSpace], let no = notOver[nameSpace], yes.age >= no.age else { return nil }
        return .init(
          nil, "\(yes.identifier) is true and \(no.identifier) is false",
          [Self.place(yes.nameSpace, yes.identifier), Self.place(no.nameSpace, no.identifier)])
      })
  }

  /// A name whose texts are equal too if they differ in their Unicode encoding only: one element could hide another.
  private struct Name: Hashable {
    let nameSpace: String
    let identifier: String

    static func == (left: Name, right: Name) -> Bool {
      left.identifier == right.identifier && left.nameSpace == right.nameSpace
    }
  }

  static func place(_ nameSpace: String, _ identifier: String) -> CheckResult.Evidence {
    CheckResult.Evidence("element", found: "\(nameSpace) \(identifier)")
  }
}
