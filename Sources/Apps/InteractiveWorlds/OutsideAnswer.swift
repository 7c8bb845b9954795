import DigitalCredentials
import Ecosystem
import ExchangeFiles
import Foundation
import JSON
import MobileDocument
import Primitives
import Scenarios
import SimulationKernel

/// The real answer of a world's device to the request of a page that is no part of the world.
///
/// The page is put into the world, with its origin, as one whose script runs outside. The person opens it, taps, picks an
/// app and agrees; browser, operating system, sandbox and app do what they always do.
public struct OutsideAnswer: Sendable {
  /// What the page gets: protocol and data, as JSON in UTF-8.
  public let credential: [UInt8]
  let answer: PageCredential
  /// The app that answered.
  public let app: String
  /// Everything that happened.
  public let journal: Journal
  /// The root of each issuing authority by its name in the world, in DER.
  public let issuerRoots: [String: [UInt8]]

  /// Who is asked.
  public struct Question: Sendable {
    /// Path of the file with the world, or of a scenario in it.
    public var world: String
    /// The device; the world's only one when nil.
    public var device: String?
    /// The app that the person picks; the first that is offered when nil.
    public var app: String?
    /// The origin of the page, as its browser would say it.
    public var origin: String
    /// The seed of the world; its own when nil.
    public var seed: UInt64?
    /// When the answer is made, in the world.
    public var moment: DateTime

    /// A question from its parts.
    public init(
      world: String, device: String? = nil, app: String? = nil, origin: String, seed: UInt64? = nil, moment: DateTime
    ) {
      self.world = world
      self.device = device
      self.app = app
      self.origin = origin
      self.seed = seed
      self.moment = moment
    }
  }

  /// Lets a world's device answer. Runs on the calling thread from beginning to end.
  ///
  /// - Parameter options: what the page passes to `navigator.credentials.get`, as JSON in UTF-8.
  /// - Throws: ``AnswerRefusal``.
  public init(to options: [UInt8], _ question: Question) throws(AnswerRefusal) {
    let place = try OutsidePlace(question)
    var run: ScenarioRun
    do throws(ScenarioRun.Stop) {
      run = try ScenarioRun(place.scenario, seed: question.seed)
    } catch {
      throw AnswerRefusal(.broken, LiveRefusal(error).sentence)
    }
    defer { run.end() }
    do throws(ScenarioRun.Stop) {
      try run.prepare()
      for fault in place.scenario.steps { try run.take(fault) }
    } catch {
      throw AnswerRefusal(.broken, LiveRefusal(error).sentence)
    }
    journal = run.world.journal
    issuerRoots = run.world.issuerRoots
    try place.take(["person": ["visits": place.website, "on": place.device]], &run)
    try place.take(["person": ["taps": "the page"]], &run)
    let call = #"{"call":1,"options":"# + String(decoding: options, as: UTF8.self) + "}"
    try place.take(
      ["page": ["name": place.website, "sends": PageMessage.Operation.getCredential.rawValue, "body": call]], &run)
    guard let selector = run.world.view.selector(on: place.device) else {
      throw AnswerRefusal(journal, on: place.device)
    }
    app = try place.app(question.app, in: selector)
    try place.take(["person": ["picks": app]], &run)
    guard let agreement = run.world.view.authorization(on: place.device)?.buttons.first else {
      throw AnswerRefusal(journal, on: place.device)
    }
    try place.take(["person": ["taps": agreement]], &run)
    guard let answer = place.credential(in: journal) else { throw AnswerRefusal(journal, on: place.device) }
    self.answer = answer
    credential = JSONCoding.encode(answer)
  }
}
