import Ecosystem
import MobileDocument

extension Step.AuthorityAction {
  /// The action in a world, on a device where it names none.
  func action(on device: String) -> World.AuthorityAction {
    switch self {
    case .changes(let change, let document, let app, let named):
      .changes(change, document: document, app: app, device: named ?? device)
    }
  }

  /// The action in words.
  var sentence: String {
    switch self {
    case .changes(let change, let document, let app, _): "\(change.sentence) \(document) in \(app)"
    }
  }

  /// What the authority decides when it did it.
  var code: JournalCode {
    switch self {
    case .changes(.revokes, _, _, _): .issuerRevoked
    case .changes(.suspends, _, _, _): .issuerSuspended
    case .changes(.reinstates, _, _, _): .issuerReinstated
    }
  }
}
