import Ecosystem
import Messaging
import Vocabulary

/// The faults of one run. It equips a world with parties that can misbehave, and makes them do so when a scenario says.
/// A world that is started again keeps its equipment, and the faults with it.
public final class FaultInjector: Sendable {
  let documents: FaultyDocumentIssuer
  let statusEntries = StatusEntryFaults()
  let statusLists: FaultyStatusListIssuer
  let issuerLists = FaultyIssuerListIssuer()
  let encryptionInfos = AlphabetRevealingSource()
  let requests = FaultyRequestSigner()
  let retention = FaultyRetention()
  let responses: FaultyResponseBuilder
  let sandboxes = FaultySandboxLauncher()
  let crossDevice = FaultyCrossDevice()
  let inPerson = FaultyInPerson()

  /// An injector for worlds made from a description; no fault acts yet.
  public init(for description: WorldDescription) {
    documents = FaultyDocumentIssuer(statusEntries: statusEntries)
    statusLists = FaultyStatusListIssuer(statusEntries: statusEntries)
    responses = FaultyResponseBuilder(documents: documents, websites: description.websites)
  }

  /// The equipment of a world whose parties misbehave as the injector says.
  package var equipment: Equipment {
    var equipment = Equipment()
    equipment.documentIssuer = documents
    equipment.statusListIssuer = statusLists
    equipment.issuerListIssuer = issuerLists
    equipment.encryptionInfoSource = encryptionInfos
    equipment.requestSigner = requests
    equipment.retention = retention
    equipment.responseBuilder = responses
    equipment.identityAnswers = responses
    equipment.sandboxLauncher = sandboxes
    equipment.crossDevice = crossDevice
    equipment.inPerson = inPerson
    return equipment
  }

  /// Begins or ends a fault.
  /// - Parameter device: The device that the fault is about, where it is about one.
  /// - Throws: When a database does not take its limit.
  public func apply(_ change: FaultChange, to world: World, device: String) throws {
    let fault = change.fault
    let arguments: [String: String]
    let begins: Bool
    switch change {
    case .begins(let planned): (arguments, begins) = (planned.arguments, true)
    case .ends: (arguments, begins) = ([:], false)
    }
    func acting<Change>(_ change: Change) -> Acting<Change>? { begins ? Acting(fault: fault, change: change) : nil }
    switch fault.effect {
    case .document(let change): documents.set(acting(change))
    case .credential(let change): documents.set(acting(change))
    case .statusEntry(let change):
      for issuer in publishers(in: world, arguments) { statusEntries.set(acting(change), for: issuer) }
    case .statusList(let change):
      for issuer in publishers(in: world, arguments) {
        statusLists.set(acting(change), for: issuer, present: world.statusLists(of: issuer))
      }
    case .issuerList(let change): issuerLists.set(acting(change))
    case .response(let change): responses.change { $0.response = acting(change) }
    case .presentation(let change): responses.change { $0.presentation = acting(change) }
    case .presentationRequest(let change): requests.change { $0.presentation = acting(change) }
    case .identityAnswer(let change): responses.change { $0.identityAnswer = acting(change) }
    case .walletTranscript(let kind):
      encryptionInfos.set(begins, fault, of: kind)
      let variant = acting(kind)
      responses.change { plan in
        if arguments["in"] != "encryption" { plan.transcripts.signed = variant }
        if arguments["in"] != "signature" { plan.transcripts.sealed = variant }
      }
    case .deviceAuthentication(let kind): responses.change { $0.transcripts.authentication = acting(kind) }
    case .encryption(let kind): responses.change { $0.transcripts.encryption = acting(kind) }
    case .websiteTranscript(let kind):
      encryptionInfos.set(begins, fault, of: kind)
      requests.change { $0.transcript = acting(kind) }
    case .readerAuthentication(let kind): requests.change { $0.authentication = acting(kind) }
    case .selfMadeReaderCertificate: requests.change { $0.selfMadeCertificate = begins ? fault : nil }
    case .sessionOrigin: requests.change { $0.originWithSlash = begins ? fault : nil }
    case .retention(let surplus): retention.set(surplus, to: begins ? fault : nil)
    case .message(let message):
      world.network.removeFault(fault.id)
      if begins { world.network.add(message.networkFault(of: PlannedFault(fault, arguments: arguments))) }
    case .sandbox(let kind): sandboxes.set(begins ? kind : nil, on: world.description.devices.map(\.identifier))
    case .clientPlatform(let change): crossDevice.change { $0.clientPlatform = acting(change).map { ($0, arguments) } }
    case .authenticator(let change): crossDevice.change { $0.authenticator = acting(change) }
    case .tunnelService(let change):
      crossDevice.change { plan in
        plan.tunnelService = acting(change)
        plan.isDone = false
        plan.held = nil
      }
    case .inPerson(let change): inPerson.set(begins ? fault : nil, for: change)
    case .air(let attack):
      let isDone = world.perform(attack(arguments), begins: begins)
      guard begins else { break }
      world.record(isDone ? fault.event : fault.event(notApplicable: "there is nothing to attack"))
    case .diskFull: try world.setDisk(isFull: begins, of: device)
    }
  }
  /// The issuers with lists that a fault is about.
  private func publishers(in world: World, _ arguments: [String: String]) -> [String] {
    world.description.issuers.filter { issuer in
      issuer.publishesStatus != nil && arguments["issuer"].map { $0 == issuer.identifier } ?? true
    }.map(\.identifier)
  }
}
