import Ecosystem
import MobileDocument
import Primitives

/// Reads what an app's own code does, and what happens to servers and the world.
extension StepReader {
  private enum AppKey: String, CaseIterable { case name, adds, removes, reads, renews, answers }
  private enum RegistrationKey: String, CaseIterable {
    case type, id
    case trustsReaders = "trusts-readers"
    case issuerKeys = "issuer-keys"
    case invalidation
  }
  private enum KeysKey: String, CaseIterable { case count, length }
  private enum Readable: String, CaseIterable { case status, registrations }
  private enum ServerKey: String, CaseIterable { case restarts }
  private enum Answer: String, CaseIterable { case unasked }

  func readApp(_ node: SourceNode) throws -> Step.Kind? {
    guard let fields = MappingReader<AppKey>(node, problems) else { return nil }
    let name = fields.required(.name) { try $0.oneOf(apps, "app") }
    let actions: [World.AppAction?] = [
      fields.optional(.adds) { readRegistration($0).map(World.AppAction.adds) },
      fields.optional(.removes) { .removes(try $0.string()) },
      fields.optional(.reads) { node in
        switch try node.oneOf(Readable.self, "thing to read") {
        case .status: .readsStatus
        case .registrations: .readsRegistrations
        }
      },
      fields.optional(.renews) { node in
        .renews(
          document: try node.oneOf(world.devices.flatMap(\.apps).flatMap(\.documents).map(\.identifier), "document"))
      },
      fields.optional(.answers) { node in
        _ = try node.oneOf(Answer.self, "way to answer")
        return .answersUnasked
      },
    ]
    let written = node.keys.compactMap(AppKey.init(rawValue:)).filter { $0 != .name }
    guard written.count == 1 else {
      throw SourceProblem(
        .notOneKey, "the app does \(written.count) things here", at: node.position,
        hint: "one of adds, removes, reads, renews, answers")
    }
    guard let name else { return nil }
    return actions.compactMap(\.self).first.map { .app(name, $0) }
  }

  private func readRegistration(_ node: SourceNode) -> World.RegistrationDraft? {
    guard let fields = MappingReader<RegistrationKey>(node, problems),
      let type = fields.required(.type, { try $0.string() })
    else { return nil }
    var draft = World.RegistrationDraft(documentType: type)
    draft.identifier = fields.optional(.id) { try $0.string() }
    draft.trustsReaders = fields.optional(.trustsReaders) { node in
      node.each(problems) { try $0.oneOf(world.readerAuthorities.map(\.identifier), "reader authority") }
    }
    fields.optional(.issuerKeys) { node in
      guard let fields = MappingReader<KeysKey>(node, problems) else { return }
      // Enough to exceed what a registration may hold, and little enough for a message.
      draft.issuerKeyCount = fields.required(.count) { try $0.integer(in: 0...10_000) } ?? 0
      draft.issuerKeyLength = fields.optional(.length, default: 20) { try $0.integer(in: 0...1_000) }
    }
    draft.invalidation = fields.optional(.invalidation) {
      DateTime(secondsSince1970: try $0.date().secondsSince1970)
    }
    return draft
  }

  func readServer(_ node: SourceNode) throws -> Step.Kind {
    let (_, value) = try node.onlyKey(of: ServerKey.self)
    return .server(try value.oneOf(websites, "website"))
  }

  func readWorldAction(_ node: SourceNode) throws -> Step.WorldAction {
    let action = try node.oneOf(Step.WorldAction.self, "thing that happens to the world")
    guard world.storage != .memory else {
      throw SourceProblem(
        .missingKey, "a world that keeps nothing cannot begin again", at: node.position,
        hint: "give the world a 'storage'")
    }
    return action
  }
}
