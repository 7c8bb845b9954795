import Authorities
import Faults
import Foundation
import InteractiveWorlds
import JSON
import MobileDocument
import Primitives
import Vocabulary

/// Makes the answers of the suite: each is the whole way through browser, operating system, sandbox and wallet of a world
/// of its own.
struct AnswerMaker: Sendable {
  /// The origin of the page.
  var origin: String
  /// The seed of keys and certificates. The same seed gives the same issuers.
  let seed: UInt64
  /// The place where the sandbox of each phone parses requests.
  let sandbox: WorldDescription.SandboxPlace
  /// A folder for the files of worlds.
  let folder: URL

  /// An answer, as the page hands it in.
  struct Answer: Sendable {
    /// The result of `navigator.credentials.get`.
    var credential: JSONValue
    /// Texts that no other answer of the run has.
    let markers: [String]
    /// The texts, numbers and truth values of the license, by the identifiers of their elements.
    let values: [String: String]
    /// The status lists of the issuing authority, by their addresses.
    let statusLists: [String: PublishedList]
  }

  /// The obstacles to an answer.
  enum Failure: Error {
    /// The phone refuses the request.
    case refused(InteractiveWorldError)
    /// A fault changes nothing in an answer to this request.
    case withoutEffect
    /// The request asks for another choice of documents.
    case documents(String)
    /// No element of the answer has a value to change.
    case noValue

    /// The reason in words.
    var message: String {
      switch self {
      case .refused(let error): "\(error.message) [\(error.code.rawValue)]"
      case .withoutEffect: "an answer to this request cannot have the mistake"
      case .documents(let words): "the request \(words)"
      case .noValue: "the request asks for no element whose value could be changed"
      }
    }

    /// True if the request leaves no room for the answer.
    var isOfRequest: Bool { if case .refused = self { false } else { true } }
  }

  /// Returns the answer to a page's options.
  ///
  /// - Parameters:
  ///   - options: The argument of `navigator.credentials.get`.
  ///   - earlier: The options of another session, which the phone answers before; nil for none.
  ///   - number: The number of the answer, which no other has.
  func answer(
    to options: JSONValue, _ plan: AnswerPlan, after earlier: JSONValue? = nil, number: Int
  ) throws(Failure) -> Answer {
    let world = SuiteWorld(number: number, changes: plan.changes, publishers: plan.status.map { [$0.publisher] } ?? [])
    if let outside = plan.outside {
      return Answer(
        credential: try credential(to: options, outside, of: world), markers: world.markers,
        values: world.values, statusLists: [:])
    }
    let response: WalletResponse
    do throws(InteractiveWorldError) {
      let file = try write(world)
      defer { try? FileManager.default.removeItem(at: file) }
      if let issuance = world.issuance {
        let license = try OutsideLicense(of: issuance.authority, seed: seed, at: DateTime(Date()))
        try license.write(for: world, issuance, to: folder)
      }
      defer { if world.issuance != nil { OutsideLicense.remove(from: folder, device: world.device) } }
      var query = WalletQuery(
        world: file.path, app: "Wallet", origin: origin, seed: seed,
        moment: DateTime(Date()).adding(seconds: -plan.issuedBefore),
        sandbox: sandbox, earlier: earlier.map { [$0.bytes] } ?? [],
        faults: try plan.faults.map { (fault) throws(InteractiveWorldError) in try DemoFault.forExternalSite(fault) })
      query.statusChanges = plan.status.flatMap(\.change).map { [$0] } ?? []
      response = try WalletResponse(to: options.bytes, query)
    } catch {
      if case .faultWithoutEffect = error.code, !plan.faults.isEmpty { throw .withoutEffect }
      throw .refused(error)
    }
    guard let credential = try? JSONReader.read(response.credential) else {
      throw .refused(InteractiveWorldError(.silent, "the phone's answer cannot be read"))
    }
    return Answer(
      credential: credential, markers: world.markers, values: world.values,
      statusLists: plan.status?.isUnreachable == true ? [:] : response.statusLists)
  }

  private func credential(
    to options: JSONValue, _ plan: OutsidePlan, of world: SuiteWorld
  ) throws(Failure) -> JSONValue {
    do {
      let authority = try OutsideLicense(of: .everyAlgorithm, seed: seed, at: DateTime(Date()))
      return try OutsideAnswer(origin: origin, authority: authority, folder: folder).credential(
        to: options, plan, of: world)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw .refused(InteractiveWorldError(.silent, "the answer cannot be made", details: ["\(error)"]))
    }
  }

  /// The roots of the suite's issuing authorities, in PEM.
  func issuerRoots() throws(InteractiveWorldError) -> [UInt8] {
    let file = try write(SuiteWorld(number: 0, publishers: SuiteCatalogue.publishers))
    defer { try? FileManager.default.removeItem(at: file) }
    let now = DateTime(Date())
    var roots = try IssuerRoots.pem(ofWorldAt: file.path, seed: seed, moment: now)
    for authority in OutsideIssuance.Authority.allCases {
      roots += try OutsideLicense(of: authority, seed: seed, at: now).rootPEM
    }
    return roots
  }

  private func write(_ world: SuiteWorld) throws(InteractiveWorldError) -> URL {
    let file = folder.appendingPathComponent("\(world.device)-\(UUID().uuidString).yaml")
    guard FileManager.default.createFile(atPath: file.path, contents: Data(world.yaml.utf8)) else {
      throw InteractiveWorldError(.world, "the folder for temporary files cannot be written", details: [file.path])
    }
    return file
  }
}
