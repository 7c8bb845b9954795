/// The browser's custody of the raw request of the pending call, as a pure machine.
///
/// The request comes from a website, which is untrusted. It leaves the browser twice at most: for the sandbox, which parses
/// it in isolation, and for the app that the person picked, after the person has agreed in its view. The operating system
/// decides about both and never has the bytes.
public struct RequestCustody: Hashable, Sendable {
  private struct Kept: Hashable, Sendable {
    var call: CallID
    var data: [UInt8]
    var wasParsed = false
  }

  private var kept: Kept?

  /// Makes an empty custody.
  public init() {}

  /// The call whose request is kept, or nil if none is.
  public var call: CallID? { kept?.call }

  /// Keeps the request of a call. One call is pending at a time, so the request of an earlier call is dropped.
  public mutating func keep(_ data: [UInt8], of call: CallID) { kept = Kept(call: call, data: data) }

  /// Hands the request of a call to the sandbox.
  /// - Returns: nil the second time, and if the call is not pending.
  public mutating func handToSandbox(_ call: CallID) -> [UInt8]? {
    guard let kept, kept.call == call, !kept.wasParsed else { return nil }
    self.kept?.wasParsed = true
    return kept.data
  }

  /// Hands the request of a call to the client platform, which sends it to another device over a secure channel. A second
  /// attempt on another channel gets it again.
  /// - Returns: nil if the call is not pending.
  public func handToClientPlatform(_ call: CallID) -> [UInt8]? { kept?.call == call ? kept?.data : nil }

  /// Hands the request of a call to an app and drops it.
  /// - Returns: nil if the call is not pending, or the sandbox has not had its request.
  public mutating func handToApp(_ call: CallID) -> [UInt8]? {
    guard let kept, kept.call == call, kept.wasParsed else { return nil }
    self.kept = nil
    return kept.data
  }

  /// Drops the request of a call that has ended.
  public mutating func end(_ call: CallID) {
    if kept?.call == call { kept = nil }
  }
}
