import DigitalCredentials

@testable import BrowserChecklist

/// Random sequences of events in a browser, each compared with a second account of what must hold.
///
/// The account keeps a tree of documents of its own and the time of the last gesture of each. It knows nothing of session
/// history: which documents become inactive comes from the browser's answers, and must fit the tree.
public enum RandomPages {
  /// Runs sequences from seeds.
  /// - Returns: The first violation in words, with the profile and the seed that repeat it, or nil without one.
  public static func violation(
    sequences: Range<Int>, events: Int = 12, in profile: BrowserProfile
  ) -> String? {
    for seed in sequences {
      var sequence = Sequence(seed: UInt64(seed), profile: profile)
      for _ in 0..<events {
        if let violation = sequence.step() { return "\(profile.name), sequence \(seed): \(violation)" }
      }
      if let violation = sequence.end() { return "\(profile.name), sequence \(seed): \(violation)" }
    }
    return nil
  }
}

extension RandomPages {
  fileprivate struct Sequence {
    /// The account of a document.
    struct Account {
      var container: DocumentID?
      var tab: TabID
      var origin: Origin
      var gesture: Duration?
    }

    private var agent: UserAgent
    private var random: Generator
    private var now = Duration.zero
    private var documents: [DocumentID: Account] = [:]
    private var nextDocument = 1
    private var nextTab = 1
    private var nextCall = 1
    private var pending: [CallID: DocumentID] = [:]
    private var warned: Set<CallID> = []
    private var settled: Set<CallID> = []

    init(seed: UInt64, profile: BrowserProfile) {
      agent = UserAgent(profile: profile, interstitial: seed % 2 == 0 ? .byRule : .none)
      random = Generator(state: seed)
      _ = open()
    }

    // Origins of pages and frames; equal ones share activation.
    private static let origins = ["https://a.example", "https://b.example"].map { text in
      do { return try Origin(serialized: text) } catch { return Origin.opaque() }
    }
    private static let readings: [CredentialRequestOptions.Reading] = [
      ChecklistOptions.digital([
        ChecklistOptions.request("org-iso-mdoc", "{\"deviceRequest\":\"AA\",\"encryptionInfo\":\"AA\"}")
      ]),
      ChecklistOptions.digital([ChecklistOptions.openID, ChecklistOptions.garbage]), ChecklistOptions.digital([]), "{}",
    ].map { CredentialRequestOptions.reading(Array($0.utf8)) }

    /// Draws one event. Returns the violated property, or nil.
    mutating func step() -> String? {
      now += .milliseconds(random.below(4000))
      switch random.below(16) {
      case 0: return open()
      case 1: return frame()
      case 2, 3, 4: return gesture()
      case 5, 6, 7, 8: return call()
      case 9: return tell(.aborts(SignalID(rawValue: random.below(nextCall) + 1)))
      case 10, 11: return answer()
      case 12: return anyDocument.flatMap { tell(.page(.removesFrame($0))) }
      case 13: return navigate()
      case 14: return anyDocument.flatMap { tell(.page(random.below(2) == 0 ? .stops($0) : .focuses($0))) }
      default: return window()
      }
    }

    /// Closes every tab. Nothing may be pending then.
    mutating func end() -> String? {
      for tab in agent.window.openTabs {
        if let violation = tell(.page(.closesTab(tab))) { return violation }
      }
      return agent.pendingCalls.isEmpty && pending.isEmpty && settled.count == nextCall - 1
        ? nil : "a call is pending after every tab was closed"
    }

    private var anyDocument: DocumentID? {
      mutating get { nextDocument == 1 ? nil : DocumentID(rawValue: random.below(nextDocument - 1) + 1) }
    }

    private var anyTab: TabID { mutating get { TabID(rawValue: random.below(nextTab) + 1) } }

    private mutating func fresh(_ container: DocumentID?, _ tab: TabID, _ origin: Origin) -> DocumentID {
      defer { nextDocument += 1 }
      let id = DocumentID(rawValue: nextDocument)
      documents[id] = Account(container: container, tab: tab, origin: origin)
      return id
    }

    private mutating func open() -> String? {
      let tab = TabID(rawValue: nextTab)
      nextTab += 1
      let origin = Self.origins[0]
      return tell(.page(.opensTab(tab, fresh(nil, tab, origin), DocumentSource(.url(origin)))))
    }

    private mutating func frame() -> String? {
      guard let container = anyDocument, let tab = documents[container]?.tab else { return nil }
      let isSandboxed = random.below(5) == 0
      let origin = Self.origins[random.below(2)]
      let isActive = agent.window.document(container)?.isFullyActive == true
      let id = fresh(container, tab, origin)
      // A frame in a document that is gone is not loaded.
      if !isActive { documents[id] = nil }
      let violation = tell(
        .page(
          .addsFrame(
            id, DocumentSource(.url(origin)),
            FrameAttributes(allow: "digital-credentials-get *", sandbox: isSandboxed ? SandboxTokens() : nil),
            in: container)))
      if isActive, let origin = agent.window.document(id)?.origin { documents[id]?.origin = origin }
      return violation
    }

    private mutating func gesture() -> String? {
      guard let id = anyDocument, let touched = documents[id] else { return nil }
      let canTouch =
        isActive(id) && agent.window.frontTab == touched.tab && agent.window.isVisible
      if canTouch {
        for (other, account) in documents where account.tab == touched.tab && isActive(other) {
          let isRelated =
            other == id || around(id).contains(other)
            || (account.origin == touched.origin && around(other).contains(id))
          if isRelated { documents[other]?.gesture = now }
        }
      }
      return tell(.page(.interacts(id)))
    }

    private mutating func call() -> String? {
      guard let id = anyDocument else { return nil }
      let call = CallID(rawValue: nextCall)
      nextCall += 1
      let runs = agent.window.document(id)?.runsScripts == true
      if !runs { settled.insert(call) }
      return tell(
        .called(
          call, random.below(8) == 0 ? .issue : .get, Self.readings[random.below(Self.readings.count)], by: id,
          signal: SignalID(rawValue: call.rawValue)), caller: id)
    }

    private mutating func answer() -> String? {
      let call = CallID(rawValue: random.below(nextCall) + 1)
      switch random.below(4) {
      case 0: return tell(.mediator(.platformFailed(call, .cancelledByUser)))
      case 1: return tell(.mediator(.platformAnswered(call, protocol: "org-iso-mdoc", response: [0x7b, 0x7d])))
      default: return tell(.mediator(.interstitialAnswered(call, continues: random.below(2) == 0)))
      }
    }

    private mutating func navigate() -> String? {
      guard let id = anyDocument, let old = documents[id] else { return nil }
      if random.below(2) == 0 {
        let tab = anyTab
        let new = fresh(nil, tab, Self.origins[0])
        let violation = tell(.page(.travels(tab, by: random.below(2) == 0 ? -1 : 1, fresh: new)))
        if let loaded = agent.window.document(new) {
          documents[new]?.origin = loaded.origin
        } else {
          documents[new] = nil
        }
        return violation
      }
      let origin = Self.origins[random.below(2)]
      let new = fresh(old.container, old.tab, origin)
      let violation = tell(
        .page(.navigates(id, to: new, DocumentSource(.url(origin)), isKept: random.below(2) == 0)))
      if let loaded = agent.window.document(new) {
        documents[new]?.origin = loaded.origin
      } else {
        documents[new] = nil
      }
      return violation
    }

    private mutating func window() -> String? {
      switch random.below(4) {
      case 0: return tell(.page(.showsTab(anyTab)))
      case 1: return tell(.page(.closesTab(anyTab)))
      default:
        let changes = PageWindow.WindowChange.allCases
        return tell(.page(.window(changes[random.below(changes.count)])))
      }
    }

    private func isActive(_ id: DocumentID) -> Bool { agent.window.document(id)?.isFullyActive == true }

    private func around(_ id: DocumentID) -> [DocumentID] {
      guard let container = documents[id]?.container else { return [] }
      return [container] + around(container)
    }

    /// Passes an event on, and compares the effects and the state with the account.
    private mutating func tell(_ event: UserAgent.Event, caller: DocumentID? = nil) -> String? {
      for effect in agent.receive(event, at: now) {
        switch effect {
        case .consumeActivation(let call):
          guard let document = caller, call.rawValue == nextCall - 1 else { return "an event consumed an activation" }
          guard let start = documents[document]?.gesture, now < start + UserActivation.duration else {
            return "\(document) had no activation to consume"
          }
          let tab = documents[document]?.tab
          for (id, account) in documents where account.tab == tab && isActive(id) { documents[id]?.gesture = nil }
        case .present(let call, _):
          if warned.remove(call) == nil, let violation = begins(call, caller) { return violation }
        case .warnPerson(let call, _):
          warned.insert(call)
          if let violation = begins(call, caller) { return violation }
        case .resolve(let call, _), .reject(let call, _, _):
          guard settled.insert(call).inserted else { return "\(call) was settled twice" }
          pending[call] = nil
        case .passed, .dismiss, .warn: break
        }
      }
      return disagreement
    }

    private mutating func begins(_ call: CallID, _ caller: DocumentID?) -> String? {
      guard let caller, !settled.contains(call), pending[call] == nil else { return "\(call) began unasked" }
      pending[call] = caller
      return nil
    }

    /// A difference between the browser and the account.
    private var disagreement: String? {
      guard agent.pendingCalls == pending.keys.sorted(by: { $0.rawValue < $1.rawValue }) else {
        return "the pending calls differ"
      }
      var tabs: Set<TabID> = []
      for (call, document) in pending {
        guard isActive(document), let tab = documents[document]?.tab else { return "\(call) outlived its document" }
        guard tabs.insert(tab).inserted else { return "two calls are pending in \(tab)" }
      }
      for (id, account) in documents {
        let isActivated = account.gesture.map { now < $0 + UserActivation.duration } ?? false
        guard agent.window.hasTransientActivation(id, at: now) == (isActivated && isActive(id)) else {
          return "the activation of \(id) differs"
        }
        if isActive(id), let container = account.container, !isActive(container) {
          return "\(id) outlived the document around it"
        }
      }
      return nil
    }
  }

  /// SplitMix64: small, and the same on every machine.
  fileprivate struct Generator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var value = state
      value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
      value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
      return value ^ (value >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
  }
}
