import Checks
import JSON
import Messaging
import Primitives
import Proximity

/// A line of a world's story: a journal entry in the words and with the emphasis that every view shows.
public struct Narrative: Sendable, Equatable {
  /// The meaning of a line for the outcome of a presentment.
  public enum Tone: String, Sendable, CaseIterable, JSONWritable, JSONReadable {
    /// A message.
    case message
    /// The beginning of a step.
    case step
    /// A check that passed or was not reached.
    case quiet
    /// A change or a decision without consequences for the outcome.
    case note
    /// Data withheld from a party.
    case withheld
    /// An accepted deviation, a hidden app, a warning.
    case warning
    /// The end of a call that is not an objection.
    case calm
    /// A verified response.
    case good
    /// An objection of a party.
    case bad
    /// An injected fault.
    case fault
  }

  /// The party at which the event happened.
  public let party: Party
  /// The meaning.
  public let tone: Tone
  /// A short sentence before the phrase; nil if the phrase says everything.
  public let title: String?
  /// The event in words, without a capital letter and a full stop.
  public let phrase: String
  /// The code in scenario files; nil for messages and steps.
  public let code: String?
  /// The readers of a message; nil for other events.
  public let readership: Readership?
  /// The evidence: fields with expected and found values.
  public let evidence: [CheckResult.Evidence]

  /// Tells an entry.
  /// - Parameter names: The names of the world's parts; nil for the journal's.
  public init(_ entry: JournalEntry, names: WorldNames? = nil) {
    party = entry.party
    // What a party says of other parties has their identifiers.
    if let names, case .note(let note) = entry.event {
      phrase = names.titled(note.words)
    } else {
      phrase = entry.event.phrase
    }
    code = entry.event.code
    evidence = entry.event.evidence
    readership = entry.event.message.map(Readership.init(of:))
    (tone, title) = Self.emphasis(of: entry.event, at: entry.party, names ?? .identifiers)
  }

  /// True for a line that views show without being asked: everything but quiet checks and notes.
  public var isProminent: Bool {
    switch tone {
    case .quiet, .note, .withheld, .warning: false
    case .message, .step, .calm, .good, .bad, .fault: true
    }
  }

  /// True for a line of a story. The quiet checks of a sandbox, of a reader authority and of the portal are left out: a note
  /// gives their result.
  public var isInStory: Bool { tone != .quiet || ![.sandbox, .readerAuthority, .portal].contains(party.role) }

  private static func emphasis(of event: JournalEvent, at party: Party, _ names: WorldNames) -> (Tone, String?) {
    switch event {
    case .message: return (.message, nil)
    case .step: return (.step, nil)
    case .check(let result):
      switch result.status {
      case .failed: return (.bad, "\(names.subject(party)) noticed.")
      case .deviates: return (.warning, "Accepted, though it deviates.")
      case .passed, .notReached: return (.quiet, nil)
      }
    case .selection(.hidden(let app, _, _)): return (.warning, "\(app) is hidden.")
    case .selection: return (.note, nil)
    case .consent(.requestWithheld): return (.withheld, "Withheld.")
    case .consent: return (.note, nil)
    case .exception: return (.calm, "The call ends without an answer.")
    case .fault: return (.fault, "Broken on purpose.")
    case .verdict(let verdict): return verdict.verdict == .verified ? (.good, "Verified.") : (.bad, "Refused.")
    case .note(let note):
      switch note.severity {
      // A person who declines is not an objection of a party.
      case .failed where note.code == .osCancelled: return (.calm, nil)
      case .failed: return (.bad, "\(names.subject(party)) noticed.")
      case .warning: return (.warning, nil)
      case .refused: return (.calm, nil)
      case .information, .ignored: return note.withheld.map { (.withheld, "Withheld: \($0).") } ?? (.note, nil)
      }
    }
  }
}

extension JournalEvent {
  /// The event in words, without a capital letter and a full stop.
  public var phrase: String {
    switch self {
    case .message(let message): message.phrase
    case .step(let action): action
    case .check(let result): result.words
    case .selection(.asked(let request)):
      switch request.signers.count {
      case 0: "the request is not signed"
      case 1: "the request has 1 reader signature"
      case let count: "the request has \(count) reader signatures"
      }
    case .selection(.offered(let app, _)): "\(app) may answer"
    case .selection(.hidden(_, let finding, _)): finding.message
    case .consent(.promptShown(let app)): "the person is asked whether \(app) may provide documents"
    case .consent(.asked(let requester, let elements)): "\(requester) asks for \(elements.count.counted("element"))"
    case .consent(.requestReleased(let app)): "the person agreed in \(app), which gets the raw request"
    case .consent(.requestWithheld(let app)):
      "\(app) gets no raw request: the person has not acted in its view, or its turn has ended"
    case .consent(.answered(let app)): "\(app) answered"
    case .exception(let event): event.message
    case .fault(let event): event.reasonNotApplied ?? event.title
    case .verdict(let event): event.message
    case .note(let note): note.words
    }
  }

  /// The evidence of the event for a reader: fields with expected and found values.
  public var evidence: [CheckResult.Evidence] {
    func fact(_ name: String, _ value: String) -> CheckResult.Evidence { CheckResult.Evidence(name, found: value) }
    switch self {
    case .message, .step, .verdict, .consent(.answered): return []
    case .check(let result): return (result.subject.map { [fact("subject", $0)] } ?? []) + result.evidence
    case .selection(.asked(let request)):
      let documents = request.documents.map { document in
        let issuers = document.issuers.isEmpty ? "any issuer" : "issuers \(document.issuers.joined(separator: ", "))"
        return fact("document", "\(document.documentType), of \(issuers)")
      }
      return [fact("origin", request.origin)] + documents + request.useCases.map { fact("use case", $0.description) }
        + request.signers.map { fact("signer", $0.name) } + [fact("compared", request.reading)]
    case .selection(.offered(let app, let registrations)):
      return [fact("app", app)] + registrations.map { fact("registration", "\($0.identifier), \($0.documentType)") }
    case .selection(.hidden(let app, let finding, let remedy)):
      return [fact("app", app)] + finding.evidence + [fact("it would appear", remedy)]
    case .consent(.asked(_, let elements)):
      return elements.map { fact($0.isRetained ? "retains" : "shows", "\($0.nameSpace) \($0.identifier)") }
    case .consent(.promptShown(let app)), .consent(.requestReleased(let app)), .consent(.requestWithheld(let app)):
      return [fact("app", app)]
    case .exception(let event): return [fact("exception", event.name), fact("page", event.page)]
    case .fault(let event): return event.messageNumber.map { [fact("message", String($0))] } ?? []
    case .note(let note): return note.facts.map { fact($0.name, $0.value) }
    }
  }
}

/// The readers of a message. The sender and the recipient read every message; some contents are sealed, or withheld in
/// part.
public struct Readership: Sendable, Equatable {
  /// The seal around a content.
  public enum Seal: String, Sendable, CaseIterable, JSONWritable {
    /// That of an answer, which the website's server opens.
    case answer
    /// That of a channel between two devices, around whatever they send. An answer in it is sealed for itself.
    case channel
  }

  /// The parties that read the message.
  public let readers: [Party]
  /// The seal around the content, or nil.
  public let seal: Seal?
  /// The party that can open the sealed content, or nil. Its name is empty where the message alone does not show it.
  public private(set) var sealedFor: Party?
  /// The content that is withheld from the recipient, with the reason, or nil.
  public let withheld: String?

  /// Determines the readers of a message by its kind.
  public init(of message: Message) {
    readers = [message.sender, message.recipient]
    switch message.kind {
    case .response where message.mediaType == MediaType.sealed || message.recipient.role == .mdoc:
      (seal, sealedFor) = (.answer, Party(.terminal, ""))
    case .attribute where Self.isSealed(attribute: message.bytes): (seal, sealedFor) = Self.session(of: message)
    case .command where message.mediaType == MediaType.sealedAPDU,
      .commandResponse where message.mediaType == MediaType.sealedAPDU:
      (seal, sealedFor) = Self.session(of: message)
    case .response, .credential, .submitResponse:
      (seal, sealedFor) = message.carriesPlainAnswer ? (nil, nil) : (.answer, Self.verifier(of: message))
    case .identityEnvelope, .identityDocument, .submitEnvelope:
      (seal, sealedFor) = (.answer, Self.verifier(of: message))
    case .tunnelMessage: (seal, sealedFor) = (.channel, Self.end(of: message))
    case .nearbyFrame: (seal, sealedFor) = (.channel, message.recipient)
    default: (seal, sealedFor) = (nil, nil)
    }
    withheld =
      switch message.kind {
      case .authorize:
        "The app learns what is asked and by whom. The raw request stays with the browser until the person has agreed."
      case .partialRequest:
        "The sandbox gives what to choose by, and the readers' certificates. The raw request, its signatures, the nonce and "
          + "the key to seal for stay inside."
      case .showSelector: "The person sees who may answer. No app has been told anything yet."
      case .withheld: "The person has not agreed, so the app does not get the raw request."
      default: nil
      }
  }

  /// The same readers, with the party that can open the sealed content; nil if nothing shows which party that is.
  public func opened(by party: Party?) -> Readership {
    var known = self
    known.sealedFor = party
    return known
  }

  /// The most bytes of an attribute that is not sealed: a UUID with the value of the Ident characteristic.
  static let longestSign = 32

  /// True for an attribute with a part of a sealed message, the last of which may be as short as a status.
  private static func isSealed(attribute bytes: [UInt8]) -> Bool {
    guard bytes.count <= longestSign else { return true }
    guard let attribute = BluetoothMode.allCases.lazy.compactMap({ BluetoothAttribute(bytes, in: $0) }).first,
      attribute.characteristic != .state, attribute.characteristic != .ident
    else { return false }
    return (try? SessionData(Array(attribute.value.dropFirst()))) == nil
  }

  /// The seal of a session in person, and the end that opens it. What a device sends to a terminal is its answer.
  private static func session(of message: Message) -> (Seal, Party) {
    switch message.sender.role {
    case .mdoc: (.answer, Party(.terminal, ""))
    case .terminal: (.channel, Party(.mdoc, ""))
    default: (.channel, message.recipient)
    }
  }

  /// The end of a tunnel that a message is for.
  private static func end(of message: Message) -> Party {
    switch message.sender.role {
    case .authenticator: Party(.clientPlatform, "")
    case .clientPlatform: Party(.authenticator, "")
    default: message.recipient
    }
  }

  /// The server that the message's sealed content is for: the one it goes to, or that of the page it is on its way to.
  /// Before the page its name is not known to those who carry it.
  private static func verifier(of message: Message) -> Party? {
    switch message.recipient.role {
    case .server: message.recipient
    case .page: Party(.server, message.recipient.website ?? "")
    default: Party(.server, "")
    }
  }

  /// The readers as a message.
  /// - Parameter names: The names of the world's parts; nil for the journal's.
  public func message(_ names: WorldNames? = nil) -> String {
    let names = names ?? .identifiers
    let carriers = readers.map(names.noun).joined(separator: " and ")
    guard seal != nil else { return "Read by \(carriers)." }
    guard let sealedFor else { return "Sealed: \(carriers) carry it." }
    let opener = sealedFor.name.isEmpty ? "the \(sealedFor.shortTitle)" : names.noun(sealedFor)
    return readers.contains(sealedFor)
      ? "Sealed; opened by \(opener)." : "Sealed: \(carriers) carry it, and only \(opener) can open it."
  }
}
