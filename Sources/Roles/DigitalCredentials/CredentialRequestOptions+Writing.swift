import JSON

extension CredentialRequestOptions {
  /// The options as the UTF-8 JSON that `init(reading:)` takes, for a page that builds them.
  ///
  /// Members asking for other credential types are written as `true`, since only their presence is kept.
  public var serialized: [UInt8] {
    var members: [JSONValue.Member] = []
    if let digital {
      let requests = digital.requests.map { request in
        JSONValue.object([
          .init(name: "protocol", value: .string(request.protocol)), .init(name: "data", value: request.value),
        ])
      }
      members.append(.init(name: "digital", value: .object([.init(name: "requests", value: .array(requests))])))
    }
    members.append(.init(name: "mediation", value: .string(mediation.rawValue)))
    members += others.map { .init(name: $0, value: .boolean(true)) }
    return JSONValue.object(members).bytes
  }
}
