import Faults
import JSON
import Messaging
import Proximity
import Vocabulary

/// A reason why an alteration may stay unnoticed.
package struct SweepReason: Sendable {
  /// The name.
  package let name: String
  /// The reason, with the clause of the standard or what the model leaves out.
  package let text: String
  let covers: @Sendable (UnnoticedAlteration) -> Bool

  /// The reasons. The first one that covers an alteration counts.
  package static let all: [SweepReason] = [
    SweepReason(
      name: "no-arguments",
      text: "the operation has no arguments: its kind says everything, and the recipient reads no byte of the body"
    ) { $0.changesBytes && $0.message.bytes == Array("[]".utf8) },
    SweepReason(
      name: "person",
      text: "the eyes and hands of the person at the screen of the own device, which nothing authenticates; the "
        + "expectations of the case look at a part of the screen"
    ) { $0.message.sender.role == .person || $0.message.recipient.role == .person },
    SweepReason(
      name: "device-interface",
      text:
        "the way of taps and views between the system, its browser and its apps, inside one device; an app's view is "
        + "the app's own statement, and the raw request is compared with the partial request and not with the view"
    ) { $0.changesBytes && [.load, .click, .tap, .show].contains($0.message.kind) },
    SweepReason(
      name: "registration",
      text:
        "a registration is the app's own statement over an interface of the device: it decides only whether the app is "
        + "offered, and the app verifies the request itself before it answers"
    ) { alteration in
      guard alteration.message.kind == .addRegistration else { return false }
      if case .swapped = alteration.alteration.change { return true }
      return alteration.place?.steps.first.map(
        ["documentIdentifier", "invalidationDate", "supportedIssuerKeyIdentifiers"].contains) ?? false
    },
    SweepReason(
      name: "trust-anchor",
      text:
        "a root certificate arrives out of band; a path uses only the name and the key of its trust anchor, so neither "
        + "the other fields nor the certificate's signature of itself are verified (RFC 5280, 6.1.1 (d))"
    ) { alteration in
      let isRoot = alteration.message.kind == .root && alteration.message.mediaType == MediaType.certificate
      if isRoot, case .swapped = alteration.alteration.change { return true }
      let steps = alteration.place?.steps ?? []
      let parts = ["tbs", "signatureAlgorithm", "signature"]
      if isRoot { return steps.first.map(parts.contains) ?? false }
      return steps.first == "supportedAuthorityCertificates" && steps.last.map(parts.contains) ?? false
    },
    SweepReason(
      name: "idempotent",
      text:
        "the second copy finds the operation done and changes nothing: the page is loaded, the view is open, the call "
        + "has ended, the radio is on or off, or the session is over; a message inside one device does not carry a "
        + "number against repetition"
    ) { alteration in
      let kinds: [MessageKind] = [.load, .click, .tap, .authorize, .show, .response, .credential]
      return alteration.isDuplicated && (kinds + inPerson).contains(alteration.message.kind)
    },
    SweepReason(
      name: "acknowledgement",
      text: "only the confirmation is lost: the registration store has done what the app asked for"
    ) { $0.isDropped && $0.message.kind == .done },
    SweepReason(
      name: "own-server",
      text: "page and server are one relying party, connected with TLS (RFC 8446), which the model leaves out; the "
        + "expectations of the case look at a part of the verified elements"
    ) { $0.changesBytes && $0.message.kind == .verificationResult },
    SweepReason(
      name: "same-partial-request",
      text:
        "both sessions ask for the same with the same certificates, so the sandbox hands out the same partial request; "
        + "the app compares it with the raw request of its own session, and verifies that one's signatures over the "
        + "session transcript, which covers the nonce (ISO/IEC 18013-7, C.5)"
    ) { alteration in
      guard case .swapped(let donor) = alteration.alteration.change else { return false }
      return donor.origin == .earlierSession && alteration.message.kind == .requestData
    },
    SweepReason(
      name: "uninvolved",
      text:
        "the message prepares an app that does not answer in this case, or a website or a terminal that does not ask, "
        + "or it asks for the root of an issuer whose documents are not presented: the case ends before anything "
        + "depends on it"
    ) { alteration in
      // A party notices at once that it cannot read a root.
      if alteration.message.kind == .root, alteration.changesBytes { return false }
      return !alteration.isInvolved(alteration.message.sender) || !alteration.isInvolved(alteration.message.recipient)
    },
    SweepReason(
      name: "requested-again",
      text: "the page cannot read its server's answer, so it asks for a new request when the person taps the button"
    ) { alteration in
      guard alteration.message.kind == .presentmentBegun, let bytes = alteration.arriving else { return false }
      return (try? JSONCoding.decode(BegunPresentment.self, from: bytes)) == nil
    },
    SweepReason(
      name: "request-version",
      text:
        "the reader signatures cover the session transcript, the items requests and the device request's information, "
        + "but not its version (ISO/IEC 18013-5 second edition draft, 12.5.4); each supported version is read alike"
    ) { alteration in
      [.presentmentBegun, .getCredential, .requestData, .rawRequest].contains(alteration.message.kind)
        && alteration.place?.steps.suffix(2) == ["deviceRequest", "version"]
    },
    SweepReason(
      name: "call-number",
      text: "the answer belongs to its question by the exchange inside the device; the number of the call in it is "
        + "redundant"
    ) { $0.message.kind == .requestData && $0.message.answers != nil && $0.place?.steps == ["call"] },
    SweepReason(
      name: "unknown-member",
      text: "the options of the call are a dictionary, and members that a dictionary does not define are ignored "
        + "(Web IDL, conversion to a dictionary type); an optional member with another name is absent"
    ) { alteration in
      if let fault = alteration.fault { return fault.id == "website.origin-in-options" }
      guard alteration.message.kind == .getCredential, let place = alteration.place else { return false }
      return place.steps == ["options", "mediation"] && place.isInName
    },
    SweepReason(
      name: "undisclosed",
      text:
        "the faulty elements are not requested in this case, so they stay in the app, and the server does not see them"
    ) { alteration in
      guard let fault = alteration.fault else { return false }
      let failed = fault.findings.failed + fault.findings.deviating
      return fault.party == .issuer && !failed.isEmpty
        && failed.allSatisfy { $0.hasPrefix("element.dates") || $0.hasPrefix("element.ages") }
    },
    SweepReason(
      name: "presented-unchecked",
      text: "while an issuing authority is at fault, the app orders its document again before it answers, and keeps it "
        + "without a check: the document that it had is not presented, and neither are the elements of the new one "
        + "that are not requested"
    ) { alteration in
      guard case .flipped = alteration.alteration.change, alteration.message.kind == .document else { return false }
      return alteration.issuersAtFault.contains(alteration.message.sender) && !alteration.isPresented
    },
    SweepReason(
      name: "no-issuer-named",
      text: "the request of this case names no issuer, so a document of each accepted issuer answers it"
    ) { $0.fault?.findings.failed == ["issuer.requested"] },
    SweepReason(
      name: "radio-search",
      text:
        "the radio goes on to look for the other end, or to make itself known: its own end has its connection, and no "
        + "other one looks"
    ) { $0.isDropped && [.stopAdvertising, .stopScanning].contains($0.message.kind) },
    SweepReason(
      name: "session-over",
      text:
        "the terminal has its result and has ended the session, or the phone has its status: neither reads what comes "
        + "over the connection after that (ISO/IEC 18013-5, 9.1.1.4)"
    ) { alteration in
      alteration.fault == nil && alteration.followsResult
        && (inPerson + [.command, .commandResponse]).contains(alteration.message.kind)
    },
    SweepReason(
      name: "tunnel-over",
      text: "the phone has sent its reply: a second copy comes to an end that waits for nothing more, and without the "
        + "message that ends the session both ends close the tunnel by themselves (CTAP 2.3, hybrid transports)"
    ) { alteration in
      alteration.followsReply && [.tunnelMessage, .closeTunnel].contains(alteration.message.kind)
        && (alteration.isDuplicated || alteration.isDropped)
    },
    SweepReason(
      name: "reason-phrase",
      text: "the words after the number of a status are for people, and no client reads them (RFC 9112, 4)"
    ) { alteration in
      guard alteration.message.kind == .tunnelOpen, case .flipped(let byte, _) = alteration.alteration.change else {
        return false
      }
      let line = alteration.message.bytes.prefix { $0 != UInt8(ascii: "\r") }
      return byte >= "HTTP/1.1 101 ".utf8.count && byte < line.count
    },
    SweepReason(
      name: "nfc-framing",
      text:
        "the parameters and lengths of commands, what an application says about itself, and the sizes and times of a "
        + "tag are not authenticated: the reader asks until it has all bytes; the handover messages are in the session "
        + "transcript, and the session's messages are sealed (ISO/IEC 18013-5, 9.1.1.5 and 9.1.5.1)"
    ) { alteration in
      guard let bytes = alteration.arriving else { return false }
      switch alteration.message.kind {
      case .command:
        guard let sent = try? CommandAPDU(alteration.message.bytes), let found = try? CommandAPDU(bytes) else {
          return false
        }
        return (sent.class, sent.instruction, sent.data) == (found.class, found.instruction, found.data)
      case .commandResponse:
        guard let sent = try? ResponseAPDU(alteration.message.bytes), let found = try? ResponseAPDU(bytes) else {
          return false
        }
        return sent.data.isEmpty || sent.data == found.data || describesTag(sent.data)
      default: return false
      }
    },
    SweepReason(
      name: "nfc-blocks",
      text:
        "the blocks that carry commands and responses have numbers against repetition (ISO/IEC 14443-4, 7.5.3), which "
        + "the model leaves out"
    ) { $0.isDuplicated && [.command, .commandResponse].contains($0.message.kind) },
  ]

  /// True for a capability container, and for the message that announces the tag's service.
  private static func describesTag(_ data: [UInt8]) -> Bool {
    if (try? CapabilityContainer(data)) != nil { return true }
    guard let record = (try? NDEFMessage(data))?.records.first else { return false }
    return (try? TagService.Parameters(record)) != nil
  }

  /// The kinds of messages between an end of a session in person and the air or the field.
  private static let inPerson =
    searching + [.advert, .connected, .readAttribute, .attribute, .disconnect, .fieldEntered, .fieldLeft]
  private static let searching: [MessageKind] = [.advertise, .stopAdvertising, .scanAdverts, .stopScanning]
}

/// An alteration that nothing noticed.
struct UnnoticedAlteration: Sendable {
  /// The alteration.
  let alteration: Alteration
  /// The message as it was sent.
  let message: Message
  /// The apps that answered a request in the unaltered run, the issuers of their documents, and the servers and terminals
  /// that asked.
  let involved: Set<Party>
  /// The issuing authorities whose fault acts in the unaltered run.
  let issuersAtFault: Set<Party>
  /// False for a document that a later one replaces, and for a byte of an element that no request names.
  let isPresented: Bool
  /// True if a terminal has shown its last result before the message.
  let followsResult: Bool
  /// True for the phone's last message through a tunnel, and for those after it.
  let followsReply: Bool

  /// The fault of the catalogue; nil for another change.
  var fault: Fault? { alteration.fault }

  /// True if the message does not arrive.
  var isDropped: Bool { if case .dropped = alteration.change { true } else { false } }

  /// True if the message arrives twice.
  var isDuplicated: Bool { if case .duplicated = alteration.change { true } else { false } }

  /// The bytes that arrive; nil if they are the message's own, or none.
  var arriving: [UInt8]? { alteration.bytes(inPlaceOf: message.bytes) }

  /// True if other bytes arrive.
  var changesBytes: Bool { arriving != nil }

  /// The place of the flipped byte in the message; nil for another change.
  var place: BytePlace? {
    guard case .flipped(let byte, _) = alteration.change else { return nil }
    return BytePlace(of: byte, in: message.bytes)
  }

  /// True for an app that answers, for the issuer of its documents, for a server and a terminal that asks, and for every
  /// party of another role.
  func isInvolved(_ party: Party) -> Bool {
    ![.app, .issuer, .server, .terminal].contains(party.role) || involved.contains(party)
  }
}
