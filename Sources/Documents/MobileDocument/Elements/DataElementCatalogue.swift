import Primitives

/// A data element of a standardized name space.
package struct DataElementDefinition: Sendable, Equatable {
  /// `DataElementIdentifier`, including the two digits of `age_over_NN`.
  package let identifier: String
  /// The type of the value.
  package let type: DataElementType
  /// A Boolean value that indicates whether every document of its type has the element.
  package let isMandatory: Bool
  /// The English display name.
  package let label: String

  init(_ identifier: String, _ type: DataElementType, mandatory: Bool = false, _ label: String) {
    self.identifier = identifier
    self.type = type
    isMandatory = mandatory
    self.label = label
  }
}

/// The known data elements, by name space.
package enum DataElementCatalogue {
  /// The name space under which the claims of SD-JWT credentials are listed, each by its path. A claim
  /// has the display name of an element with its identifier, or of the element that says the same.
  package static let claimsNameSpace = "claims"

  static let nameSpaces: [(name: String, elements: [DataElementDefinition])] = [
    ("org.iso.18013.5.1", drivingLicence), ("org.iso.18013.5.1.aamva", aamva),
    ("org.iso.23220.1", photoIDPerson), ("org.iso.23220.photoid.1", photoIDDocument),
    ("eu.europa.ec.eudi.pid.1", personIdentification), ("eu.europa.ec.av.1", []),
  ]

  /// The definitions of each name space by identifier.
  private static let definitions = nameSpaces.map { nameSpace in
    (name: nameSpace.name, elements: Dictionary(uniqueKeysWithValues: nameSpace.elements.map { ($0.identifier, $0) }))
  }

  /// Returns the definition of an element, or nil if the name space or element is unknown.
  package static func definition(nameSpace: String, identifier: String) -> DataElementDefinition? {
    guard let known = definitions.first(where: { $0.name == nameSpace }) else { return nil }
    if let found = known.elements[identifier] { return found }
    if let age = AgeOver.age(in: identifier) { return DataElementDefinition(identifier, .boolean, "Age over \(age)") }
    if identifier.hasPrefix("biometric_template_"), nameSpace == "org.iso.18013.5.1" {
      return DataElementDefinition(identifier, .bytes, "Biometric template")
    }
    return nil
  }

  /// Returns whether a name space is known.
  package static func knows(nameSpace: String) -> Bool { definitions.contains { $0.name == nameSpace } }

  /// Returns the display name of an element, or its identifier if it is unknown.
  package static func label(nameSpace: String, identifier: String) -> String {
    definition(nameSpace: nameSpace, identifier: identifier)?.label
      ?? (nameSpace == claimsNameSpace ? label(identifier: identifier) : identifier)
  }

  /// Returns the display name of an element of the first name space that has it, or of a claim. Returns the identifier if
  /// neither is known.
  package static func label(identifier: String) -> String {
    func known(_ identifier: String) -> String? {
      nameSpaces.lazy.compactMap { definition(nameSpace: $0.name, identifier: identifier) }.first?.label
    }
    return known(identifier) ?? ClaimNames.element(ofClaim: identifier).flatMap(known) ?? identifier
  }

  /// Returns the age that an element or a claim is about: NN of `age_over_NN` and of `age_equal_or_over.NN`.
  package static func age(nameSpace: String, identifier: String) -> Int? {
    let element = nameSpace == claimsNameSpace ? ClaimNames.element(ofClaim: identifier) : nil
    return AgeOver.age(in: element ?? identifier)
  }

  /// Returns the display name of a document type, or its identifier if it is unknown.
  package static func label(documentType: String) -> String {
    switch documentType {
    case DocumentType.drivingLicence: "Driver's License"
    case DocumentType.photoID: "Photo ID"
    case DocumentType.personIdentification, "dc+sd-jwt urn:eudi:pid:1": "Person Identification Data"
    case DocumentType.ageVerification: "Proof of Age"
    default: documentType
    }
  }
}

extension DataElementCatalogue {
  /// Returns the identifiers of a name space, without families such as `age_over_NN`.
  package static func identifiers(in nameSpace: String) -> [String] {
    nameSpaces.first { $0.name == nameSpace }?.elements.map(\.identifier) ?? []
  }
}

/// `age_over_NN` and the nearest-value rule (ISO/IEC 18013-5, 7.2.5).
package enum AgeOver {
  /// Returns the age in an identifier `age_over_NN`, or nil for any other identifier.
  package static func age(in identifier: String) -> Int? {
    guard identifier.hasPrefix("age_over_") else { return nil }
    let digits = identifier.utf8.dropFirst(9)
    guard digits.count == 2, digits.allSatisfy({ $0.isDigit }) else { return nil }
    return Int(String(Substring(digits)))
  }

  /// Returns the identifier for an age of 0 to 99.
  package static func identifier(for age: Int) -> String { "age_over_" + (age < 10 ? "0" : "") + String(age) }

  /// Returns the attestation that answers a request: the smallest true one at or above the age, else the largest false
  /// one at or below it, else none.
  ///
  /// - Parameters:
  ///   - age: NN of the request.
  ///   - attestations: The attestations of the document, in any order.
  /// - Returns: NN of the attestation to return.
  package static func nearest(to age: Int, in attestations: [(age: Int, value: Bool)]) -> Int? {
    let atOrAbove = attestations.filter { $0.value && $0.age >= age }.map(\.age).min()
    return atOrAbove ?? attestations.filter { !$0.value && $0.age <= age }.map(\.age).max()
  }

  /// Returns whether a person is over an age according to an attestation, or nil if the attestation does not tell.
  package static func conclusion(about age: Int, from attestation: (age: Int, value: Bool)) -> Bool? {
    if attestation.value { return attestation.age >= age ? true : nil }
    return attestation.age <= age ? false : nil
  }
}
