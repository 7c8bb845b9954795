import Authorities
import Certificates
import DigitalCredentials
import ExchangeFiles
import JSON
import Messaging
import MobileDocument
import Primitives
import ScenarioLanguage
import ScenarioRunner
import Vocabulary

/// The response of a world's device to the request of a page that is not part of the world.
///
/// The page is added to the world, with its origin, as one with an external script. The person opens it, taps, picks an app
/// and agrees; browser, operating system, sandbox and app work as in any presentment.
public struct WalletResponse: Sendable {
  /// The page's result: protocol and data, as JSON in UTF-8.
  public let credential: [UInt8]
  let answer: PageCredential
  /// The app that answered.
  public let app: String
  /// Everything that happened.
  public let journal: Journal
  /// The root of each issuing authority by its name in the world, in DER.
  public let issuerRoots: [String: [UInt8]]
  /// The status lists that the issuing authorities publish after the answer, by their addresses.
  package let statusLists: [String: PublishedList]

  /// Gets the response of a world's device. Runs on the calling thread from beginning to end.
  ///
  /// - Parameter options: The page's argument of `navigator.credentials.get`, as JSON in UTF-8.
  /// - Throws: ``InteractiveWorldError``.
  public init(to options: [UInt8], _ question: WalletQuery) throws(InteractiveWorldError) {
    let place = try ExternalPageContext(question)
    var run: ScenarioRun
    do throws(ScenarioRun.Stop) {
      run = try ScenarioRun(place.scenario, seed: question.seed)
    } catch {
      throw InteractiveWorldError(.noAnswer, InteractiveWorldError(error).message)
    }
    defer { run.end() }
    do throws(ScenarioRun.Stop) {
      try run.prepare()
      for fault in place.scenario.steps { try run.take(fault) }
    } catch {
      throw InteractiveWorldError(.noAnswer, InteractiveWorldError(error).message)
    }
    journal = run.world.journal
    issuerRoots = run.world.issuerRoots
    try place.take(.person(.visit(website: place.website, device: place.device)), &run)
    for (index, earlier) in question.earlier.enumerated() {
      _ = try place.answer(to: earlier, call: index + 1, app: question.app, &run)
    }
    for fault in question.faults.compactMap(\.step) { try place.take(fault, &run) }
    for change in question.statusChanges { try place.take(change.step(on: place.device), &run) }
    app = try place.answer(to: options, call: question.earlier.count + 1, app: question.app, &run)
    guard let answer = place.credential(in: journal) else { throw InteractiveWorldError(journal, on: place.device) }
    statusLists = run.world.publishedStatusLists()
    // A genuine answer in place of a false one would be taken for one that the site wrongly accepts.
    let events = journal.entries.compactMap(\.event.fault)
    for fault in question.faults where !events.contains(where: { $0.fault == fault.name && $0.effect == .applied }) {
      throw InteractiveWorldError(.faultWithoutEffect, "the fault '\(fault.name)' changes nothing in this answer")
    }
    self.answer = answer
    credential = JSONCoding.encode(answer)
  }
}

/// The device and the app that a page asks for a credential.
public struct WalletQuery: Sendable {
  /// Path of the file with the world, or of a scenario in it.
  public var world: String
  /// The device; the world's only one when nil.
  public var device: String?
  /// The app that the person picks; the first that is offered when nil.
  public var app: String?
  /// The origin of the page, as its browser states it.
  public var origin: String
  /// The seed of the world; its own when nil.
  public var seed: UInt64?
  /// The time in the world.
  public var moment: DateTime
  /// The place where the sandbox of every device parses requests; nil for each device's own.
  public var sandbox: WorldDescription.SandboxPlace?
  /// The options of earlier calls of the page, which the device answers before the faults act.
  public var earlier: [[UInt8]]
  /// The faults that act, as ``DemoFault/forExternalSite(_:)`` returns them.
  public var faults: [DemoFault]
  /// The changes to the status of documents, which come before the answer.
  public var statusChanges: [DocumentStatusChange] = []

  /// Creates a query.
  public init(
    world: String, device: String? = nil, app: String? = nil, origin: String, seed: UInt64? = nil, moment: DateTime,
    sandbox: WorldDescription.SandboxPlace? = nil, earlier: [[UInt8]] = [], faults: [DemoFault] = []
  ) {
    self.world = world
    self.device = device
    self.app = app
    self.origin = origin
    self.seed = seed
    self.moment = moment
    self.sandbox = sandbox
    self.earlier = earlier
    self.faults = faults
  }
}

/// A change that an issuing authority makes to the status of a document.
public struct DocumentStatusChange: Sendable {
  /// The change.
  public var change: StatusChange
  /// The authority's name in the world.
  public var issuer: String
  /// The identifier of the document.
  public var document: String
  /// The app that holds the document.
  public var app: String

  /// Creates a change.
  public init(_ change: StatusChange, of document: String, in app: String, by issuer: String) {
    self.change = change
    self.issuer = issuer
    self.document = document
    self.app = app
  }

  func step(on device: String) -> Step {
    Step(.action(.authority(.change(change, document: document, app: app, device: device), name: issuer)))
  }
}

extension WalletResponse {
  /// The format of a response.
  public enum Format: String, Sendable, CaseIterable, JSONWritable, JSONReadable {
    /// The result of `navigator.credentials.get`: `protocol` and `data`.
    case credential
    /// `digitalCredentials.setVirtualWalletBehavior` of WebDriver BiDi (Digital Credentials, 10).
    case webdriver
    /// `DigitalCredentials.setVirtualWalletBehavior` of the Chrome DevTools Protocol.
    case cdp
  }

  /// The response in a format, as JSON in UTF-8. With both kinds of command a browser's virtual wallet gives this
  /// response until its behavior is set again.
  public func text(as format: Format) -> [UInt8] {
    switch format {
    case .credential: credential
    case .webdriver: command("digitalCredentials.setVirtualWalletBehavior")
    case .cdp: command("DigitalCredentials.setVirtualWalletBehavior")
    }
  }

  /// A command that makes a browser's virtual wallet give this response, as JSON in UTF-8.
  ///
  /// - Parameter method: `digitalCredentials.setVirtualWalletBehavior` of WebDriver BiDi (Digital Credentials, 10), or
  ///   `DigitalCredentials.setVirtualWalletBehavior` of the Chrome DevTools Protocol.
  func command(_ method: String) -> [UInt8] {
    let parameters = JSONValue(members: [
      ("action", .string("respond")), ("protocol", .string(answer.protocol)), ("response", answer.data),
    ])
    return JSONValue(members: [("method", .string(method)), ("params", parameters)]).bytes
  }
}

/// The roots of a world's issuing authorities, for verifiers outside the world.
public enum IssuerRoots {
  /// The roots in PEM, in the order of the authorities' names in the world. The same seed gives the same keys.
  ///
  /// - Parameters:
  ///   - path: The file of a world, or of a scenario.
  ///   - seed: The seed of the world; its own when nil.
  ///   - moment: The time from which the roots are valid.
  /// - Throws: ``InteractiveWorldError`` if the world does not exist or cannot be read.
  public static func pem(ofWorldAt path: String, seed: UInt64?, moment: DateTime) throws(InteractiveWorldError)
    -> [UInt8]
  {
    let scenario = try DemoConfiguration(path: path).scenario().beginning(at: moment)
    let run: ScenarioRun
    do throws(ScenarioRun.Stop) {
      run = try ScenarioRun(scenario, seed: seed)
    } catch {
      throw InteractiveWorldError(error)
    }
    defer { run.end() }
    return pem(run.world.issuerRoots)
  }

  /// Roots by the names of their authorities, in PEM.
  static func pem(_ roots: [String: [UInt8]]) -> [UInt8] {
    CertificateChain.pem(roots.sorted { $0.key < $1.key }.map(\.value))
  }
}

extension WalletResponse {
  /// The roots of the issuing authorities in PEM, in the order of the authorities' names in the world.
  public var issuerRootsPEM: [UInt8] { IssuerRoots.pem(issuerRoots) }
}
