import CBOR
import Crypto
import HybridTransport
import Primitives

/// Structures of CTAP's hybrid transport, by which a browser asks a phone: QR codes, adverts and messages of a session.
extension Outline {
  /// Writes the text of a QR code with the meaning of each key, and what both ends derive from it.
  /// - Throws: ``InspectionFailure`` if the text is not `FIDO:/` and digits. Nothing is written then.
  mutating func qrCode(_ text: String) throws(InspectionFailure) {
    let cbor = try InspectionFailure.instead(of: QRPayload.cbor(ofURI: text))
    let digits = (text.utf8.count - QRPayload.prefix.utf8.count).counted("digit")
    under("QR code of a client platform (CTAP, hybrid transport): \(digits), \(cbor.count.counted("byte"))") { inside in
      // The text holds the bytes as digits, so they have no offsets.
      inside.withoutOffsets(of: cbor) { inside in
        inside.item(cbor) { $0.qrMap($1) }
        do throws(HybridError) {
          let payload = try QRPayload(cbor: cbor)
          inside.keep(payload)
          inside.derived(from: payload)
        } catch {
          inside.line("would be refused: \(Printed.onOneLine(error.description))")
        }
      }
    }
  }

  private mutating func qrMap(_ node: Node) {
    guard node.kind == .map else { return notation(node) }
    entries(of: node, named: Self.namesOfQRKeys) { inside, key, name, value in
      inside.notation(value, prefix: "\(key), \(name): ", suffix: Self.meaning(ofQRKey: key, value))
    }
  }

  private static let namesOfQRKeys = [
    0: "identity key of the client platform", 1: "secret", 2: "known tunnel services", 3: "created",
    4: "can link devices (state-assisted transactions)", 5: "hint", 6: "channels",
  ]

  private static func meaning(ofQRKey key: Int, _ value: Node) -> String {
    switch key {
    case 0 where isPoint(value.bytes ?? []): " / compressed point of P-256 /"
    case 3: value.integer.map { " / \(DateTime(secondsSince1970: Int64($0))) /" } ?? ""
    case 5: value.text.map { " / \(meaning(ofHint: QRPayload.Hint(rawValue: $0))) /" } ?? ""
    case 6 where value.boolean != nil: " / the old form: support for credentials that are not discoverable /"
    default: ""
    }
  }

  private static func isPoint(_ bytes: [UInt8]) -> Bool {
    (try? P256.KeyAgreement.PublicKey(compressedRepresentation: bytes)) != nil
  }

  private static func meaning(ofHint hint: QRPayload.Hint?) -> String {
    switch hint {
    case .getAssertion: "sign-in with a passkey"
    case .makeCredential: "creation of a passkey"
    case .presentation: "presentation of a digital credential"
    case .issuance: "issuance of a digital credential"
    case nil: "unknown; read as \(QRPayload.Hint.getAssertion.rawValue)"
    }
  }

  private mutating func derived(from payload: QRPayload) {
    let tunnel = HybridKeys(secret: payload.secret).tunnelID
    let advertKey = HybridKeys.derive(payload.secret, for: .advert, count: AdvertKey.length)
    under("derived from the secret") { inside in
      inside.line("tunnel identifier: \(Printed.bytes(tunnel, full: true))")
      inside.line("path of the phone's tunnel: \(TunnelAddress.path(of: .new(tunnelID: tunnel)))")
      inside.line("key of the advert's encryption: \(Printed.bytes(advertKey.prefix(32), full: true))")
      inside.line("key of the advert's tag: \(Printed.bytes(advertKey.dropFirst(32), full: true))")
    }
  }

  /// Writes advertising data of this transport. Its advert is sealed.
  /// - Throws: ``InspectionFailure`` if the bytes are something else. Nothing is written then.
  mutating func advertisingData(_ bytes: [UInt8]) throws(InspectionFailure) {
    let serviceData = try InspectionFailure.instead(of: AdvertisingData.serviceData(in: bytes))
    under("advertising data of a phone (CTAP, hybrid transport)") { inside in
      for code in inside.qrCodes {
        do throws(InspectionFailure) { return try inside.advert(serviceData, for: code) } catch {}
      }
      inside.line("advert, sealed: \(Printed.bytes(serviceData, full: inside.isFull))")
    }
  }

  /// Writes the content of an advert, opened with the secret of a QR code.
  /// - Throws: ``InspectionFailure`` if the advert is not for this QR code. Nothing is written then.
  mutating func advert(_ serviceData: [UInt8], for code: QRPayload) throws(InspectionFailure) {
    let keys = HybridKeys(secret: code.secret)
    let advert = try InspectionFailure.instead(of: Advert(opening: serviceData, with: keys.advertKey))
    under("advert of a phone that scanned the QR code") { inside in
      inside.line("nonce: \(Printed.bytes(advert.nonce, full: true))")
      inside.line("routing identifier: \(Printed.bytes(advert.routingID, full: true))")
      let host = advert.service.host ?? "not assigned"
      inside.line("tunnel service: \(advert.service.rawValue) / \(host) /")
      let address = TunnelAddress(host: host, end: .connect(routingID: advert.routingID, tunnelID: keys.tunnelID))
      inside.line("address of the client platform's tunnel: \(address.url)")
      let preShared = keys.preSharedKey(advert: advert.plaintext)
      inside.line("pre-shared key of the handshake: \(Printed.bytes(preShared, full: true))")
      inside.suffix(Array(serviceData.dropFirst(Advert.length)))
    }
  }

  /// Writes the bytes after an advert, which are not authenticated.
  private mutating func suffix(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    under("suffix, not authenticated: channels of CTAP 2.3") { $0.item(bytes, base: Advert.length) }
  }

  /// Writes a message of a session, opened with the key of its direction.
  /// - Throws: ``InspectionFailure`` if the key opens it with none of the counters. Nothing is written then.
  mutating func sessionMessage(
    _ bytes: [UInt8], key: [UInt8], counters: ClosedRange<UInt32>
  ) throws(InspectionFailure) {
    var failure = InspectionFailure("no counter")
    for counter in counters {
      var cipher = FrameCipher(key: key, counter: counter)
      do throws(HybridError) {
        let message = try FramePadding.unpad(try cipher.open(bytes))
        line(
          "message \(counter) of a session (CTAP, hybrid transport): "
            + "\(message.count.counted("byte")), \(bytes.count) sealed")
        return nested { inside in inside.withoutOffsets(of: message) { $0.opened(message) } }
      } catch {
        failure = InspectionFailure(error.description)
        guard error.code == .frameAuthentication else { break }
      }
    }
    let tried = counters.count > 1 ? "counters \(counters.lowerBound) to \(counters.upperBound) were tried: " : ""
    throw InspectionFailure(tried + failure.message)
  }

  /// Writes the content of a message of a session.
  mutating func opened(_ message: [UInt8]) {
    // The first message has no type: it is a map, whose first byte is above all types.
    if let first = message.first, first >> 5 == 5 { return features(message) }
    let frame: Frame
    do throws(HybridError) { frame = try Frame(plaintext: message) } catch {
      line("would be refused: \(error.description)")
      return line(Printed.bytes(message, full: isFull))
    }
    under("type \(frame.kind.rawValue) / \(Self.name(of: frame.kind)) /") { inside in
      switch frame.kind {
      case .json:
        inside.within(frame.payload) { inside in
          do throws(InspectionFailure) { inside.json(try Self.readJSON(frame.payload), of: frame.payload) } catch {
            inside.line("not JSON: \(error.message)")
            inside.line(Printed.bytes(frame.payload, full: inside.isFull))
          }
        }
      case .ctap:
        guard let first = frame.payload.first else { return inside.line("empty") }
        inside.line("command or status: \(first)")
        let cbor = Array(frame.payload.dropFirst())
        inside.within(cbor) { $0.sessionCBOR(cbor) }
      case .shutdown, .update: inside.within(frame.payload) { $0.sessionCBOR(frame.payload) }
      }
    }
  }

  private static func name(of kind: Frame.Kind) -> String {
    switch kind {
    case .shutdown: "shutdown"
    case .ctap: "CTAP"
    case .update: "update"
    case .json: "JSON"
    }
  }

  private mutating func sessionCBOR(_ bytes: [UInt8]) { if !bytes.isEmpty { item(bytes) } }

  /// Writes the phone's first message: its features.
  private mutating func features(_ message: [UInt8]) {
    under("features of the phone") { inside in
      inside.item(message) { inside, node in
        inside.entries(of: node, named: Self.namesOfFeatureKeys) { inside, key, name, value in
          inside.notation(value, prefix: "\(key), \(name): ")
        }
      }
      do throws(HybridError) { _ = try PostHandshake(cbor: message) } catch {
        inside.line("would be refused: \(error.description)")
      }
    }
  }

  private static let namesOfFeatureKeys = [
    0: "padding", 1: "description of the authenticator (getInfo)", 2: "linking information", 3: "features",
  ]
}
