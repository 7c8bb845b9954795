import Messaging
import NearbyDevices
import SimulationKernel
import Vocabulary

/// A device of an account with its keys, and the parties of the account's other devices.
struct NearbyAccount: Sendable {
  /// The device.
  let device: CircleDevice
  /// The devices that it works with: the iPhones of the account, and for an iPhone the devices that ask it.
  let peers: [DeviceIdentifier: Party]

  /// The account of a device, or nil if the world has no device in it to work with.
  init?(of device: WorldDescription.Device, in world: WorldDescription, entropy: Entropy) {
    guard let account = device.account else { return nil }
    let devices = world.devices.filter { $0.account == account }
    let others = devices.filter { other in
      other.identifier != device.identifier && (other.kind.answersNearby || device.kind.answersNearby)
    }
    guard !others.isEmpty else { return nil }
    var secret = entropy.stream("account/\(account)/secret")
    var peers: [DeviceIdentifier: Party] = [:]
    var members: [AccountCircle.Member] = []
    var own: (identifier: DeviceIdentifier, stream: EntropyStream)?
    for member in devices {
      // Every device draws the keys of the account's devices from the same streams, and uses only its own private key.
      var stream = entropy.stream("account/\(account)/devices/\(member.identifier)")
      guard let identifier = DeviceIdentifier(stream.bytes(DeviceIdentifier.length)) else { return nil }
      if member.identifier == device.identifier { own = (identifier, stream) }
      members.append(
        AccountCircle.Member(
          identifier: identifier, name: member.identifier, key: stream.keyAgreementKey().publicKey))
      if others.contains(where: { $0.identifier == member.identifier }) {
        peers[identifier] = Party(.nearby, member.identifier)
      }
    }
    guard var own else { return nil }
    self.device = CircleDevice(
      identifier: own.identifier, key: own.stream.keyAgreementKey(),
      circle: AccountCircle(secret: secret.bytes(32), members: members))
    self.peers = peers
  }

  /// The parties of the peers, in the order of their names.
  var parties: [Party] { peers.values.sorted() }

  /// The party of a device.
  func party(of device: DeviceIdentifier) -> Party? { peers[device] }

  /// The device of a party.
  func device(of party: Party) -> DeviceIdentifier? { peers.first { $0.value == party }?.key }

  /// The name of a device.
  func name(of device: DeviceIdentifier) -> String { self.device.circle[device]?.name ?? "another device" }
}
