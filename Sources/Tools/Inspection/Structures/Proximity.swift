import CBOR
import MobileDocument
import Primitives
import Proximity

/// Structures of device retrieval in person (ISO/IEC 18013-5, 8.2 and 9.1.1), which occur in files with others.
extension Outline {
  mutating func deviceEngagement(_ node: Node) {
    let bytes = [UInt8](node.item.encoded)
    if let version = node.member(0) { field("version (0)", version) }
    if let security = node.member(1)?.elements, security.count == 2 {
      field("cipher suite", security[0])
      embedded("EDeviceKeyBytes", security[1]) { $0.ephemeralKey($1) }
    }
    if let methods = node.member(2) { retrievalMethods(methods) }
    otherMembers(of: node, exceptLabels: [0, 1, 2])
    do throws(ProximityError) {
      let engagement = try DeviceEngagement(bytes, by: node.member(2) == nil ? .nfc : .qrCode)
      for deviation in engagement.deviations { line("deviates: \(Self.meaning(of: deviation))") }
      session?.engage(engagement)
    } catch {
      line("would be refused: \(Printed.onOneLine(error.description))")
    }
  }

  private mutating func retrievalMethods(_ node: Node) {
    guard !node.elements.isEmpty else { return field("device retrieval methods (2)", node) }
    under("device retrieval methods (2)", at: node.offset) { inside in
      for entry in node.elements {
        do throws(CBORError) {
          inside.line(Self.meaning(of: try RetrievalMethod(entry.item)), at: entry.offset)
        } catch {
          inside.notation(entry)
        }
      }
    }
  }

  private static func meaning(of method: RetrievalMethod) -> String {
    switch method {
    case .nfc(let options): return "NFC: \(meaning(of: options))"
    case .wifiAware: return "Wi-Fi Aware"
    case .unknown(let type, let version): return "type \(type) of version \(version), which a reader skips"
    case .bluetooth(let options):
      let modes = [
        options.peripheralServer.map { "mdoc peripheral server mode, service \($0)" },
        options.centralClient.map { "mdoc central client mode, service \($0)" },
        options.channel.map { "L2CAP channel \($0)" },
      ]
      return "Bluetooth Low Energy: " + modes.compactMap(\.self).joined(separator: "; ")
    }
  }

  private static func meaning(of options: RetrievalMethod.NFCOptions) -> String {
    "commands of at most \(options.maximumCommand.counted("byte")), "
      + "responses of at most \(options.maximumResponse.counted("byte"))"
  }

  private static func meaning(of deviation: DeviceEngagement.Deviation) -> String {
    switch deviation {
    case .originsMissing: "capabilities without the array of origins"
    case .methodsByNFC: "retrieval methods in an engagement by NFC, which are ignored"
    case .uuidVariant: "a UUID with other variant bits than those of RFC 9562"
    }
  }

  /// Writes the text of a QR code.
  /// - Throws: ``InspectionFailure`` if a reader would refuse it. Nothing is written then.
  mutating func engagementCode(_ text: String) throws(InspectionFailure) {
    let bytes = try InspectionFailure.instead(of: DeviceEngagement(uri: text)).bytes
    under("QR code of an mdoc (ISO/IEC 18013-5, device retrieval): \(bytes.count.counted("byte"))") { inside in
      // The text holds the bytes in base64url, so they have no offsets.
      inside.opened(cbor: bytes)
    }
  }

  /// `SessionEstablishment` and `SessionData`.
  mutating func sessionMessage(_ node: Node) {
    members(
      of: node, .embedded("eReaderKey") { $0.ephemeralKey($1) }, KnownMember("data") { $0.sessionData($1, of: node) },
      KnownMember("status") { outline, status in
        let meaning = status.item.kind == .unsigned ? try? status.item.unsigned() : nil
        outline.notation(
          status, prefix: "status: ", suffix: meaning.map { " / \(SessionStatus(code: $0).meaning) /" } ?? "")
      })
  }

  private mutating func ephemeralKey(_ node: Node) {
    if Artifact.recognize(node) == .key { key(node) } else { notation(node) }
  }

  /// Writes the data of a message, opened if its session is followed.
  private mutating func sessionData(_ data: Node, of message: Node) {
    guard session != nil, let sealed = data.bytes else {
      return opaque("data", data, "a message encrypted with the session's keys")
    }
    do throws(InspectionFailure) {
      if message.member("eReaderKey") != nil {
        let bytes = [UInt8](message.item.encoded)
        try session?.establish(try InspectionFailure.instead(of: SessionEstablishment(bytes)))
      }
      guard let opened = try session?.open(sealed) else { return }
      let plaintext = opened.plaintext
      line(
        "data: message \(opened.counter) of the \(opened.sender == .reader ? "reader" : "mdoc"), "
          + "\(plaintext.count.counted("byte")), \(sealed.count) sealed", at: data.offset)
      guard canNest else { return }
      nested { $0.opened(cbor: plaintext) }
    } catch {
      opaque("data", data, "sealed, not opened: \(Printed.onOneLine(error.message))")
    }
  }
}

/// NFC messages (NFC Forum, NDEF 1.0), which hand over a proximity presentment.
extension Outline {
  /// Writes the records of a message, and what those of a connection handover say.
  /// - Throws: ``InspectionFailure`` if the bytes are not an NDEF message. Nothing is written then.
  mutating func nearFieldMessage(_ bytes: [UInt8]) throws(InspectionFailure) {
    let message = try InspectionFailure.instead(of: NDEFMessage(bytes))
    under("NDEF message: \(message.records.count.counted("record"))") { inside in
      for record in message.records {
        let type = Printed.quoted(String(decoding: record.type, as: UTF8.self), full: true)
        inside.line("\(type): \(Printed.bytes(record.payload, full: inside.isFull))")
      }
      inside.handover(message)
    }
  }

  /// Writes a message of connection handover, if this is one.
  private mutating func handover(_ message: NDEFMessage) {
    let type = message.records.first.map { String(decoding: $0.type, as: UTF8.self) }
    guard let kind = type.flatMap(HandoverMessage.Kind.init) else { return }
    let handover: HandoverMessage
    do throws(ProximityError) { handover = try HandoverMessage(message.bytes, kind) } catch {
      return line("would be refused: \(Printed.onOneLine(error.description))")
    }
    session?.engage(handover)
    let title = kind == .select ? "handover select message, of the mdoc" : "handover request message, of the reader"
    under(title) { inside in
      for carrier in handover.carriers { inside.line(Self.meaning(of: carrier, from: kind)) }
      if let engagement = handover.engagement { inside.opened(cbor: engagement, name: "device engagement: ") }
    }
  }

  private static func meaning(of carrier: HandoverMessage.Carrier, from kind: HandoverMessage.Kind) -> String {
    switch carrier {
    case .unknown: return "another carrier, which is skipped"
    case .nfc(let carrier): return "NFC" + (carrier.options.map { ": \(meaning(of: $0))" } ?? "")
    case .bluetooth(let carrier):
      let modes = carrier.role.modes(of: kind == .select ? .mdoc : .reader).map { mode in
        mode == .centralClient ? "mdoc central client mode" : "mdoc peripheral server mode"
      }
      return "Bluetooth Low Energy: " + modes.joined(separator: ", else ")
        + (carrier.uuid.map { "; service \($0)" } ?? "")
    }
  }
}
