import DigitalCredentials
import Testing

@Suite("The window of a browser: tabs, frames, focus and activation")
struct PageWindowTests {
  static let drawings: [PageDrawing] = [
    PageDrawing(
      "a new tab comes to the front",
      """
      front         => nothing
      open 1 page 1 => nothing
      front         => 1
      open 2 page 2 => nothing
      front         => 2
      visible       => 2
      focused       => 2
      attended      => 2
      active        => 1 2
      open 1 page 3 => nothing
      active        => 1 2
      show 1        => nothing
      front         => 1
      show 9        => nothing
      front         => 1
      """),
    PageDrawing(
      "a closed tab ends its documents, and the one before it comes to the front",
      """
      open 1 page 1 => nothing
      open 2 page 2 => nothing
      frame 3 in 2  => nothing
      open 3 page 4 => nothing
      close 3       => nothing
      front         => 2
      close 2       => nothing
      front         => 1
      states        => active unloaded unloaded unloaded
      close 1       => nothing
      front         => nothing
      close 1       => nothing
      """),
    PageDrawing(
      "the window as a whole",
      """
      open 1 page 1    => nothing
      window unfocused => nothing
      visible          => 1
      attended         => nothing
      window focused   => nothing
      attended         => 1
      window hidden    => nothing
      visible          => nothing
      window focused   => nothing
      attended         => nothing
      tap 1            => nothing
      activated        => nothing
      window shown     => nothing
      attended         => 1
      """),
    PageDrawing(
      "a gesture activates ancestors and descendants of the same origin",
      """
      open 1 page 1          => nothing
      frame 2 in 1           => nothing
      frame 3 in 1 other     => nothing
      frame 4 in 2           => nothing
      frame 5 in 2 other     => nothing
      tap 2                  => nothing
      activated              => 1 2 4
      wait 4999              => nothing
      activated              => 1 2 4
      wait 1                 => nothing
      activated              => nothing
      touched                => 1 2 4
      tap 3                  => nothing
      activated              => 1 3
      tap 1                  => nothing
      activated              => 1 2 3 4
      consume 5              => nothing
      activated              => nothing
      touched                => 1 2 3 4
      """),
    PageDrawing(
      "a gesture in another tab does not count, nor one in a document that is gone",
      """
      open 1 page 1 => nothing
      open 2 page 2 => nothing
      tap 1         => nothing
      activated     => nothing
      tap 2         => nothing
      activated     => 2
      tap 7         => nothing
      consume 1     => nothing
      activated     => 2
      show 1        => nothing
      get 1 in 1    => reject 1 NotAllowedError browser.user-activation
      """),
    PageDrawing(
      "focus is in one frame and in the documents around it",
      """
      open 1 page 1 => nothing
      frame 2 in 1  => nothing
      frame 3 in 1  => nothing
      frame 4 in 2  => nothing
      focused       => 1
      focus 4       => nothing
      focused       => 1 2 4
      attended      => 1 2 3 4
      tap 3         => nothing
      focused       => 1 3
      remove 3      => nothing
      focused       => 1
      focus 3       => nothing
      focused       => 1
      """),
    PageDrawing(
      "a removed frame takes its frames along",
      """
      open 1 page 1 => nothing
      frame 2 in 1  => nothing
      frame 3 in 2  => nothing
      remove 1      => nothing
      remove 2      => nothing
      states        => active removed removed
      remove 2      => nothing
      frame 4 in 2  => nothing
      active        => 1
      frame 3 in 1  => nothing
      active        => 1
      """),
    PageDrawing(
      "a frame navigates",
      """
      open 1 page 1           => nothing
      frame 2 in 1            => nothing
      frame 3 in 2            => nothing
      focus 2                 => nothing
      navigate 2 to 4 other   => nothing
      states                  => active navigatedAway navigatedAway active
      focused                 => 1 4
      navigate 2 to 5         => nothing
      navigate 4 to 3         => nothing
      active                  => 1 4
      """),
    PageDrawing(
      "back and forward through the cache",
      """
      open 1 page 1         => nothing
      frame 2 in 1          => nothing
      tap 1                 => nothing
      navigate 1 to 3 kept  => nothing
      states                => cached cached active
      activated             => nothing
      back 1 fresh 9        => nothing
      states                => active active cached
      activated             => 1 2
      back 1 fresh 9        => nothing
      forward 1 fresh 9     => nothing
      states                => cached cached active
      forward 1 fresh 9     => nothing
      front                 => 3
      """),
    PageDrawing(
      "a page that was not kept is loaded again, without its frames",
      """
      open 1 page 1     => nothing
      frame 2 in 1      => nothing
      navigate 1 to 3   => nothing
      states            => unloaded unloaded active
      back 1 fresh 4    => nothing
      active            => 4
      forward 1 fresh 3 => nothing
      active            => 3
      """),
    PageDrawing(
      "a navigation drops what was forward",
      """
      open 1 page 1         => nothing
      navigate 1 to 2 kept  => nothing
      back 1 fresh 9        => nothing
      navigate 1 to 3 kept  => nothing
      states                => cached unloaded active
      forward 1 fresh 9     => nothing
      front                 => 3
      """),
    PageDrawing(
      "a frame that was removed stays removed when its page comes back",
      """
      open 1 page 1        => nothing
      frame 2 in 1         => nothing
      remove 2             => nothing
      navigate 1 to 3 kept => nothing
      back 1 fresh 9       => nothing
      states               => active removed cached
      close 1              => nothing
      states               => unloaded removed unloaded
      """),
  ]

  @Test("Draws each transition of the window", arguments: drawings)
  func window(drawing: PageDrawing) throws { try drawing.run() }

  static let calls: [PageDrawing] = [
    PageDrawing(
      "one call for each tab",
      """
      open 1 page 1 => nothing
      tap 1         => nothing
      get 1 in 1    => consume 1, present 1
      open 2 page 2 => nothing
      tap 2         => nothing
      get 2 in 2    => consume 2, present 2
      show 1        => nothing
      tap 1         => nothing
      get 3 in 1    => reject 3 NotAllowedError browser.single-call at-once
      answer 1      => resolve 1
      close 2       => dismiss 2, reject 2 AbortError browser.fully-active/gone
      answer 2      => nothing
      """),
    PageDrawing(
      "a frame's call blocks the page, from a queued task",
      """
      open 1 page 1          => nothing
      frame 2 in 1 other allow => nothing
      tap 2                  => nothing
      get 1 in 2             => consume 1, present 1
      activated              => nothing
      tap 1                  => nothing
      get 2 in 1             => consume 2, reject 2 NotAllowedError browser.single-call queued
      remove 2               => dismiss 1, reject 1 AbortError browser.fully-active/gone queued
      tap 1                  => nothing
      get 3 in 1             => consume 3, present 3
      get 4 in 2             => reject 4 InvalidStateError
      """),
    PageDrawing(
      "navigation in each state",
      """
      open 1 page 1        => nothing
      navigate 1 to 2      => nothing
      tap 2                => nothing
      get 1 in 2           => consume 1, present 1
      navigate 2 to 3 kept => dismiss 1, reject 1 AbortError browser.fully-active/gone
      back 1 fresh 9       => nothing
      tap 2                => nothing
      get 2 in 2           => consume 2, present 2
      forward 1 fresh 9    => dismiss 2, reject 2 AbortError
      get 3 in 2           => reject 3 InvalidStateError
      """),
    PageDrawing(
      "a frame navigates while its call is pending",
      """
      open 1 page 1     => nothing
      frame 2 in 1      => nothing
      tap 2             => nothing
      get 1 in 2        => consume 1, present 1
      navigate 2 to 3   => dismiss 1, reject 1 AbortError
      """),
    PageDrawing(
      "signals: before, during and after, with a reason of its own",
      """
      open 1 page 1       => nothing
      abort 7 Impatience  => nothing
      abort 7 Other       => nothing
      tap 1               => nothing
      get 1 in 1 signal 7 => reject 1 Impatience browser.signal at-once
      activated           => 1
      get 2 in 1 signal 8 => consume 2, present 2
      abort 9             => nothing
      abort 8             => dismiss 2, reject 2 AbortError browser.signal queued
      fail 2              => nothing
      tap 1               => nothing
      get 3 in 1 signal 6 => consume 3, present 3
      fail 3              => reject 3 NotAllowedError
      abort 6             => nothing
      """),
    PageDrawing(
      "window.stop", .safariMain2026,
      """
      open 1 page 1 => nothing
      frame 2 in 1  => nothing
      tap 2         => nothing
      get 1 in 2    => consume 1, present 1
      stop 1        => dismiss 1, reject 1 AbortError browser.fully-active/stopped
      active        => 1 2
      stop 1        => nothing
      """),
    PageDrawing(
      "window.stop",
      """
      open 1 page 1 => nothing
      tap 1         => nothing
      get 1 in 1    => consume 1, present 1
      stop 1        => nothing
      answer 1      => resolve 1
      """),
    PageDrawing(
      "a tab in the background keeps its call, and starts none",
      """
      open 1 page 1 => nothing
      tap 1         => nothing
      get 1 in 1    => consume 1, present 1
      open 2 page 2 => nothing
      answer 1      => resolve 1
      get 2 in 1    => reject 2 NotAllowedError browser.attention
      """),
    PageDrawing(
      "focus in another document", .safari26,
      """
      open 1 page 1 => nothing
      frame 2 in 1  => nothing
      tap 1         => nothing
      get 1 in 2    => reject 1 NotAllowedError browser.attention
      focus 2       => nothing
      get 2 in 2    => consume 2, present 2
      """),
    PageDrawing(
      "focus in another window", .chromium2026,
      """
      open 1 page 1    => nothing
      tap 1            => nothing
      window unfocused => nothing
      get 1 in 1       => consume 1, present 1
      fail 1           => reject 1 NetworkError
      tap 1            => nothing
      window hidden    => nothing
      get 2 in 1       => consume 2, reject 2 NetworkError browser.attention queued
      """),
    PageDrawing(
      "a sandbox without scripts makes no calls",
      """
      open 1 page 1     => nothing
      frame 2 in 1 mute => nothing
      tap 2             => nothing
      get 1 in 2        => nothing
      get 2 in 8        => nothing
      get 3 in 1        => consume 3, present 3
      get 3 in 1        => nothing
      """),
    PageDrawing(
      "a script of a closed tab",
      """
      open 1 page 1 => nothing
      close 1       => nothing
      get 1 in 1    => reject 1 InvalidStateError
      """),
  ]

  @Test("Draws calls from pages, frames and tabs", arguments: calls)
  func draws(drawing: PageDrawing) throws { try drawing.run() }

  @Test("Rejections from queued tasks come after those at once, in the order of the calls")
  func turn() {
    var agent = UserAgent()
    let options = CredentialRequestOptions.reading(Fixtures.json(Fixtures.options("$mdoc")))
    let empty = CredentialRequestOptions.reading(Fixtures.json(Fixtures.options("")))
    let source = DocumentSource(.url(Fixtures.page))
    let attributes = FrameAttributes()
    for event: PageWindow.Event in [.opensTab(1, 1, source), .addsFrame(2, source, attributes, in: 1), .interacts(1)] {
      _ = agent.receive(.page(event), at: .zero)
    }
    let effects = agent.receive(
      turn: [
        .called(1, .get, options, by: 1), .page(.interacts(2)), .called(2, .get, options, by: 2),
        .called(3, .get, empty, by: 2),
      ], at: .zero)
    let rejected = effects.compactMap { if case .reject(let call, _, _) = $0 { call } else { nil } }
    #expect(rejected == [3, 2])
  }

  @Test("A document without scripts or without an identifier has no context")
  func context() throws {
    var window = PageWindow()
    _ = window.receive(.opensTab(1, 1, DocumentSource(.url(Fixtures.page))), at: .zero)
    _ = window.receive(.addsFrame(2, DocumentSource(.url(Fixtures.frame)), in: 1), at: .zero)
    let context = try #require(window.context(of: 2, at: .zero))
    #expect(context.origin == Fixtures.frame && context.topLevelOrigin == Fixtures.page)
    #expect(!context.isAllowedByPolicy && context.isSecureContext && context.hasUserAttention && !context.hasFocus)
    #expect(window.context(of: 3, at: .zero) == nil)
  }

  @Test("Interfaces exist in secure contexts, and preventSilentAccess() needs an active document")
  func interfaces() {
    var agent = UserAgent()
    _ = agent.receive(.page(.opensTab(1, 1, DocumentSource(.url(Fixtures.page)))), at: .zero)
    _ = agent.receive(.page(.addsFrame(2, DocumentSource(.data), in: 1)), at: .zero)
    #expect(agent.exposes("DigitalCredential", to: 1) && agent.exposes("DigitalCredential.issue", to: 1))
    #expect(!agent.exposes("DigitalCredential", to: 2) && !agent.exposes("navigator.identity", to: 1))
    #expect(agent.preventSilentAccess(1) == nil)
    #expect(agent.preventSilentAccess(2)?.code == BrowserFinding(.secureContext))
    _ = agent.receive(.page(.navigates(1, to: 3, DocumentSource(.url(Fixtures.page)))), at: .zero)
    #expect(agent.preventSilentAccess(1)?.name == .invalidStateError)
  }
}
