import DigitalCredentials
import Testing

@Suite("get(): activation, concurrency and document state")
struct ActivationAndStateTests {
  static let drawings: [Drawing] = [
    Drawing("ACT-01", "get 1 no-act => reject 1 NotAllowedError browser.user-activation"),
    Drawing("ACT-02", "get 1 no-act < {\"digital\":{\"requests\":[]}} => reject 1 TypeError browser.requests/empty"),
    Drawing("ACT-03", "get 1 aborted => reject 1 AbortError browser.signal"),
    Drawing(
      "ACT-04",
      """
      get 1   => consume 1, present 1
      abort 1 => dismiss 1, reject 1 AbortError
      """),
    Drawing(
      "ACT-07",
      """
      get 1 < {"digital":{"requests":[$unknown]}}          => warn 1, reject 1 TypeError browser.protocol/unknown
      get 2 < {"digital":{"requests":[$unknown,$unknown]}} => warn 2, warn 2, reject 2 TypeError
      """),
    Drawing(
      "CON-01",
      """
      get 1   => consume 1, present 1
      get 2   => reject 2 NotAllowedError browser.single-call
      abort 1 => dismiss 1, reject 1 AbortError
      """),
    Drawing(
      "one coordinator for all frames",
      """
      get 1       => consume 1, present 1
      get 2 frame => consume 2, reject 2 NotAllowedError browser.single-call
      get 3 inner no-act => reject 3 NotAllowedError browser.user-activation
      abort 1     => dismiss 1, reject 1 AbortError
      get 4 frame => consume 4, present 4
      get 5       => consume 5, reject 5 NotAllowedError browser.single-call
      """),
    Drawing("CON-01", .safari26, "get 1 => consume 1, present 1 \n get 2 => consume 2, reject 2 InvalidStateError"),
    Drawing("CON-01", .safariMain2026, "get 1 => consume 1, present 1 \n get 2 => consume 2, reject 2 NotAllowedError"),
    Drawing("DOC-01", "get 1 inner inactive aborted < {} => reject 1 InvalidStateError browser.fully-active/inactive"),
    Drawing(
      "DOC-04",
      """
      get 1 frame => consume 1, present 1
      gone page   => nothing
      gone frame  => dismiss 1, reject 1 AbortError browser.fully-active/gone
      gone frame  => nothing
      """),
    Drawing(
      "DOC-05",
      (1...10).map { round in
        """
        get \(round)           => consume \(round), present \(round)
        abort \(round) MyError => dismiss \(round), reject \(round) MyError browser.signal
        """
      }.joined(separator: "\n")),
    Drawing(
      "DOC-06",
      """
      get 1     => consume 1, present 1
      gone page => dismiss 1, reject 1 AbortError browser.fully-active/gone
      get 2     => consume 2, present 2
      """),
    Drawing("not focused", "get 1 unfocused => reject 1 NotAllowedError browser.attention"),
    Drawing("SEC-01", "get 1 insecure inactive aborted < 5 => reject 1 TypeError browser.secure-context"),
    Drawing(
      "late answers",
      """
      get 1                           => consume 1, present 1
      abort 1                         => dismiss 1, reject 1 AbortError
      abort 1                         => nothing
      answer 1 org-iso-mdoc < {}      => nothing
      fail 1 cancelledByUser          => nothing
      get 2                           => consume 2, present 2
      answer 1 org-iso-mdoc < {}      => nothing
      fail 1 unknown                  => nothing
      answer 2 org-iso-mdoc < {}      => resolve 2 org-iso-mdoc
      answer 2 org-iso-mdoc < {}      => nothing
      """),
    Drawing(
      "a number in use",
      """
      get 1 => consume 1, present 1
      get 1 => nothing
      """),
  ]

  @Test("Draws checklist sections 2 to 4 and 9", arguments: drawings)
  func state(drawing: Drawing) throws {
    try drawing.run()
  }

  @Test("DOC-05: rejects with the name and message of the abort reason")
  func reason() throws {
    var mediator = CredentialMediator()
    let options = CredentialRequestOptions(requests: [Fixtures.mdoc])
    _ = mediator.receive(.getCalled(1, .success(options), CallingContext(origin: Fixtures.page)))
    #expect(mediator.pendingCall == 1)
    let reason = AbortReason(name: "ImpatientError", message: "too slow")
    let effects = mediator.receive(.signalAborted(1, reason))
    let exception = CredentialRequestException(aborted: reason)
    #expect(effects == [.dismiss(1), .reject(1, exception, .queuedTask)])
    #expect(exception.name == .custom("ImpatientError"))
    #expect(exception.message == "too slow")
    #expect(mediator.pendingCall == nil)
  }
}
