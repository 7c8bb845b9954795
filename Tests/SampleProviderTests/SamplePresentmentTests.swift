import CrossCheckTrait
import Crypto
import DevicePlatform
import Foundation
import IdentityDocumentServices
import MobileDocument
import Synchronization
import Testing
import WebPresentment
import X509

@testable import SampleProvider

@Suite("Sample provider: presentment", .crossChecked)
struct SamplePresentmentTests {
  /// One presentment, from the choice of the app to its end.
  private struct Presentment {
    let app: SampleApp
    let session: ScriptedSession
    /// A Boolean value that is true if the raw request was released before the person had decided.
    let wasReleasedEarly: Bool
  }

  /// Runs the app's presentment.
  /// - Parameters:
  ///   - shown: the request that the system parsed for the app.
  ///   - released: the raw request that the system releases; the same unless it was altered.
  private func present(
    shown: Data, released: Data? = nil, origin: String = Surroundings.origin + "/", documents: [StoredDocument]? = nil,
    hasOrigin: Bool = true, declines: Bool = false, chosen: String? = nil
  ) async throws -> Presentment {
    let app = try SampleApp(documents ?? [try Surroundings.shared.document("1")])
    let url = try #require(URL(string: origin))
    let request = try IdentityDocumentWebPresentmentRawRequestValidator()
      .validateISO18013MobileDocumentRequest(shown, origin: url)
    let session = ScriptedSession(requestData: released ?? shown)
    let context = ISO18013MobileDocumentRequestContext(
      request: request, requestingWebsiteOrigin: hasOrigin ? url : nil, session: session)
    let early = Mutex(false)
    let provider = app.provider { content in
      early.withLock { $0 = session.isReleased }
      session.interact()
      return declines ? .decline : .accept(chosen.map(content.choice.choosing) ?? content.choice)
    }
    await app.system.running { await provider.present(context) }
    return Presentment(app: app, session: session, wasReleasedEarly: early.withLock { $0 })
  }

  @Test("the view shows the requester, the elements and what is retained; the response verifies")
  func answers() async throws {
    let surroundings = try Surroundings.shared
    let presentment = try await present(
      shown: surroundings.requestData(signedBy: [surroundings.certifiedByOthers, surroundings.certified]))

    let content = try #require(presentment.app.screen.contents.first)
    #expect(content.requester.name == "Rentals" && content.requester.isCertified)
    #expect(content.origin == Surroundings.origin + "/")
    #expect(
      content.choice.elements.map(\.identifier) == ["age_over_21", "given_name"]
        && content.choice.elements.map(\.isRetaining) == [false, true]
        && content.choice.elements.allSatisfy { $0.disclosure == .given })
    #expect(content.choice.options.map(\.documentIdentifier) == ["1"] && content.choice.options[0].isChosen)
    #expect(content.choice.options[0].issuerName == "issuer")
    #expect(!presentment.wasReleasedEarly)
    #expect(presentment.app.screen.notices == [.answered])

    guard case .answered(let data)? = presentment.session.endings.first else {
      Issue.record("\(presentment.session.endings)")
      return
    }
    #expect(presentment.session.endings.count == 1)
    let response = try EncryptedResponse(encoded: [UInt8](data))
      .open(with: surroundings.recipientKey, transcript: surroundings.transcript())
    let report = await DeviceResponseVerifier(trustedIssuers: [try surroundings.issuer.root]).verify(
      response, over: surroundings.transcript(), requests: [Surroundings.items()], at: Surroundings.now)
    #expect(report.checks.filter { $0.status != .passed } == [])
    let verified = try #require(report.verified?.documents.first)
    #expect(verified.elements.map(\.identifier) == ["given_name", "age_over_21"])
    #expect(verified.elements.first?.value == .text("Kelly"))
  }

  @Test("two answers to one request use different keys")
  func freshKeys() async throws {
    let surroundings = try Surroundings.shared
    var keys: [[UInt8]] = []
    for _ in 0..<2 {
      let presentment = try await present(shown: surroundings.requestData(signedBy: [surroundings.certified]))
      guard case .answered(let data)? = presentment.session.endings.first else { continue }
      keys.append(try EncryptedResponse(encoded: [UInt8](data)).encapsulatedKey)
    }
    #expect(keys.count == 2 && keys.first != keys.last)
  }

  @Test("a declined request is not released")
  func declines() async throws {
    let surroundings = try Surroundings.shared
    let presentment = try await present(
      shown: surroundings.requestData(signedBy: [surroundings.certified]), declines: true)
    #expect(presentment.session.endings == [.cancelled])
    #expect(!presentment.session.isReleased)
    #expect(presentment.app.screen.notices.isEmpty)
  }

  @Test("a raw request that differs from the shown request is refused")
  func altered() async throws {
    let surroundings = try Surroundings.shared
    let shown = try surroundings.requestData(signedBy: [surroundings.certified])
    let greedy = Surroundings.items(["given_name", "age_over_21", "family_name"])
    let others: [Data] = [
      try surroundings.requestData(greedy, signedBy: [surroundings.certified]),
      try surroundings.requestData(signedBy: [surroundings.certifiedByOthers]),
      try surroundings.requestData(signedBy: []),
    ]
    for released in others {
      let presentment = try await present(shown: shown, released: released)
      #expect(presentment.session.endings == [.abandoned(ProviderFinding(.rawRequest, .differs))])
      #expect(presentment.app.screen.notices == [.refused(reason: ProviderFinding(.rawRequest, .differs).message)])
    }
    let unreadable = try await present(shown: shown, released: Data("{}".utf8))
    #expect(unreadable.session.endings == [.abandoned(ProviderFinding(.rawRequest, .unreadable))])
  }

  @Test("a raw request whose signature is for another origin is refused")
  func signedForAnotherOrigin() async throws {
    let surroundings = try Surroundings.shared
    let presentment = try await present(
      shown: surroundings.requestData(signedBy: [surroundings.certified]),
      released: surroundings.requestData(signedBy: [surroundings.certified], for: "https://evil.example"))
    #expect(presentment.session.endings == [.abandoned(ProviderFinding(.readerSignature))])
    guard case .refused? = presentment.app.screen.notices.first else {
      Issue.record("\(presentment.app.screen.notices)")
      return
    }
  }

  @Test("a requester without a trusted certificate is refused before the view")
  func notTrusted() async throws {
    let surroundings = try Surroundings.shared
    for (chains, finding) in [
      ([surroundings.certifiedByOthers], ProviderFinding(.reader, .untrusted)),
      ([], ProviderFinding(.reader, .unsigned)),
    ] {
      let presentment = try await present(shown: surroundings.requestData(signedBy: chains))
      #expect(presentment.app.screen.contents.isEmpty)
      #expect(presentment.session.endings == [.cancelled])
      guard case .refused(let reason)? = presentment.app.screen.notices.first else {
        Issue.record("\(presentment.app.screen.notices)")
        return
      }
      #expect(reason.contains(finding.message))
    }
  }

  @Test("a request without an origin, or for a removed document, is not answered")
  func nothingToAnswerWith() async throws {
    let surroundings = try Surroundings.shared
    let shown = try surroundings.requestData(signedBy: [surroundings.certified])
    #expect(try await present(shown: shown, hasOrigin: false).session.endings == [.abandoned(ProviderFinding(.origin))])
    #expect(try await present(shown: shown, documents: []).session.endings == [.abandoned(ProviderFinding(.document))])
    let other = try surroundings.document("1", type: "org.iso.23220.photoid.1")
    #expect(
      try await present(shown: shown, documents: [other]).session.endings == [.abandoned(ProviderFinding(.document))])
  }

  @Test("the person chooses among two documents, and the chosen one answers")
  func chooses() async throws {
    let surroundings = try Surroundings.shared
    let shown = try surroundings.requestData(signedBy: [surroundings.certified])
    let documents = [try surroundings.document("1"), try surroundings.document("2", days: 60)]
    for (chosen, days) in [(nil, 30), ("1", 30), ("2", 60)] as [(String?, Int)] {
      let presentment = try await present(shown: shown, documents: documents, chosen: chosen)
      let content = try #require(presentment.app.screen.contents.first)
      #expect(content.choice.options.map(\.documentIdentifier) == ["1", "2"])
      guard case .answered(let data)? = presentment.session.endings.first else {
        Issue.record("\(presentment.session.endings)")
        continue
      }
      let response = try EncryptedResponse(encoded: [UInt8](data))
        .open(with: surroundings.recipientKey, transcript: surroundings.transcript())
      let report = await DeviceResponseVerifier(trustedIssuers: [try surroundings.issuer.root]).verify(
        response, over: surroundings.transcript(), requests: [Surroundings.items()], at: Surroundings.now)
      #expect(report.verified?.documents.first?.validUntil == Surroundings.now.adding(days: days))
    }
  }

  @Test("an expired document is refused, and the person reads why")
  func expired() async throws {
    let surroundings = try Surroundings.shared
    let shown = try surroundings.requestData(signedBy: [surroundings.certified])
    let presentment = try await present(shown: shown, documents: [try surroundings.document("1", days: -1)])
    #expect(presentment.session.endings == [.abandoned(ProviderFinding(.document, .expired))])
    guard case .refused? = presentment.app.screen.notices.first else {
      Issue.record("\(presentment.app.screen.notices)")
      return
    }
  }

  @Test("a presentment that the system ended is silent; a refused one is shown")
  func endedBySystem() async throws {
    let surroundings = try Surroundings.shared
    let data = try surroundings.requestData(signedBy: [surroundings.certified])
    let url = try #require(URL(string: Surroundings.origin))
    let request = try IdentityDocumentWebPresentmentRawRequestValidator()
      .validateISO18013MobileDocumentRequest(data, origin: url)
    for isEnded in [true, false] {
      let app = try SampleApp([try surroundings.document("1")])
      let session = ScriptedSession(requestData: data)
      let provider = app.provider { content in
        if isEnded {
          session.interact()
          session.cancel()
        }
        return .accept(content.choice)
      }
      await app.system.running {
        await provider.present(
          ISO18013MobileDocumentRequestContext(request: request, requestingWebsiteOrigin: url, session: session))
      }
      #expect(session.endings == [.cancelled], "the presentment is still open")
      #expect(app.screen.notices == (isEnded ? [] : [.failed(reason: "The request is not valid.")]))
    }
  }

  @Test("every notice has a text of its own")
  func words() {
    let notices: [Notice] = [
      .webPresentmentNotSupported, .allowInSettings, .registrationFailed(documentIdentifier: "1", reason: "r"),
      .updateFailed(reason: "r"), .answered, .refused(reason: "r"), .failed(reason: "r"),
    ]
    #expect(Set(notices.map(\.text)).count == notices.count)
  }
}
