extension DataElementCatalogue {
  /// `org.iso.18013.5.1` (ISO/IEC 18013-5, 7.2.1 and table 20 of the second edition draft). `age_over_NN` and
  /// biometric templates are families and are answered by ``definition(nameSpace:identifier:)``.
  static let drivingLicence: [DataElementDefinition] = [
    DataElementDefinition("family_name", .latinText, mandatory: true, "Last Name"),
    DataElementDefinition("given_name", .latinText, mandatory: true, "First Name"),
    DataElementDefinition("birth_date", .fullDate, mandatory: true, "Date of Birth"),
    DataElementDefinition("issue_date", .date, mandatory: true, "Issue Date"),
    DataElementDefinition("expiry_date", .date, mandatory: true, "Expiration Date"),
    DataElementDefinition("issuing_country", .countryCode, mandatory: true, "Issuing Country"),
    DataElementDefinition("issuing_authority", .latinText, mandatory: true, "Issuing Authority"),
    DataElementDefinition("document_number", .latinText, mandatory: true, "Document Number"),
    DataElementDefinition("portrait", .picture, mandatory: true, "Photo"),
    DataElementDefinition("driving_privileges", .drivingPrivileges, mandatory: true, "Driving Privileges"),
    DataElementDefinition("un_distinguishing_sign", .text, mandatory: true, "Distinguishing Sign"),
    DataElementDefinition("administrative_number", .latinText, "Administrative Number"),
    DataElementDefinition("sex", .unsigned, "Sex"),
    DataElementDefinition("height", .unsigned, "Height"),
    DataElementDefinition("weight", .unsigned, "Weight"),
    DataElementDefinition(
      "eye_colour",
      .oneOf(["black", "blue", "brown", "dichromatic", "grey", "green", "hazel", "maroon", "pink", "unknown"]),
      "Eye Color"),
    DataElementDefinition(
      "hair_colour",
      .oneOf(["bald", "black", "blond", "brown", "grey", "red", "auburn", "sandy", "white", "unknown"]),
      "Hair Color"),
    DataElementDefinition("birth_place", .latinText, "Place of Birth"),
    DataElementDefinition("resident_address", .latinText, "Address"),
    DataElementDefinition("portrait_capture_date", .dateTime, "Date of Photo"),
    DataElementDefinition("age_in_years", .unsigned, "Age"),
    DataElementDefinition("age_birth_year", .unsigned, "Year of Birth"),
    DataElementDefinition("issuing_jurisdiction", .subdivisionCode, "Issuing Jurisdiction"),
    DataElementDefinition("nationality", .countryCode, "Nationality"),
    DataElementDefinition("resident_street", .latinText, "Street"),
    DataElementDefinition("resident_city", .latinText, "City"),
    DataElementDefinition("resident_state", .latinText, "State"),
    DataElementDefinition("resident_postal_code", .latinText, "Postal Code"),
    DataElementDefinition("resident_country", .countryCode, "Country of Residence"),
    DataElementDefinition("family_name_national_character", .text, "Last Name in National Characters"),
    DataElementDefinition("given_name_national_character", .text, "First Name in National Characters"),
    DataElementDefinition("signature_usual_mark", .picture, "Signature"),
  ]

  /// `org.iso.18013.5.1.aamva` (AAMVA mobile driver license implementation guidelines 1.2).
  static let aamva: [DataElementDefinition] = [
    DataElementDefinition("domestic_driving_privileges", .structure, mandatory: true, "Domestic Driving Privileges"),
    DataElementDefinition("name_suffix", .text, "Name Suffix"),
    DataElementDefinition("aka_suffix", .text, "Alias Suffix"),
    DataElementDefinition("organ_donor", .unsigned, "Organ Donor"),
    DataElementDefinition("veteran", .unsigned, "Veteran"),
    DataElementDefinition(
      "family_name_truncation", .oneOf(["T", "N", "U"]), mandatory: true, "Last Name Truncation"),
    DataElementDefinition(
      "given_name_truncation", .oneOf(["T", "N", "U"]), mandatory: true, "First Name Truncation"),
    DataElementDefinition("aka_family_name", .text, "Alias Last Name"),
    DataElementDefinition("aka_given_name", .text, "Alias First Name"),
    DataElementDefinition("aka_family_name.v2", .text, "Alias Last Name"),
    DataElementDefinition("aka_given_name.v2", .text, "Alias First Name"),
    DataElementDefinition("DHS_compliance", .oneOf(["F", "N"]), mandatory: true, "REAL ID Status"),
    DataElementDefinition("DHS_compliance_text", .text, "REAL ID Status Text"),
    DataElementDefinition("DHS_temporary_lawful_status", .unsigned, "Temporary Lawful Status"),
    DataElementDefinition("EDL_credential", .unsigned, "Enhanced Credential"),
    DataElementDefinition("CDL_indicator", .unsigned, "Commercial License"),
    DataElementDefinition("sex", .unsigned, mandatory: true, "Sex"),
    DataElementDefinition("weight_range", .unsigned, "Weight Range"),
    DataElementDefinition("race_ethnicity", .oneOf(["AI", "AP", "BK", "H", "O", "U", "W"]), "Race or Ethnicity"),
    DataElementDefinition("resident_county", .text, "County"),
    DataElementDefinition("hazmat_endorsement_expiration_date", .fullDate, "Hazmat Endorsement Expiration"),
    DataElementDefinition("audit_information", .text, "Audit Information"),
    DataElementDefinition("aamva_version", .unsigned, "AAMVA Version"),
  ]
}
