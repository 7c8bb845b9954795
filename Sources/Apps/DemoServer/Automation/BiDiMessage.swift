import JSON
import Primitives

/// A command of WebDriver BiDi (WebDriver BiDi, "Protocol").
struct BiDiCommand: Sendable {
  /// The largest number that a client may use for a command: the largest integer of a script.
  private static let largestNumber = 9_007_199_254_740_991

  let number: Int
  let method: String
  let parameters: JSONValue

  /// The result of reading a message: a command, or an error with the number of the command if it has one.
  enum Reading {
    case command(BiDiCommand)
    case failure(BiDiError, number: Int?)
  }

  /// Reads a message of a client.
  static func reading(_ bytes: [UInt8]) -> Reading {
    let value: JSONValue
    do {
      value = try JSONReader.read(bytes)
    } catch {
      return .failure(
        BiDiError(.invalidArgument, "the message is not JSON: byte \(error.offset): \(error.message)"), number: nil)
    }
    guard case .number(let spelling)? = value.member("id"), let number = Int(spelling),
      (0...largestNumber).contains(number)
    else { return .failure(BiDiError(.invalidArgument, "id must be a non-negative integer"), number: nil) }
    guard let method = value.member("method")?.text else {
      return .failure(BiDiError(.invalidArgument, "method must be a string"), number: number)
    }
    guard let parameters = value.member("params"), case .object = parameters else {
      return .failure(BiDiError(.invalidArgument, "params must be an object"), number: number)
    }
    return .command(BiDiCommand(number: number, method: method, parameters: parameters))
  }

  /// The answer to a command that succeeded.
  func success(_ result: JSONValue) -> [UInt8] {
    JSONValue(members: [("type", .string("success")), ("id", .number(String(number))), ("result", result)]).bytes
  }
}

/// The failure of a command of WebDriver BiDi.
typealias BiDiError = CodedFailure<BiDiErrorCode>

/// The error codes that are used (WebDriver BiDi, "Errors").
enum BiDiErrorCode: String, Sendable {
  case invalidArgument = "invalid argument"
  case invalidSessionID = "invalid session id"
  case noSuchFrame = "no such frame"
  case sessionNotCreated = "session not created"
  case unknownCommand = "unknown command"
  case unknownError = "unknown error"
}

extension BiDiError {
  /// The refusal of a command by the server.
  init(_ problem: HTTPProblem) {
    self.init(problem.status == .badRequest ? .invalidArgument : .unknownError, problem.message)
  }

  /// The answer to a command that failed.
  /// - Parameter number: The number of the command; nil if the message does not have one.
  func answer(to number: Int?) -> [UInt8] {
    JSONValue(members: [
      ("type", .string("error")), ("id", number.map { .number(String($0)) } ?? .null),
      ("error", .string(code.rawValue)), ("message", .string(TerminalSafe.text(message))),
    ]).bytes
  }
}
