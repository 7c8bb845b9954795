import DigitalCredentials

/// One row of the browser checklist: a page, what happens in it, and the results that a script sees.
public struct ChecklistRow: Sendable {
  /// An expectation for one browser that differs from the standard's.
  public struct Difference: Sendable {
    /// The name of the browser's profile.
    public let profile: String
    /// The results in this browser.
    public let expected: String
    /// The source: a file of the browser, a thread or a recorded test result.
    public let source: String

    init(_ profile: BrowserProfile, _ expected: String, _ source: String) {
      self.profile = profile.name
      self.expected = expected
      self.source = source
    }
  }

  /// The identifier, such as `GET-01`.
  public let id: String

  /// The page and its calls, in words.
  public let given: String

  /// The page, and the frames in it.
  let documents: [Document]

  /// The steps in these documents, as the machines run them.
  let steps: [Step]

  /// The results in the standard's profile.
  public let expected: String

  /// The browsers with other results.
  public let differences: [Difference]

  /// The source of the row.
  public let source: String

  init(
    _ id: String, _ given: String, in documents: [Document] = [.page], _ steps: [Step], _ expected: String,
    _ differences: [Difference] = [], source: String
  ) {
    self.id = id
    self.given = given
    self.documents = documents
    self.steps = steps
    self.expected = expected
    // A rule that holds for a group of rows can yield what the standard expects in some of them.
    self.differences = differences.filter { $0.expected != expected }
    self.source = source
  }

  /// Returns the expected results in a browser.
  public func expected(in profile: BrowserProfile) -> String { difference(in: profile)?.expected ?? expected }

  /// Returns the difference of a browser, or nil if it follows the standard.
  public func difference(in profile: BrowserProfile) -> Difference? { differences.first { $0.profile == profile.name } }
}

/// Makes rows that restate the same source.
struct ChecklistSection {
  let source: String

  /// - Parameter other: Another source than that of the section; nil for that of the section.
  func callAsFunction(
    _ id: String, _ given: String, in documents: [ChecklistRow.Document] = [.page], _ steps: [ChecklistRow.Step],
    _ expected: String, _ differences: [ChecklistRow.Difference] = [], source other: String? = nil
  ) -> ChecklistRow {
    ChecklistRow(id, given, in: documents, steps, expected, differences, source: other ?? source)
  }
}

/// The documents of a row, and the steps in them.
extension ChecklistRow {
  /// A document: the page, or a frame in a document before it.
  struct Document: Sendable {
    var name: String
    var container: String?
    var source: DocumentSource
    var attributes = FrameAttributes()
  }

  /// Something that happens, or that a script reads.
  enum Step: Sendable {
    /// The person taps in a document.
    case gesture(String)
    case focus(String)
    case remove(String)
    /// The person goes to another page; the one that is left goes to the back/forward cache.
    case leave
    /// The person goes back.
    case back
    case stop(String)
    /// A call with options in JSON, in which markers replace values outside JSON. Calls count from 1; each has a signal with
    /// its number.
    case call(CredentialOperation, String, in: String)
    /// The signal of a call is aborted; before the call if it comes later.
    case abort(Int, AbortReason = .unspecified)
    /// The wallet answers a call with a protocol and a response in JSON.
    case respond(Int, String, String)
    /// The person declines.
    case decline(Int)
    /// The script reads `navigator.userActivation.isActive`.
    case activation(String)
    /// The script asks whether an interface exists.
    case exists(String, in: String)
    /// The script asks whether the browser allows one of several protocols.
    case allows([String])
    /// The script calls `preventSilentAccess()`.
    case preventSilentAccess(String)
    /// The origin that the platform got with a call.
    case origin(Int)
    /// The data of the credential of a call.
    case data(Int)
  }
}

extension ChecklistRow.Document {
  /// The origin of pages, and of frames of the same origin.
  static let ownOrigin = origin("https://page.example")
  /// The origin of frames of another origin.
  static let otherOrigin = origin("https://frame.example")

  /// A page over https.
  static let page = page(DocumentSource(.url(ownOrigin)))

  static func page(_ source: DocumentSource) -> Self { Self(name: "page", container: nil, source: source) }

  /// A frame of the page.
  static func frame(
    _ kind: DocumentSource.Kind, name: String = "frame", in container: String = "page", allow: String? = nil,
    sandbox: String? = nil, contentSecuritySandbox: String? = nil
  ) -> Self {
    Self(
      name: name, container: container,
      source: DocumentSource(kind, contentSecuritySandbox: contentSecuritySandbox.map(SandboxTokens.init)),
      attributes: FrameAttributes(allow: allow, sandbox: sandbox.map(SandboxTokens.init)))
  }

  static func same(_ name: String = "frame", in container: String = "page", allow: String? = nil) -> Self {
    frame(.url(ownOrigin), name: name, in: container, allow: allow)
  }

  static func other(_ name: String = "frame", in container: String = "page", allow: String? = nil) -> Self {
    frame(.url(otherOrigin), name: name, in: container, allow: allow)
  }

  private static func origin(_ text: String) -> Origin {
    do { return try Origin(serialized: text) } catch { return .opaque() }
  }
}
