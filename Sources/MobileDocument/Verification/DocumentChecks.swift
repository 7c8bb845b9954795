import CBOR
import COSE
import Crypto
import X509

/// The checks of one document, a function for each part of it.
extension DeviceResponseVerifier {
  /// Issuer's signature; nil when there is nothing whose later parts could be read.
  func checkIssuerSignature(
    _ issuerSigned: UnverifiedIssuerSigned, list: inout Checklist<ResponseCheck>
  ) -> (chain: [Certificate], payload: [UInt8])? {
    let signature: COSESign1
    let chain: [Certificate]
    do {
      signature = try COSESign1(issuerSigned.issuerAuth)
      chain = try CertificateChain.read(signature.headers.x5chain ?? [])
    } catch {
      list.fail(.issuerAuthReadable, "the issuer's signature is malformed: \(error)")
      return nil
    }
    if signature.deviations.isEmpty {
      list.pass(.issuerAuthReadable)
    } else {
      list.deviate(.issuerAuthReadable, signature.deviations.map(\.rawValue).joined(separator: ", "))
    }
    guard let leaf = chain.first else {
      list.fail(.issuerSignature, "the document is not issuer authenticated: it has no signer certificate")
      return signature.unverifiedPayload.map { (chain, $0) }
    }
    do {
      try signature.verify(with: try leaf.verificationKey())
      list.pass(.issuerSignature)
    } catch {
      list.fail(
        .issuerSignature, "the issuer's signature does not verify: \(error.sentence)",
        [CheckResult.Evidence("signer", found: leaf.subject.description)])
    }
    guard let payload = signature.unverifiedPayload else {
      list.fail(.securityObjectReadable, "the issuer's signature has no payload")
      return nil
    }
    return (chain, payload)
  }

  /// Path from the signer's certificate to a trusted root.
  func checkPath(
    _ chain: [Certificate], at moment: DateTime, list: inout Checklist<ResponseCheck>
  ) async -> ValidatedCertificatePath? {
    guard !chain.isEmpty else { return nil }
    switch await trustedIssuers.validate(chain, at: moment) {
    case .success(let path):
      list.pass(.issuerTrust)
      list.pass(.issuerCertificateValidity)
      for finding in path.findings {
        list.deviate(.issuerCertificateProfile, finding.sentence, [CheckResult.Evidence("rule", found: finding.code)])
      }
      list.pass(.issuerCertificateProfile)
      return path
    case .failure(let error):
      switch error.code {
      case .untrusted, .signature:
        list.fail(.issuerTrust, "the issuer is not trusted: \(error.sentence)", error.evidence)
      case .expired, .notYetValid:
        list.pass(.issuerTrust)
        list.fail(.issuerCertificateValidity, error.sentence, error.evidence)
      case .key, .purpose, .profile:
        list.pass(.issuerTrust)
        list.fail(.issuerCertificateProfile, error.sentence, error.evidence)
      }
      return nil
    }
  }

  /// Version, document type and dates of the mobile security object.
  func checkSecurityObject(
    _ object: MobileSecurityObject, document: UnverifiedDocument, signer: Certificate?, at moment: DateTime,
    list: inout Checklist<ResponseCheck>
  ) {
    for deviation in object.deviations { list.deviate(.securityObjectReadable, deviation) }
    list.pass(.securityObjectReadable)
    list.require(
      object.version.hasPrefix("1."), .securityObjectVersion, nil,
      [CheckResult.Evidence("version", expected: "1.x", found: object.version)])
    list.require(
      object.documentType == document.documentType, .documentType, nil,
      [CheckResult.Evidence("docType", expected: object.documentType, found: document.documentType)])
    let validity = object.validity
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
      } else {
        list.pass(.validityWithinSigner)
      }
    }
    list.require(
      validity.validFrom <= moment, .validFrom, "the document is not valid before \(validity.validFrom)",
      [CheckResult.Evidence("validFrom", expected: "\(moment) or earlier", found: validity.validFrom.description)])
    list.require(
      moment <= validity.validUntil, .validUntil, "the document expired on \(validity.validUntil)",
      [CheckResult.Evidence("validUntil", expected: "\(moment) or later", found: validity.validUntil.description)])
  }

  /// Digest of every element that was returned.
  func checkDigests(
    _ document: UnverifiedDocument, object: MobileSecurityObject, list: inout Checklist<ResponseCheck>
  ) {
    guard let algorithm = object.digestAlgorithm else {
      list.fail(.digestAlgorithm, nil, [CheckResult.Evidence("digestAlgorithm", found: object.digestAlgorithmName)])
      return
    }
    list.pass(.digestAlgorithm)
    for nameSpace in document.issuerSigned.nameSpaces {
      var seen: Set<String> = []
      let device = (document.deviceSigned?.elements ?? []).filter { $0.nameSpace == nameSpace.name }
      for item in nameSpace.items {
        let element = item.value
        let place = CheckResult.Evidence("element", found: "\(nameSpace.name) \(element.elementIdentifier)")
        let isRepeated =
          !seen.insert(element.elementIdentifier).inserted
          || device.contains { $0.identifier == element.elementIdentifier }
        if isRepeated { list.fail(.elementUnique, nil, [place]) }
        if element.random.count < IssuerSignedItem.minimumRandomLength {
          list.fail(
            .elementSalt, nil,
            [
              place,
              CheckResult.Evidence("random", expected: "16 bytes or more", found: "\(element.random.count) bytes"),
            ])
        }
        guard let expected = object.digest(nameSpace: nameSpace.name, digestID: element.digestID) else {
          list.fail(.elementCovered, nil, [place, CheckResult.Evidence("digestID", found: String(element.digestID))])
          continue
        }
        let found = algorithm.digest(item.bytes)
        if found != expected {
          list.fail(
            .elementDigest,
            "the digest of \(element.elementIdentifier) does not match: its value is not what the issuer signed",
            [place, CheckResult.Evidence("digest", expected: hexadecimal(expected), found: hexadecimal(found))])
        }
      }
    }
    for code in [ResponseCheck.elementUnique, .elementCovered, .elementSalt, .elementDigest] { list.pass(code) }
  }

  /// Authentication by the device.
  func checkDevice(
    _ document: UnverifiedDocument, object: MobileSecurityObject, over transcript: SessionTranscript,
    list: inout Checklist<ResponseCheck>
  ) {
    guard let device = document.deviceSigned else { return list.fail(.deviceAuthentication) }
    if device.signature != nil, device.mac != nil {
      return list.fail(.deviceAuthentication, "the device gives a signature and a message authentication code")
    }
    for element in device.elements
    where !object.keyAuthorizations.allow(nameSpace: element.nameSpace, identifier: element.identifier) {
      list.fail(
        .deviceAuthorization, nil,
        [CheckResult.Evidence("element", found: "\(element.nameSpace) \(element.identifier)")])
    }
    list.pass(.deviceAuthorization)
    let signed = transcript.deviceAuthenticationBytes(
      documentType: document.documentType, deviceNameSpacesBytes: device.nameSpacesBytes)
    do {
      if let item = device.signature {
        list.pass(.deviceAuthentication)
        list.omit(.deviceMac)
        let signature = try COSESign1(item)
        try signature.verify(with: try object.deviceKey.verificationKey(), detachedPayload: signed)
        for deviation in signature.deviations { list.deviate(.deviceSignature, deviation.rawValue) }
        if signature.unverifiedPayload != nil {
          list.deviate(.deviceSignature, COSEDeviation.attachedPayload.rawValue)
        }
        list.pass(.deviceSignature)
      } else if let item = device.mac {
        list.pass(.deviceAuthentication)
        list.omit(.deviceSignature)
        guard let ephemeralReaderKey else { return list.fail(.deviceMac) }
        let key = try DeviceMAC.key(
          privateKey: ephemeralReaderKey, publicKey: try object.deviceKey.p256KeyAgreementKey(),
          transcript: transcript)
        let mac = try COSEMac0(item)
        try mac.verify(with: key, detachedPayload: signed)
        for deviation in mac.deviations { list.deviate(.deviceMac, deviation.rawValue) }
        list.pass(.deviceMac)
      } else {
        list.fail(.deviceAuthentication)
      }
    } catch {
      let isMac = device.signature == nil
      list.fail(
        isMac ? .deviceMac : .deviceSignature,
        (isMac ? "device message authentication code" : "device signature")
          + " does not verify: either another device made it, or it is for another session or origin",
        [
          CheckResult.Evidence("reason", found: "\(error)"),
          CheckResult.Evidence("session transcript", expected: hexadecimal(SHA256.hash(data: transcript.encoded))),
        ])
    }
  }

  /// Agreement of elements with the signer's certificate and with what was requested.
  func checkAgreement(
    _ document: UnverifiedDocument, chain: [Certificate], requests: [ItemsRequest]?,
    list: inout Checklist<ResponseCheck>
  ) {
    checkIssuingPlace(document, signer: chain.first, list: &list)
    guard let requests, !requests.isEmpty else { return }
    let accepted = requests.flatMap(\.issuerIdentifiers)
    list.require(
      requests.contains { $0.issuerIdentifiers.isEmpty }
        || chain.contains { $0.authorityKeyIdentifier.map(accepted.contains) ?? false },
      .issuerRequested)
    let requested = requests.flatMap { request in
      request.nameSpaces.flatMap { space in space.elements.map { (space.name, $0.identifier) } }
    }
    let returned = document.elements
    for element in returned where !requested.contains(where: { Self.isAsked(element, by: $0) }) {
      list.fail(
        .elementRequested, nil, [CheckResult.Evidence("element", found: "\(element.nameSpace) \(element.identifier)")])
    }
    list.pass(.elementRequested)
    for element in requested where !returned.contains(where: { Self.answers($0, element) }) {
      // Withholding is the person's right and no fault of the response; the site decides what to do without.
      list.deviate(
        .elementReturned, "\(element.1) was requested and not returned",
        [CheckResult.Evidence("element", expected: "\(element.0) \(element.1)")])
    }
    list.pass(.elementReturned)
  }

  /// Whether an element was asked for: itself, or an age where an age was asked for.
  private static func isAsked(_ element: VerifiedDocument.Element, by request: (String, String)) -> Bool {
    guard element.nameSpace == request.0 else { return false }
    return element.identifier == request.1
      || AgeOver.age(in: element.identifier) != nil && AgeOver.age(in: request.1) != nil
  }

  /// Whether an element answers a request: the same one, or an attestation of another age that says something about
  /// the one that was asked for (ISO/IEC 18013-5, 7.2.5).
  private static func answers(_ element: VerifiedDocument.Element, _ request: (String, String)) -> Bool {
    guard element.nameSpace == request.0 else { return false }
    if element.identifier == request.1 { return true }
    guard let held = AgeOver.age(in: element.identifier), let asked = AgeOver.age(in: request.1),
      case .boolean(let value) = element.value
    else { return false }
    return AgeOver.conclusion(about: asked, from: (held, value)) != nil
  }

  private func checkIssuingPlace(
    _ document: UnverifiedDocument, signer: Certificate?, list: inout Checklist<ResponseCheck>
  ) {
    func text(_ identifier: String) -> String? {
      let element = document.elements.first { $0.nameSpace == "org.iso.18013.5.1" && $0.identifier == identifier }
      guard case .text(let text)? = element?.value else { return nil }
      return text
    }
    // Without a signer's certificate there is nothing that could agree.
    guard let signer else { return }
    if let country = text("issuing_country") {
      list.require(
        country == signer.country, .issuingCountry, nil,
        [CheckResult.Evidence("country of the signer's certificate", expected: signer.country)])
    } else {
      list.omit(.issuingCountry)
    }
    if let jurisdiction = text("issuing_jurisdiction"), let certified = signer.state {
      list.require(
        jurisdiction == certified, .issuingJurisdiction, nil,
        [CheckResult.Evidence("state of the signer's certificate", expected: certified)])
    } else {
      list.omit(.issuingJurisdiction)
    }
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
