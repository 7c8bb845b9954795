import Testing

@testable import DevicePlatform

private typealias Attempt = OwnerAuthentication.Attempt

@Suite("Authentication of the owner")
struct OwnerAuthenticationTests {
  private func play(_ attempts: some Sequence<Attempt>) -> OwnerAuthentication.Failure? {
    var owner = OwnerAuthentication()
    return attempts.map { owner.take($0) }.last ?? nil
  }

  private static let wrongFaces = [Attempt](
    repeating: Attempt(.faceID, .fails), count: OwnerAuthentication.maximumFaceAttempts)

  @Test("The owner's face and the passcode authenticate", arguments: OwnerAuthentication.Method.allCases)
  func succeeds(method: OwnerAuthentication.Method) {
    #expect(play([Attempt(method)]) == nil)
  }

  @Test("Another face is not recognized, and the fifth locks Face ID")
  func locks() {
    #expect(play(Self.wrongFaces.dropLast()) == .faceNotRecognized)
    #expect(play(Self.wrongFaces) == .faceLocked)
    #expect(play(Self.wrongFaces + [Attempt(.faceID)]) == .faceLocked)
    #expect(play(Self.wrongFaces + [Attempt(.faceID, .cancelled)]) == .faceLocked)
  }

  @Test("Only the right passcode ends the lock")
  func unlocks() {
    #expect(play(Self.wrongFaces + [Attempt(.passcode, .fails)]) == .passcodeWrong)
    #expect(play(Self.wrongFaces + [Attempt(.passcode, .fails), Attempt(.faceID)]) == .faceLocked)
    #expect(play(Self.wrongFaces + [Attempt(.passcode), Attempt(.faceID)]) == nil)
  }

  @Test("Without Face ID only the passcode counts, and no face is counted")
  func faceIsOff() {
    var owner = OwnerAuthentication()
    owner.isFaceOn = false
    for attempt in Self.wrongFaces + [Attempt(.faceID)] { #expect(owner.take(attempt) == .faceOff) }
    #expect(owner.take(Attempt(.passcode)) == nil)
    owner.isFaceOn = true
    #expect(owner.take(Attempt(.faceID)) == nil)
  }

  @Test("A recognized face begins the count again; a cancelled attempt does not count")
  func counts() {
    let almost = Array(Self.wrongFaces.dropLast())
    #expect(play(almost + [Attempt(.faceID)] + almost) == .faceNotRecognized)
    #expect(play(almost + [Attempt(.faceID, .cancelled)]) == .cancelled)
    #expect(play(almost + [Attempt(.faceID, .cancelled), Attempt(.faceID)]) == nil)
    #expect(play([Attempt(.passcode, .cancelled)]) == .cancelled)
  }
}
