import Primitives

/// An error of a wallet of one's own: it gave no answer that can be judged.
public typealias WalletFailure = CodedFailure<WalletFailureCode>

/// The kinds of errors.
public enum WalletFailureCode: String, Sendable, CaseIterable {
  /// The program cannot be started.
  case start = "wallet.start"
  /// The program ended.
  case ended = "wallet.ended"
  /// It did not answer in time.
  case timeout = "wallet.timeout"
  /// Its answer is longer than the target's limit.
  case tooLong = "wallet.answer-too-long"
  /// Its answer is not one of the protocol.
  case malformed = "wallet.malformed-answer"
  /// It does not know the message.
  case unsupported = "wallet.unsupported"
  /// A recording does not have the message.
  case notRecorded = "wallet.not-recorded"
}

/// The connection of a world to the programs of its wallets.
public protocol OwnWalletLink: Sendable {
  /// Sends a message to a wallet's program, which is started with the first one.
  ///
  /// - Parameters:
  ///   - message: The message without its number. The messages to a program are numbered from 1.
  ///   - app: The app in its world: the device and the name.
  ///   - instant: The world's time in milliseconds since its start.
  /// - Returns: The line that the program printed, and the milliseconds of the world until it arrives.
  func ask(
    _ message: [UInt8], of app: String, by target: WalletTarget, at instant: Int64
  ) throws(WalletFailure) -> (answer: [UInt8], wait: Int64)

  /// Ends the program of an app that was removed from its device. The next message starts it again.
  func end(_ app: String)

  /// Ends every program.
  func end()
}
