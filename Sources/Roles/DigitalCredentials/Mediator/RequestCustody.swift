/// The browser's custody of the raw requests of the pending calls, as a pure machine. Each tab can have a pending call.
///
/// The request comes from a website, which is untrusted. It leaves the browser twice at most: for the sandbox, which parses
/// it in isolation, and for the app that the person picked, after the person has agreed in its view. The operating system
/// decides about both and never has the bytes.
public struct RequestCustody: Hashable, Sendable {
  private struct Kept: Hashable, Sendable {
    var data: [UInt8]
    var wasParsed = false
  }

  private var kept: [CallID: Kept] = [:]

  /// Creates an empty custody.
  public init() {}

  /// The calls whose requests are kept, in the order of their identifiers.
  public var calls: [CallID] { kept.keys.sorted { $0.rawValue < $1.rawValue } }

  /// Keeps the request of a call until it is handed to an app, or the call ends.
  public mutating func keep(_ data: [UInt8], of call: CallID) { kept[call] = Kept(data: data) }

  /// Hands the request of a call to the sandbox.
  /// - Returns: Nil the second time, and if the call is not pending.
  public mutating func handToSandbox(_ call: CallID) -> [UInt8]? {
    guard let request = kept[call], !request.wasParsed else { return nil }
    kept[call]?.wasParsed = true
    return request.data
  }

  /// Hands the request of a call to the part of the device that sends it to another one over a secure channel. A second
  /// attempt on another channel gets it again.
  /// - Returns: Nil if the call is not pending.
  public func handToOtherDevice(_ call: CallID) -> [UInt8]? { kept[call]?.data }

  /// Hands the request of a call to an app and drops it.
  /// - Returns: Nil if the call is not pending, or the sandbox has not had its request.
  public mutating func handToApp(_ call: CallID) -> [UInt8]? {
    guard let request = kept[call], request.wasParsed else { return nil }
    kept[call] = nil
    return request.data
  }

  /// Drops the request of a call that has ended.
  public mutating func end(_ call: CallID) { kept[call] = nil }
}
