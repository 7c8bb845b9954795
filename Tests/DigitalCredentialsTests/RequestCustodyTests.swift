import Testing

@testable import DigitalCredentials

@Suite("Custody of the raw request")
struct RequestCustodyTests {
  private static let call = CallID(rawValue: 1)
  private static let other = CallID(rawValue: 2)

  private static func keeping() -> RequestCustody {
    var custody = RequestCustody()
    custody.keep([1, 2, 3], of: call)
    return custody
  }

  @Test("The sandbox gets a request once, and then one app gets it once")
  func onceEach() {
    var custody = Self.keeping()
    #expect(custody.handToSandbox(Self.call) == [1, 2, 3] && custody.handToSandbox(Self.call) == nil)
    #expect(custody.handToApp(Self.call) == [1, 2, 3] && custody.handToApp(Self.call) == nil)
    #expect(custody.calls.isEmpty)
  }

  @Test("No app gets a request that the sandbox has not had")
  func sandboxFirst() {
    var custody = Self.keeping()
    #expect(custody.handToApp(Self.call) == nil && custody.calls == [Self.call])
  }

  @Test("A request is handed out for its own call only")
  func otherCall() {
    var custody = Self.keeping()
    #expect(custody.handToSandbox(Self.other) == nil && custody.handToSandbox(Self.call) != nil)
    #expect(custody.handToApp(Self.other) == nil && custody.handToApp(Self.call) != nil)
  }

  @Test("A call that ended has no request, before and after the sandbox had it", arguments: [false, true])
  func ended(wasParsed: Bool) {
    var custody = Self.keeping()
    if wasParsed { _ = custody.handToSandbox(Self.call) }
    custody.end(Self.other)
    #expect(custody.calls == [Self.call])
    custody.end(Self.call)
    #expect(custody.handToSandbox(Self.call) == nil && custody.handToApp(Self.call) == nil)
  }

  @Test("The calls of two tabs keep their requests apart")
  func twoTabs() {
    var custody = Self.keeping()
    custody.keep([4], of: Self.other)
    #expect(custody.calls == [Self.call, Self.other])
    #expect(custody.handToSandbox(Self.call) == [1, 2, 3] && custody.handToSandbox(Self.other) == [4])
    custody.end(Self.other)
    #expect(custody.handToApp(Self.other) == nil && custody.handToApp(Self.call) == [1, 2, 3])
  }
}
