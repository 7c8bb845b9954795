import Crypto
import Ecosystem
import SimulationKernel
import Synchronization
import WebPresentment

/// The source of encryption information in a world with faults. The alphabets of base64 differ in two characters. About one
/// text in twenty lacks both, so a fault of the alphabet would change nothing. While such a fault acts, the source draws
/// nonces until the text has one of the two.
final class AlphabetRevealingSource: EncryptionInfoSource {
  /// The ids of the faults that act.
  private let faults = Mutex<Set<String>>([])

  /// Begins or ends a fault of a session transcript.
  func set(_ begins: Bool, _ fault: Fault, of variant: TranscriptVariant) {
    guard variant == .encryptionInfoStandardBase64 else { return }
    faults.withLock { faults in
      if begins { faults.insert(fault.id) } else { faults.remove(fault.id) }
    }
  }

  func encryptionInfo(
    for key: P256.KeyAgreement.PublicKey, drawing nonces: inout EntropyStream
  ) -> EncryptionInfo {
    let standard = StandardEncryptionInfoSource()
    var info = standard.encryptionInfo(for: key, drawing: &nonces)
    guard faults.withLock({ !$0.isEmpty }) else { return info }
    while !info.text.contains(where: { $0 == "-" || $0 == "_" }) {
      info = standard.encryptionInfo(for: key, drawing: &nonces)
    }
    return info
  }
}
