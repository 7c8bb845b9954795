import TestSupport
import Testing

@testable import DigitalCredentials

/// Calls of documents outside the model, which report their state.
@Suite("Reported states") struct ReportedStateTests {
  private static let moment = Duration.seconds(100)

  /// The finding that rejects a call, or nil if the platform gets it.
  private func finding(
    _ call: CallID, _ reported: ReportedState?, in document: DocumentID = 1, of agent: inout UserAgent
  ) -> BrowserFinding? {
    let options = CredentialRequestOptions.reading(Fixtures.json(Fixtures.options("$mdoc")))
    let called = UserAgent.Event.called(call, .get, options, by: document, reported: reported)
    for effect in agent.receive(called, at: Self.moment) {
      if case .reject(_, let exception, _) = effect { return exception.code }
    }
    #expect(agent.pendingCalls == [call])
    _ = agent.receive(.mediator(.platformFailed(call, .cancelledByUser)), at: Self.moment)
    return nil
  }

  private func browser() -> UserAgent {
    var agent = UserAgent()
    _ = agent.receive(.page(.opensTab(0, 1, DocumentSource(.url(Fixtures.page)))), at: .zero)
    _ = agent.receive(.page(.addsFrame(2, DocumentSource(.url(Fixtures.frame)), in: 1)), at: .zero)
    return agent
  }

  @Test func aReportReplacesWhatTheWindowKnows() {
    var agent = browser()
    let inactive = BrowserFinding(.fullyActive, .inactive)
    #expect(finding(1, nil, of: &agent) == BrowserFinding(.userActivation))
    #expect(finding(2, ReportedState(), of: &agent) == nil)
    #expect(finding(3, ReportedState(), in: 2, of: &agent) == nil, "the frame's own browser knows its policy")
    #expect(finding(4, ReportedState(isFullyActive: false), of: &agent) == inactive)
    #expect(finding(5, ReportedState(hasUserAttention: false), of: &agent) == BrowserFinding(.attention))
    #expect(finding(6, ReportedState(hasTransientActivation: false), of: &agent) == BrowserFinding(.userActivation))
    #expect(finding(7, ReportedState(isAllowedByPolicy: false), of: &agent) == BrowserFinding(.policy))
    #expect(finding(8, nil, of: &agent) == BrowserFinding(.userActivation), "a report holds for one call")
  }

  @Test func aDocumentThatWasLeftStaysInactive() {
    var agent = browser()
    _ = agent.receive(.page(.navigates(1, to: 3, DocumentSource(.url(Fixtures.page)))), at: .zero)
    let inactive = BrowserFinding(.fullyActive, .inactive)
    #expect(finding(1, ReportedState(), in: 1, of: &agent) == inactive)
    #expect(finding(2, ReportedState(), in: 2, of: &agent) == inactive)
  }
}
