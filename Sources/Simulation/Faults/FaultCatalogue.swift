import Messaging
import StatusLists
import WebPresentment

/// Every fault that a scenario can name, grouped by the party at fault.
public enum FaultCatalogue {
  /// Every fault, in the order of ``Fault/Party``.
  public static let all =
    Fault.ofIssuers + Fault.ofWallets + Fault.ofWebsites + Fault.ofBrowsers + Fault.ofOperatingSystems
    + Fault.ofSandboxes
    + Fault.ofNetworks + Fault.ofStorage

  private static let byID = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }

  /// The fault with an id.
  public static func fault(_ id: String) -> Fault? { byID[id] }

  /// Returns the journal's event of a fault.
  static func event(_ id: String, _ effect: FaultEvent.Effect = .applied) -> FaultEvent {
    FaultEvent(id, fault(id)?.title ?? id, effect)
  }

  /// The faults that demonstrations offer, in the order in which they offer them.
  public static let featured = [
    "network.reader-signature-altered", "browser.origin-replaced", "operating-system.raw-request-replaced",
    "network.response-altered", "wallet.value-changed", "issuer.expired", "issuer.signer-of-another-root",
    "issuer.not-signed", "wallet.another-device-key", "wallet.another-nonce",
    "wallet.transcript.origin.trailing-slash",
  ].compactMap(fault)
}

/// The change that a fault makes to a world.
enum Effect: Sendable {
  /// Issuing authorities issue documents with it, and wallets present them unchecked.
  case document(DocumentFault)
  /// Issuing authorities refer to their status lists with it.
  case statusEntry(StatusEntryFault)
  /// Issuing authorities publish their status lists with it.
  case statusList(StatusListFault)
  /// Wallets respond with it.
  case response(ResponseFault)
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
  /// Servers keep another origin than the page's.
  case sessionOrigin
  /// Messages change under way.
  case message(MessageChange)
  /// The sandbox's process misbehaves.
  case sandbox(SandboxFault)
  /// The disk of a device is full.
  case diskFull
}
