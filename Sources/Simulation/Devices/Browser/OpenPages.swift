import DigitalCredentials
import Messaging

/// The pages of a browser with their documents: which party's script runs in which document.
///
/// A party has one document at a time. A page that is loaded again, in any tab, takes over its party.
struct OpenPages: Sendable {
  /// A document with its party.
  struct Loaded: Sendable {
    let party: Party
    let document: DocumentID
    /// The event that puts a frame's document into the page; nil for the page itself.
    var addition: PageWindow.Event?
  }

  private let pages: [LoadablePage]
  private var documents: [Party: DocumentID] = [:]
  /// The frames of each page that was loaded, by their names.
  private var frames: [DocumentID: [String: DocumentID]] = [:]
  private var nextDocument = 1

  init(_ pages: [LoadablePage]) { self.pages = pages }

  /// The page that an origin serves. A page's own statement about its origin is ignored.
  func page(of origin: String) -> LoadablePage? { pages.first { $0.origin.serialized == origin } }

  /// The page that a document was loaded from. Its address counts: a sandbox makes the origin of the document opaque.
  func page(from source: DocumentSource) -> LoadablePage? {
    guard case .url(let origin) = source.kind else { return nil }
    return page(of: origin.serialized)
  }

  /// The parties whose scripts have run in a document.
  var parties: Set<Party> { Set(documents.keys) }

  /// The newest document of a party.
  func document(of party: Party) -> DocumentID? { documents[party] }

  /// The page or the frame whose newest document this is.
  func party(of document: DocumentID) -> Party? { documents.first { $0.value == document }?.key }

  /// The document of a frame of a page, by its name.
  func frame(_ name: String, in page: DocumentID) -> DocumentID? { frames[page]?[name] }

  mutating func newDocument() -> DocumentID {
    defer { nextDocument += 1 }
    return DocumentID(rawValue: nextDocument)
  }

  /// Loads a page into a document.
  /// - Returns: The page and its frames, in the order in which their scripts begin.
  mutating func load(_ page: LoadablePage, into document: DocumentID) -> [Loaded] {
    documents[page.party] = document
    var named: [String: DocumentID] = [:]
    var loaded = [Loaded(party: page.party, document: document)]
    for frame in page.frames {
      guard let container = frame.container.map({ named[$0] }) ?? document else { continue }
      let inner = newDocument()
      named[frame.name] = inner
      documents[frame.party] = inner
      loaded.append(
        Loaded(
          party: frame.party, document: inner,
          addition: .addsFrame(inner, frame.source, frame.attributes, in: container)))
    }
    frames[document] = named
    return loaded
  }

  /// Takes note that a document comes out of the back/forward cache: its scripts run in it again.
  mutating func restore(_ page: LoadablePage, _ document: DocumentID) {
    documents[page.party] = document
    for frame in page.frames { documents[frame.party] = frames[document]?[frame.name] }
  }

  /// Loads the document of a frame again.
  /// - Returns: The frame with its new document, and its source; nil without such a frame.
  mutating func reload(frame name: String, in page: DocumentID) -> (loaded: Loaded, old: DocumentID, DocumentSource)? {
    guard let old = frames[page]?[name], let party = party(of: old),
      let frame = pages.flatMap(\.frames).first(where: { $0.party == party })
    else { return nil }
    let document = newDocument()
    documents[party] = document
    frames[page]?[name] = document
    return (Loaded(party: party, document: document), old, frame.source)
  }
}
