import DeviceToDevice
import Messaging
import StatusLists
import TranscriptDiagnosis

/// Every fault that a scenario can name, grouped by the party at fault.
public enum FaultCatalogue {
  /// Every fault, in the order of ``Fault/Party``.
  public static let all: [Fault] =
    Fault.ofIssuers + Fault.ofListOperators + Fault.ofWallets + Fault.ofPresentations
    + Fault.inPerson.filter { $0.party == .wallet }
    + Fault.ofWebsites + Fault.ofPresentationRequests + Fault.ofRetention + Fault.ofPages
    + Fault.ofBrowsers
    + Fault.ofOperatingSystems
    + Fault.ofSandboxes + Fault.acrossDevices
    + Fault.inPerson.filter { ![.wallet, .network].contains($0.party) } + Fault.ofNetworks
    + Fault.inPerson.filter { $0.party == .network }
    + Fault.ofStorage

  private static let byID = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }

  /// The fault with an id.
  public static func fault(_ id: String) -> Fault? { byID[id] }

  /// The faults that demonstrations offer, in the order in which they offer them.
  public static let featured = [
    "network.reader-signature-altered", "browser.origin-replaced", "browser.raw-request-replaced",
    "network.response-altered", "wallet.value-changed", "issuer.expired", "issuer.signer-of-another-root",
    "issuer.not-signed", "wallet.another-device-key", "wallet.another-nonce",
    "wallet.transcript.origin.trailing-slash",
  ].compactMap(fault)
}

/// The change that a fault makes to a world.
enum Effect: Sendable {
  /// Issuing authorities issue documents with it, and wallets present them unchecked.
  case document(DocumentChange)
  /// Issuing authorities issue SD-JWT credentials with it, and wallets present them unchecked.
  case credential(CredentialChange)
  /// Issuing authorities refer to their status lists with it.
  case statusEntry(StatusEntryChange)
  /// Issuing authorities publish their status lists with it.
  case statusList(StatusListChange)
  /// List operators publish their lists with it.
  case issuerList(IssuerListChange)
  /// Wallets respond with it.
  case response(ResponseChange)
  /// Wallets answer requests in OpenID4VP with it.
  case presentation(PresentationChange)
  /// Wallets answer apps' requests with it.
  case identityAnswer(InAppChange)
  /// Wallets make session transcripts so.
  case walletTranscript(TranscriptVariant)
  /// Devices sign so around the transcript.
  case deviceAuthentication(DeviceAuthenticationVariant)
  /// Wallets encrypt so.
  case encryption(HPKEVariant)
  /// Servers make session transcripts so for their readers.
  case websiteTranscript(TranscriptVariant)
  /// Readers sign so around the transcript.
  case readerAuthentication(ReaderAuthenticationVariant)
  /// Servers make requests in OpenID4VP with it.
  case presentationRequest(PresentationRequestChange)
  /// Servers sign requests with reader certificates of their own making.
  case selfMadeReaderCertificate
  /// Servers keep another origin than the page's.
  case sessionOrigin
  /// Servers keep more of a response than they said.
  case retention(FaultyRetention.Surplus)
  /// Messages change under way.
  case message(MessageChange)
  /// The sandbox's process misbehaves.
  case sandbox(SandboxFault)
  /// Client platforms behave so towards phones.
  case clientPlatform(ClientPlatformChange)
  /// Phones behave so towards client platforms.
  case authenticator(AuthenticatorChange)
  /// Tunnel services relay so.
  case tunnelService(TunnelServiceChange)
  /// An end of sessions in person behaves so.
  case inPerson(InPersonChange)
  /// An attacker has a radio.
  case air(@Sendable (_ arguments: [String: String]) -> AirAttack)
  /// The disk of a device is full.
  case diskFull
}

/// The catalogue as a reference page.
extension FaultCatalogue {
  /// docs/faults.md: a table of each party's faults.
  public static var page: String { head + Fault.Party.allCases.map(section).joined() }

  private static let head = """
    # Faults

    A fault is anything that a scenario makes go wrong. Each one has an id, which begins with the party at fault:

    ```yaml
    steps:
      - fault: issuer.signature-altered
      - fault: { browser.origin-replaced: { origin: "https://attacker.example" } }
      - fault: { ends: storage.disk-full }
    ```

    A fault acts from its step on, until a step ends it. The journal records it under its id each time it changes something.
    A fault that finds nothing to change fails the scenario. The tables say where each fault acts and which checks notice it:
    the checks fail, or they pass with an accepted deviation where the table says so. [checks.md](checks.md) explains the
    checks, `presentment faults` lists the faults. `make reference` writes this page from the catalogue. A shipped scenario
    shows each fault and one of its checks; a test requires it.

    """

  private static func section(_ party: Fault.Party) -> String {
    let faults = all.filter { $0.party == party }
    let rows = faults.map { fault in
      let failed = fault.findings.failed.map { "`\($0)`" }
      let deviating = fault.findings.deviating.map { "`\($0)` deviates" }
      let parameters = fault.parameters.map { " `\($0.name)`: \($0.title)." }.joined()
      return "| `\(fault.id)` | \(fault.title).\(parameters) | \(fault.place) | \(fault.findings.party) | "
        + "\((failed + deviating).isEmpty ? "none" : (failed + deviating).joined(separator: ", ")) |\n"
    }
    return "\n## \(party.title)\n\n| fault | title | acts on | noticed by | checks |\n| --- | --- | --- | --- | --- |\n"
      + rows.joined()
  }
}
