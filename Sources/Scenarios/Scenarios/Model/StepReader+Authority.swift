import Ecosystem
import MobileDocument
import Primitives

/// Reads what issuing authorities do about the status of documents.
extension StepReader {
  private enum AuthorityKey: String, CaseIterable {
    case name, revokes, suspends, reinstates, on
    case `in`
  }

  func readAuthority(_ node: SourceNode) throws -> Step.Kind? {
    guard let fields = MappingReader<AuthorityKey>(node, problems),
      let issuer = fields.required(.name, { try readPublisher($0) })
    else { return nil }
    let changes: [(key: AuthorityKey, change: StatusChange)] = [
      (.revokes, .revokes), (.suspends, .suspends), (.reinstates, .reinstates),
    ]
    let written = node.keys.compactMap(AuthorityKey.init(rawValue:)).filter { ![.name, .on, .in].contains($0) }
    guard let key = written.first, written.count == 1 else {
      throw SourceProblem(
        .notOneKey, "the authority does \(written.count) things here", at: node.position,
        hint: "one of revokes, suspends, reinstates")
    }
    guard let change = changes.first(where: { $0.key == key })?.change else { return nil }
    let documents = world.devices.flatMap(\.apps).flatMap(\.documents).filter { $0.issuer == issuer.identifier }
    let document = fields.required(key) { node in
      if change == .suspends, issuer.publishesStatus?.knowsSuspension == false {
        throw SourceProblem(
          .unreadableValue, "an identifier list cannot say that a document is suspended", at: node.position,
          hint: "give the issuer 'publishes-status: status-list'")
      }
      return try node.oneOf(documents.map(\.identifier).uniqued(), "document")
    }
    let app = fields.required(.in) { try $0.oneOf(apps, "app") }
    let device = fields.optional(.on) { try $0.oneOf(world.devices.map(\.identifier), "device") }
    guard let document, let app else { return nil }
    return .authority(issuer.identifier, .changes(change, document: document, app: app, device: device))
  }

  /// An issuing authority that publishes lists.
  func readPublisher(_ node: SourceNode) throws -> WorldDescription.Issuer {
    let name = try node.oneOf(world.issuers.map(\.identifier), "issuing authority")
    guard let issuer = world.issuers.first(where: { $0.identifier == name && $0.publishesStatus != nil }) else {
      throw SourceProblem(
        .unreadableValue, "\(name) publishes no list", at: node.position,
        hint: "give the issuer a 'publishes-status'")
    }
    return issuer
  }
}
