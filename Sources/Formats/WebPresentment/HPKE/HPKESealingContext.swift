import Crypto
import FoundationEssentials

/// The sender's side of an HPKE context: seals messages in a row and exports secrets (RFC 9180, sections 5.2 and 5.3).
struct HPKESealingContext {
  private let schedule: HPKEKeySchedule
  private let key: SymmetricKey
  private let baseNonce: [UInt8]
  private var sequenceNumber: UInt64 = 0

  init(_ schedule: HPKEKeySchedule) {
    self.schedule = schedule
    key = SymmetricKey(data: schedule.key)
    baseNonce = schedule.baseNonce
  }

  /// ComputeNonce of section 5.2: the nonce of the next message, 12 bytes.
  var nonce: [UInt8] {
    var nonce = baseNonce
    for place in 0..<8 {
      nonce[HPKESuite.nonceByteCount - 1 - place] ^= UInt8(truncatingIfNeeded: sequenceNumber >> UInt64(8 * place))
    }
    return nonce
  }

  /// Seal of section 5.2.
  ///
  /// - Returns: The encrypted message, then its tag of 16 bytes.
  mutating func seal(_ plaintext: [UInt8], aad: [UInt8]) throws(HPKEError) -> [UInt8] {
    guard sequenceNumber < .max else { throw .seal("every sequence number of 64 bits is used") }
    do {
      let box = try AES.GCM.seal(plaintext, using: key, nonce: AES.GCM.Nonce(data: nonce), authenticating: aad)
      sequenceNumber += 1
      var sealed: [UInt8] = []
      sealed.reserveCapacity(plaintext.count + HPKESuite.tagByteCount)
      sealed += box.ciphertext
      sealed += box.tag
      return sealed
    } catch {
      throw .seal("AES-GCM: \(error)")
    }
  }

  /// Export of section 5.3.
  func export(context: [UInt8], count: Int) -> [UInt8] {
    HPKESuite.labeledExpand(
      HMAC<SHA256>(key: SymmetricKey(data: schedule.exporterSecret)), suite: HPKESuite.identifier, label: "sec",
      info: context, count: count)
  }
}
