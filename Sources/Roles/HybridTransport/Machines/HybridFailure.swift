/// A failure of a request over the hybrid transport, in the families of Chromium's client.
public enum HybridFailure: String, Sendable, CaseIterable {
  /// The phone's person cancelled.
  case userCanceled = "remote.user-canceled"
  /// The phone ended the request.
  case deviceAborted = "remote.device-aborted"
  /// The phone has no credential for the request.
  case noCredential = "remote.no-credential"
  /// The phone reports an error with another text.
  case otherRemote = "remote.other"
  /// The phone does not offer digital credentials.
  case incompatibleDevice = "protocol.incompatible-device"
  /// The session ended before a response: closed, or broken messages.
  case transportError = "protocol.transport-error"
  /// The response has another form than it must have.
  case invalidResponse = "protocol.invalid-response"
  /// The client platform has no Bluetooth Low Energy.
  case noBluetoothSupport = "system.no-ble-support"
  /// The browser may not use Bluetooth.
  case permissionDenied = "system.permission-denied"
  /// Bluetooth is off.
  case lostPower = "system.lost-power"
  /// No phone scanned the QR code in time. Own rule: Chromium's dialog stays.
  case noPhone = "system.no-phone"
  /// The person closed the QR code, or the page aborted its call.
  case cancelled = "cancelled"
}
