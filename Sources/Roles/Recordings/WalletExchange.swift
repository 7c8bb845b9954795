import JSON
import Primitives

extension Recording {
  /// A message to a wallet's program and its answer.
  package struct WalletExchange: Sendable {
    /// The name of the case that sent the message.
    package let scenario: String
    /// The seed of its world.
    package let seed: UInt64
    /// The time at which its world started.
    package let worldStart: DateTime
    /// The app: the device and the name.
    package let app: String
    /// The line of the message.
    package let message: [UInt8]
    /// The line of the answer.
    package let answer: [UInt8]
    /// The milliseconds of the world from its start to the message.
    package let instant: Int64
    /// The milliseconds of the world until the answer arrived.
    package let wait: Int64

    /// Creates an exchange.
    package init(
      scenario: String, seed: UInt64, worldStart: DateTime, app: String, message: [UInt8], answer: [UInt8],
      instant: Int64, wait: Int64
    ) {
      self.scenario = scenario
      self.seed = seed
      self.worldStart = worldStart
      self.app = app
      self.message = message
      self.answer = answer
      self.instant = instant
      self.wait = wait
    }
  }
}

extension Recording.WalletExchange {
  var json: JSONValue {
    func text(_ bytes: [UInt8]) -> JSONValue { .string(String(decoding: bytes, as: UTF8.self)) }
    return JSONValue(members: [
      ("case", .string(scenario)), ("seed", .number("\(seed)")), ("worldStart", .string("\(worldStart)")),
      ("app", .string(app)), ("instant", .number("\(instant)")), ("time", .number("\(wait)")),
      ("message", text(message)), ("answer", text(answer)),
    ])
  }

  init?(_ json: JSONValue) {
    func integer(_ name: String) -> Int64? {
      guard case .number(let spelling)? = json.member(name), let number = Int64(spelling) else { return nil }
      return number < 0 ? nil : number
    }
    guard let scenario = json.member("case")?.text, case .number(let spelling)? = json.member("seed"),
      let seed = UInt64(spelling), let started = json.member("worldStart")?.text,
      let (worldStart, _) = DateTime.parse(started), let app = json.member("app")?.text,
      let instant = integer("instant"), let wait = integer("time"), let message = json.member("message")?.text,
      let answer = json.member("answer")?.text
    else { return nil }
    self.init(
      scenario: scenario, seed: seed, worldStart: worldStart, app: app, message: Array(message.utf8),
      answer: Array(answer.utf8), instant: instant, wait: wait)
  }
}
