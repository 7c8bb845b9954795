import Ecosystem

/// Reads what the person does.
extension StepReader {
  private enum PersonKey: String, CaseIterable {
    case visits, on, taps, picks, cancels
    case authorizesWith = "authorizes-with"
    case waits, deletes
    case `in`
    case allows
    case doesNotAllow = "does-not-allow"
    case switchesOn = "switches-on"
    case switchesOff = "switches-off"
    case installs, updates, removes, restarts
  }
  private enum Selector: String, CaseIterable { case selector }
  private enum Authorization: String, CaseIterable { case faceID = "face-id" }

  func readPerson(_ node: SourceNode) -> Step.PersonAction? {
    guard let fields = MappingReader<PersonKey>(node, problems) else { return nil }
    let actions: [Step.PersonAction?] = [
      fields.optional(.visits) { node in
        .visits(
          website: try node.oneOf(websites, "website"),
          device: fields.optional(.on) { try $0.oneOf(world.devices.map(\.identifier), "device") })
      },
      fields.optional(.taps) { .taps(try $0.string()) },
      fields.optional(.picks) { .picks(try $0.oneOf(apps, "app")) },
      fields.optional(.cancels) { node in
        _ = try node.oneOf(Selector.self, "thing to cancel")
        return .cancelsSelector
      },
      fields.optional(.authorizesWith) {
        .authorizes(with: try $0.oneOf(Authorization.self, "way to authorize").rawValue)
      },
      fields.optional(.waits) { .waits(try $0.duration()) },
      fields.optional(.deletes) { node in
        .deletes(
          document: try node.oneOf(world.devices.flatMap(\.apps).flatMap(\.documents).map(\.identifier), "document"),
          app: fields.required(.in) { try $0.oneOf(apps, "app") } ?? "")
      },
      fields.optional(.allows) { .answersPrompt(app: try $0.oneOf(apps, "app"), isAllowed: true) },
      fields.optional(.doesNotAllow) { .answersPrompt(app: try $0.oneOf(apps, "app"), isAllowed: false) },
      fields.optional(.switchesOn) { .switches(app: try $0.oneOf(apps, "app"), isOn: true) },
      fields.optional(.switchesOff) { .switches(app: try $0.oneOf(apps, "app"), isOn: false) },
      fields.optional(.installs) { .manages(.install, app: try $0.oneOf(apps, "app")) },
      fields.optional(.updates) { .manages(.update, app: try updatable($0)) },
      fields.optional(.removes) { .manages(.remove, app: try $0.oneOf(apps, "app")) },
      fields.optional(.restarts) { .restarts(device: try $0.oneOf(world.devices.map(\.identifier), "device")) },
    ]
    let written = node.keys.compactMap(PersonKey.init(rawValue:)).filter { $0 != .on && $0 != .in }
    for (companion, of) in [(PersonKey.on, PersonKey.visits), (.in, .deletes)] {
      if let position = fields.position(of: companion), fields[of] == nil {
        problems.report(
          SourceProblem(
            .unknownKey, "the key '\(companion.rawValue)' belongs to '\(of.rawValue)'", at: position))
      }
    }
    guard written.count == 1 else {
      problems.report(
        SourceProblem(
          .notOneKey,
          written.isEmpty ? "the person does nothing here" : "the person does \(written.count) things at once",
          at: node.position,
          hint: "one of "
            + PersonKey.allCases.filter { $0 != .on && $0 != .in }.map(\.rawValue).joined(separator: ", ")))
      return nil
    }
    return actions.compactMap(\.self).first
  }

  /// An app that has a next version.
  private func updatable(_ node: SourceNode) throws -> String {
    let name = try node.oneOf(apps, "app")
    guard world.devices.flatMap(\.apps).contains(where: { $0.name == name && $0.nextEntitlement != nil }) else {
      throw SourceProblem(
        .unknownName, "\(name) has no next version", at: node.position, hint: "give the app a 'next-version'")
    }
    return name
  }
}
