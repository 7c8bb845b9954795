import Certificates
import Checks
import Foundation
import Logging
import Metrics
import Primitives
import RelyingParty
import StatusLists
import Synchronization
import TrustLists

/// What the server trusts and signs with at the moment. It is read again now and then: a new root, list or reader key needs
/// no restart. What cannot be read leaves what was read before.
final class Trust: Sendable {
  struct State: Sendable {
    var context: VerificationContext
    var readers: ReaderKeys
  }

  private let configuration: Configuration
  private let store: SessionStore
  private let logger: Logger
  private let state: Mutex<State>

  var current: State { state.withLock { $0 } }

  /// Reads everything.
  /// - Throws: The error of the first part that cannot be read: a server without roots refuses everyone.
  init(_ configuration: Configuration, store: SessionStore, logger: Logger) async throws {
    self.configuration = configuration
    self.store = store
    self.logger = logger
    state = Mutex(try await Self.read(configuration, store: store))
    note()
  }

  /// Reads everything again.
  func refresh() async {
    do {
      let read = try await Self.read(configuration, store: store)
      state.withLock { $0 = read }
      note()
    } catch {
      Counter(label: "refreshes_failed").increment()
      logger.error("roots, lists and reader keys stay as they are", metadata: ["error": "\(error)"])
    }
  }

  private func note() {
    let current = current
    let signing = current.readers.signing(at: DateTime(Date()))
    if signing == nil, configuration.readers != nil {
      logger.error("no reader certificate is valid: requests are unsigned")
    }
    Gauge(label: "trusted_issuers").record(current.context.trustedIssuers.count)
    Gauge(label: "reader_certificate_expires_seconds").record(
      signing.map { $0.validity.upperBound.secondsSince1970 } ?? 0)
    logger.debug("trust", metadata: ["issuers": "\(current.context.trustedIssuers.count)"])
  }

  private static func read(_ configuration: Configuration, store: SessionStore) async throws -> State {
    var roots = TrustedCertificates([], for: .documentSigner)
    for file in try configuration.roots.folder.map({ try files(in: $0, ".pem") }) ?? [] {
      let blocks = try CertificateChain.blocks(
        ofFile: [UInt8](Data(contentsOf: file)), atMost: VerificationContext.maximumTrustedIssuers)
      roots = roots.adding(try TrustedCertificates(reading: blocks, for: .documentSigner))
    }
    for list in configuration.roots.lists ?? [] { roots = roots.adding(try await issuers(of: list, store: store)) }
    var context = VerificationContext(trustedIssuers: roots)
    context.acceptsTestDocuments = configuration.acceptsTestDocuments
    return State(
      context: context, readers: try configuration.readers.map { try ReaderKeys(folder: $0) } ?? ReaderKeys())
  }

  struct RefusedList: Error, CustomStringConvertible {
    let description: String
  }

  /// The issuing authorities of a signed list. An older list than the last is refused, also after a restart.
  private static func issuers(
    of list: Configuration.Roots.List, store: SessionStore
  ) async throws -> TrustedCertificates {
    func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }
    let providers = try TrustedCertificates(
      reading: CertificateChain.blocks(ofFile: bytes(list.providers)), for: .listSigner)
    let report = await UnverifiedVICAL(try bytes(list.file)).verified(
      trusting: providers, at: DateTime(Date()), after: try await store.lastIssue(ofList: list.file))
    guard let accepted = report.list else {
      throw RefusedList(description: "\(list.file): \(report.checks.failure?.message ?? "refused")")
    }
    guard try await store.keep(accepted.issue, ofList: list.file) else {
      throw RefusedList(description: "\(list.file): another server has accepted a newer issue")
    }
    return report.trustedIssuers
  }
}
