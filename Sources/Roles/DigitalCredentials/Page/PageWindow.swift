/// A window of a browser as a pure machine: its tabs, the documents in their frames, focus, visibility and activation.
///
/// ```
///   tab 1 (in front)                     tab 2
///     page, document 1                     page, document 5
///     |- frame, document 2  (focused)
///     |  '- frame, document 3            kept in tab 1's back/forward cache: document 4
///     '- frame, document 6
///
/// gesture in 2      activates 2, its ancestors, and its descendants of the same origin
/// consume in 2      takes the activation of 1, 2, 3 and 6: the whole tab
/// remove 2          2 and 3 stop being fully active          => becameInactive 2, becameInactive 3
/// navigate 1 to 4   1 and its frames leave                   => becameInactive 1, 2, 3, 6
/// go back           1 and its frames are fully active again, if they were kept
/// ```
///
/// Events that do not apply, for example for a document that does not exist, change nothing. Documents keep their identifier
/// for ever; the caller chooses a new one for each document that is loaded.
public struct PageWindow: Hashable, Sendable {
  /// A tab with its session history.
  struct Tab: Hashable, Sendable {
    struct Entry: Hashable, Sendable {
      var document: DocumentID
      var source: DocumentSource
    }

    var entries: [Entry]
    var index = 0
    /// The document with the focused area, whether the window has focus or not.
    var focused: DocumentID

    var page: DocumentID { entries[index].document }
  }

  /// The documents, also those that are gone.
  private(set) var documents: [DocumentID: PageDocument] = [:]

  private var tabs: [TabID: Tab] = [:]

  /// The tab in front, or nil before the first one and after the last one.
  public private(set) var frontTab: TabID?

  /// Indicates whether the window can be seen (HTML, "system visibility state").
  public private(set) var isVisible = true

  /// Indicates whether the window has the system's focus (HTML, "system focus").
  public private(set) var hasSystemFocus = true

  /// Creates a visible, focused window without tabs.
  public init() {}

  /// Returns a document, or nil if the identifier was never used.
  public func document(_ id: DocumentID) -> PageDocument? { documents[id] }

  /// Returns the document that a tab shows.
  public func page(of tab: TabID) -> DocumentID? { tabs[tab]?.page }

  /// The document in front of the person.
  public var frontPage: DocumentID? { frontTab.flatMap(page(of:)) }

  /// The tabs, in the order of their identifiers.
  public var openTabs: [TabID] { tabs.keys.sorted { $0.rawValue < $1.rawValue } }

  /// Returns the effects of an event.
  /// - Parameters:
  ///   - event: What happens.
  ///   - now: The time since the epoch that the caller keeps for the window.
  public mutating func receive(_ event: Event, at now: Duration) -> [Effect] {
    switch event {
    case .opensTab(let tab, let id, let source): opensTab(tab, id, source)
    case .showsTab(let tab): if tabs[tab] != nil { frontTab = tab }
    case .closesTab(let tab): return closes(tab)
    case .window(let change): window(change)
    case .addsFrame(let id, let source, let attributes, let container): adds(id, source, attributes, in: container)
    case .removesFrame(let id): return removesFrame(id)
    case .navigates(let id, let new, let source, let isKept): return navigates(id, to: new, source, isKept: isKept)
    case .travels(let tab, let delta, let fresh): return travels(tab, by: delta, fresh: fresh)
    case .focuses(let id): focuses(id)
    case .interacts(let id): interacts(id, at: now)
    case .consumesActivation(let id): consumesActivation(of: id)
    case .stops(let id): return stops(id)
    }
    return []
  }

  private mutating func opensTab(_ tab: TabID, _ id: DocumentID, _ source: DocumentSource) {
    guard tabs[tab] == nil, documents[id] == nil else { return }
    documents[id] = PageDocument(id, source, tab: tab)
    tabs[tab] = Tab(entries: [.init(document: id, source: source)], focused: id)
    frontTab = tab
  }

  private mutating func closes(_ tab: TabID) -> [Effect] {
    guard let closed = tabs[tab] else { return [] }
    let effects = leaves(closed.page, for: .unloaded)
    for id in documents.keys where documents[id]?.tab == tab && documents[id]?.state == .cached {
      documents[id]?.state = .unloaded
    }
    tabs[tab] = nil
    // The tab before the closed one comes to the front, otherwise the first that is left.
    if frontTab == tab { frontTab = openTabs.last { $0.rawValue < tab.rawValue } ?? openTabs.first }
    return effects
  }

  private mutating func window(_ change: WindowChange) {
    switch change {
    case .hidden: (isVisible, hasSystemFocus) = (false, false)
    case .shown: (isVisible, hasSystemFocus) = (true, true)
    case .unfocused: hasSystemFocus = false
    case .focused: hasSystemFocus = isVisible
    }
  }

  private mutating func adds(
    _ id: DocumentID, _ source: DocumentSource, _ attributes: FrameAttributes, in container: DocumentID
  ) {
    guard documents[id] == nil, let container = documents[container], container.isFullyActive else { return }
    documents[id] = PageDocument(id, source, tab: container.tab, attributes: attributes, in: container)
  }

  private mutating func removesFrame(_ id: DocumentID) -> [Effect] {
    guard let frame = documents[id], let container = frame.container, frame.isFullyActive else { return [] }
    let effects = leaves(id, for: .removed)
    moveFocus(of: frame.tab, to: container)
    return effects
  }

  private mutating func navigates(
    _ id: DocumentID, to new: DocumentID, _ source: DocumentSource, isKept: Bool
  ) -> [Effect] {
    guard let old = documents[id], old.isFullyActive, documents[new] == nil else { return [] }
    if let container = old.container.flatMap({ documents[$0] }) {
      let effects = leaves(id, for: .navigatedAway)
      documents[new] = PageDocument(new, source, tab: old.tab, attributes: old.attributes, in: container)
      moveFocus(of: old.tab, to: new)
      return effects
    }
    guard var tab = tabs[old.tab] else { return [] }
    let effects = leaves(id, for: isKept ? .cached : .unloaded)
    for entry in tab.entries.dropFirst(tab.index + 1) { unload(entry.document) }
    tab.entries.removeSubrange((tab.index + 1)...)
    tab.entries.append(.init(document: new, source: source))
    tab.index += 1
    tab.focused = new
    tabs[old.tab] = tab
    documents[new] = PageDocument(new, source, tab: old.tab)
    return effects
  }

  /// Goes through the session history. The page that is left is kept; a page that was not kept is loaded again.
  private mutating func travels(_ id: TabID, by delta: Int, fresh: DocumentID) -> [Effect] {
    guard var tab = tabs[id], delta != 0, case let (target, false) = tab.index.addingReportingOverflow(delta),
      tab.entries.indices.contains(target)
    else { return [] }
    let returns = documents[tab.entries[target].document]?.state == .cached
    guard returns || documents[fresh] == nil else { return [] }
    let effects = leaves(tab.page, for: .cached)
    tab.index = target
    if returns {
      for document in subtree(of: tab.page) where documents[document]?.state == .cached {
        documents[document]?.state = .active
      }
    } else {
      tab.entries[target].document = fresh
      documents[fresh] = PageDocument(fresh, tab.entries[target].source, tab: id)
    }
    tab.focused = tab.page
    tabs[id] = tab
    return effects
  }

  /// Drops a page from the back/forward cache.
  private mutating func unload(_ page: DocumentID) {
    for id in subtree(of: page) where documents[id]?.state == .cached { documents[id]?.state = .unloaded }
  }

  /// Ends the activity of a document and of the documents in its frames.
  private mutating func leaves(_ id: DocumentID, for state: PageDocument.State) -> [Effect] {
    var effects: [Effect] = []
    for id in subtree(of: id) where documents[id]?.isFullyActive == true {
      documents[id]?.state = state
      guard let tab = documents[id]?.tab else { continue }
      effects.append(.becameInactive(tab, id))
    }
    return effects
  }

  private mutating func stops(_ id: DocumentID) -> [Effect] {
    subtree(of: id).compactMap { documents[$0] }.filter(\.isFullyActive).map { .stopped($0.tab, $0.id) }
  }

  /// A document and the documents in its frames, in the order of their identifiers after it.
  private func subtree(of id: DocumentID) -> [DocumentID] {
    guard let root = documents[id] else { return [] }
    let others = documents.values.filter { $0.tab == root.tab && $0.id != id && ancestors(of: $0.id).contains(id) }
    return [id] + others.map(\.id).sorted { $0.rawValue < $1.rawValue }
  }

  /// Returns the page around the document of a frame; for a page, itself.
  public func pageAround(_ id: DocumentID) -> DocumentID { ancestors(of: id).last ?? id }

  /// The documents around a document, from the inside to the page.
  private func ancestors(of id: DocumentID) -> [DocumentID] {
    var found: [DocumentID] = []
    var next = documents[id]?.container
    while let id = next {
      found.append(id)
      next = documents[id]?.container
    }
    return found
  }

  private mutating func moveFocus(of tab: TabID, to document: DocumentID) {
    guard let focused = tabs[tab]?.focused, documents[focused]?.isFullyActive != true else { return }
    tabs[tab]?.focused = document
  }

  private mutating func focuses(_ id: DocumentID) {
    guard let document = documents[id], document.isFullyActive else { return }
    tabs[document.tab]?.focused = id
  }

  private mutating func interacts(_ id: DocumentID, at now: Duration) {
    // The person can only touch what is seen.
    guard let document = documents[id], document.isFullyActive, document.tab == frontTab, isVisible else { return }
    hasSystemFocus = true
    focuses(id)
    let around = Set(ancestors(of: id) + [id])
    for other in documents.values where other.tab == document.tab && other.isFullyActive {
      let isInside = other.origin == document.origin && ancestors(of: other.id).contains(id)
      if around.contains(other.id) || isInside { documents[other.id]?.activation.activate(at: now) }
    }
  }

  private mutating func consumesActivation(of id: DocumentID) {
    guard let document = documents[id], document.isFullyActive else { return }
    for other in documents.values where other.tab == document.tab && other.isFullyActive {
      documents[other.id]?.activation.consume()
    }
  }

  /// Returns whether a tab has user attention (HTML, "user attention"): it is in front of a visible window that has the
  /// system's focus.
  public func hasUserAttention(_ tab: TabID) -> Bool { isVisible && hasSystemFocus && tab == frontTab }

  /// Returns whether a document has focus, as `document.hasFocus()` says: the focused area is in it or in one of its frames.
  public func hasFocus(_ id: DocumentID) -> Bool {
    guard let document = documents[id], document.isFullyActive, hasUserAttention(document.tab),
      let focused = tabs[document.tab]?.focused
    else { return false }
    return focused == id || ancestors(of: focused).contains(id)
  }

  /// Returns whether a document is visible: `document.visibilityState`.
  public func isVisible(_ id: DocumentID) -> Bool {
    documents[id].map { $0.isFullyActive && $0.tab == frontTab && isVisible } ?? false
  }

  /// Returns whether a document's window has transient activation.
  public func hasTransientActivation(_ id: DocumentID, at now: Duration) -> Bool {
    documents[id].map { $0.isFullyActive && $0.activation.isTransient(at: now) } ?? false
  }

  /// Returns the context of a document's call.
  /// - Returns: Nil if the document does not exist or its sandbox forbids scripts.
  public func context(
    of id: DocumentID, for operation: CredentialOperation = .get, in profile: BrowserProfile = .spec2026,
    at now: Duration
  ) -> CallingContext? {
    guard let document = documents[id], document.runsScripts else { return nil }
    let page = ancestors(of: id).last.flatMap { documents[$0] } ?? document
    return CallingContext(
      document: id, origin: document.origin, topLevelOrigin: page.origin,
      isSecureContext: document.isSecureContext(in: profile), isFullyActive: document.isFullyActive,
      hasUserAttention: document.isFullyActive && hasUserAttention(document.tab), hasFocus: hasFocus(id),
      isVisible: isVisible(id), hasTransientActivation: hasTransientActivation(id, at: now),
      isAllowedByPolicy: document.isAllowed(operation.feature))
  }
}

extension PageWindow {
  /// An input of the machine.
  public enum Event: Hashable, Sendable {
    /// A new tab opens in front and loads a page.
    case opensTab(TabID, DocumentID, DocumentSource)

    /// The person switches to a tab.
    case showsTab(TabID)

    /// A tab is closed.
    case closesTab(TabID)

    /// The window is hidden, shown, or the focus goes to another window.
    case window(WindowChange)

    /// A document gets an `iframe`.
    case addsFrame(DocumentID, DocumentSource, FrameAttributes = FrameAttributes(), in: DocumentID)

    /// The `iframe` with this document is removed from the document around it.
    case removesFrame(DocumentID)

    /// A tab or a frame loads another document in place of this one. `isKept` says whether the page goes to the back/forward
    /// cache; a frame's document never does on its own.
    case navigates(DocumentID, to: DocumentID, DocumentSource, isKept: Bool = false)

    /// The person goes back (-1) or forward (1) in a tab. The page comes out of the back/forward cache, or is loaded again
    /// with the fresh identifier.
    case travels(TabID, by: Int, fresh: DocumentID)

    /// The focus of a tab moves to a document, by the person or by a script.
    case focuses(DocumentID)

    /// The person taps or types in a document (HTML, "activation triggering input event").
    case interacts(DocumentID)

    /// The activation of a document's window is consumed.
    case consumesActivation(DocumentID)

    /// A script calls `window.stop()`.
    case stops(DocumentID)
  }

  /// A change of the window as a whole.
  public enum WindowChange: String, CaseIterable, Hashable, Sendable {
    /// The window is minimized, or another one covers it.
    case hidden
    /// The window is in front of the person again.
    case shown
    /// Another window has the focus; this one stays visible.
    case unfocused
    /// The window has the focus again.
    case focused
  }

  /// An output of the machine.
  public enum Effect: Hashable, Sendable {
    /// A document stopped being fully active. A page comes before its frames.
    case becameInactive(TabID, DocumentID)

    /// Loading was stopped in a document; it stays fully active.
    case stopped(TabID, DocumentID)
  }
}
