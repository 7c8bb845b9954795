import MobileDocument
import Vocabulary

/// The website or the terminal behind an app's view: what the view does not show, and the world knows.
public struct Asker: Sendable {
  /// The reader authorities that its requests are signed for.
  private let signsFor: [String]
  private let asks: [ItemsRequest]
  private let readerAuthorities: [WorldDescription.ReaderAuthority]

  /// Finds the website of a view by its origin, or the terminal by its name; without either, nothing more is known.
  public init(of view: AuthorizationScreen, in world: WorldDescription) {
    readerAuthorities = world.readerAuthorities
    if let website = world.websites.first(where: { $0.origin.serialized == view.origin }) {
      (signsFor, asks) = (website.signsFor, website.asks)
    } else if view.isInPerson, let terminal = world.terminals.first(where: { $0.brand.name == view.requester }) {
      (signsFor, asks) = (terminal.signsFor, terminal.asks)
    } else {
      (signsFor, asks) = ([], [])
    }
  }

  /// The displayed name of the one reader authority that an app trusts and the asker has a certificate of.
  public func certifier(for app: WorldDescription.App?) -> String? {
    let shared = signsFor.filter { app?.trustsReaders.contains($0) ?? false }
    guard shared.count == 1 else { return nil }
    return readerAuthorities.first { $0.identifier == shared[0] }?.name
  }

  /// Sorts elements by the asker's list; unlisted ones come last.
  public func inOrder(_ elements: [AuthorizationScreen.Element]) -> [AuthorizationScreen.Element] {
    order(of: elements).map { elements[$0] }
  }

  /// The positions of elements, sorted by the asker's list.
  package func order(of elements: [AuthorizationScreen.Element]) -> [Int] {
    let listed = asks.flatMap { document in
      document.nameSpaces.flatMap { nameSpace in
        nameSpace.elements.map { [document.documentType, nameSpace.name, $0.identifier] }
      }
    }
    let places = elements.map { element in
      listed.firstIndex(of: [element.documentType, element.nameSpace, element.identifier]) ?? listed.count
    }
    return places.enumerated().sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }.map(\.offset)
  }
}
