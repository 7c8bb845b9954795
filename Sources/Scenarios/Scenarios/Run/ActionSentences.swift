import Ecosystem

extension Step.PersonAction {
  /// The action in words.
  var sentence: String {
    switch self {
    case .visits(let website, _): "visits \(website)"
    case .taps(let label): "taps \(label)"
    case .picks(let app): "picks \(app)"
    case .cancelsSelector: "cancels the selector"
    case .authorizes(let way): "authorizes with \(way)"
    case .waits(let duration): "waits \(duration)"
    case .deletes(let document, let app): "deletes \(document) in \(app)"
    case .answersPrompt(let app, let isAllowed): "\(isAllowed ? "allows" : "does not allow") \(app)"
    case .switches(let app, let isOn): "switches \(app) \(isOn ? "on" : "off") in Settings"
    case .manages(let change, let app): "\(change.rawValue)s \(app)"
    case .restarts(let device): "restarts \(device)"
    }
  }
}

extension World.PageAction {
  /// The action in words.
  var sentence: String {
    switch self {
    case .calls: "calls the API on its own"
    case .aborts(let reason): "aborts: \(reason)"
    case .replaysResponse(let toNewSession):
      "sends the last response again, to \(toNewSession ? "a new" : "the same") session"
    case .sends(let message): "sends \(message.operation.rawValue)"
    }
  }
}

extension World.AppAction {
  /// The action in words.
  var sentence: String {
    switch self {
    case .adds(let draft): "registers a document of type \(draft.documentType)"
    case .removes(let identifier): "removes the registration \(identifier)"
    case .readsStatus: "reads its status"
    case .readsRegistrations: "reads its registrations"
    case .renews(let document): "gets \(document) anew from its issuer"
    case .answersUnasked: "answers before the person has acted"
    }
  }
}
