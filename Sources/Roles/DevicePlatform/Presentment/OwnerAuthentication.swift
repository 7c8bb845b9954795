import JSON

/// The authentication of the device's owner by Face ID or passcode, as a pure machine.
///
/// ```
/// face-id --not recognized, four times--> face-id        the view stays open, and the passcode is another way
/// face-id --not recognized, the fifth time--> locked     only the passcode counts until it was right once
/// face-id --turned off--> off                            only the passcode counts until Face ID is on again
/// ```
public struct OwnerAuthentication: Sendable, Equatable {
  /// A way to authenticate. The raw value is the label of the control in a view.
  public enum Method: String, Sendable, CaseIterable {
    /// Face ID.
    case faceID = "face-id"
    /// The passcode of the device.
    case passcode

    /// The name for people.
    public var label: String {
      switch self {
      case .faceID: "Face ID"
      case .passcode: "Passcode"
      }
    }
  }

  /// The result of the person's attempt, as the sensor or the keypad reports it.
  public enum Result: String, Sendable, CaseIterable, JSONWritable, JSONReadable {
    /// The owner's face, or the right passcode.
    case succeeds
    /// Another face, or another passcode.
    case fails
    /// The person ends the attempt before its result.
    case cancelled
  }

  /// An attempt of the person.
  public struct Attempt: Sendable, Equatable {
    /// The way to authenticate.
    public var method: Method
    /// The result.
    public var result: Result

    /// Creates an attempt, which succeeds unless a result is given.
    public init(_ method: Method, _ result: Result = .succeeds) {
      self.method = method
      self.result = result
    }
  }

  /// The reason why the owner is not authenticated.
  public enum Failure: String, Sendable, CaseIterable, JSONWritable, JSONReadable {
    /// The face is not the owner's.
    case faceNotRecognized = "face-not-recognized"
    /// Too many faces in a row were not the owner's: only the passcode counts.
    case faceLocked = "face-id-locked"
    /// The owner has turned Face ID off: only the passcode counts.
    case faceOff = "face-id-off"
    /// The passcode is not the owner's.
    case passcodeWrong = "passcode-wrong"
    /// The person ended the attempt.
    case cancelled

    /// The text for the person.
    public var message: String {
      switch self {
      case .faceNotRecognized: "Face not recognized. Try again, or enter the passcode."
      case .faceLocked: "Face ID is locked after too many attempts. Enter the passcode."
      case .faceOff: "Face ID is off. Enter the passcode."
      case .passcodeWrong: "Wrong passcode. Try again."
      case .cancelled: "Authentication was cancelled. Nothing was shared."
      }
    }
  }

  /// The number of unsuccessful matches in a row after which Face ID needs the passcode. Apple documents five.
  public static let maximumFaceAttempts = 5

  /// Indicates whether the owner uses Face ID.
  public var isFaceOn = true
  private var failedFaces = 0

  /// Creates the authentication of a device that the owner has unlocked with the passcode.
  public init() {}

  /// Indicates whether only the passcode counts.
  public var isFaceLocked: Bool { failedFaces >= Self.maximumFaceAttempts }

  /// Takes an attempt.
  /// - Returns: Nil if the owner is authenticated.
  public mutating func take(_ attempt: Attempt) -> Failure? {
    switch (attempt.method, attempt.result) {
    case (.faceID, _) where !isFaceOn: return .faceOff
    case (.faceID, _) where isFaceLocked: return .faceLocked
    case (_, .cancelled): return .cancelled
    case (_, .succeeds):
      failedFaces = 0
      return nil
    case (.faceID, .fails):
      failedFaces += 1
      return isFaceLocked ? .faceLocked : .faceNotRecognized
    case (.passcode, .fails): return .passcodeWrong
    }
  }
}
