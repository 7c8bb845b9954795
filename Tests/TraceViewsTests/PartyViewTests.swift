import Foundation
import Inspection
import JSON
import Messaging
import ScenarioRunner
import Telling
import Testing

@testable import TraceViews

/// Messages as each party sees them.
@Suite("Views of parties") struct PartyViewTests {
  private func views(_ kind: MessageKind, in scenario: String = "headline", trace: Bool = false) throws -> [[PartyView]]
  {
    let journal = try Runs.result(of: scenario).journal
    let views = PartyViews(journal.entries, openings: trace ? nil : journal.openings)
    return zip(journal.entries, Openers.readers(of: journal.entries)).compactMap { entry, readers in
      guard let message = entry.event.message, message.kind == kind, let readers else { return nil }
      return views.views(of: message, readers)
    }
  }

  @Test(
    "Those on the way see the sealed answer, and the server sees what it opened",
    arguments: [MessageKind.response, .credential, .submitResponse])
  func sealed(kind: MessageKind) throws {
    let all = try views(kind)
    #expect(!all.isEmpty)
    for views in all {
      let isFromApp = views.count == 3
      #expect(views.map(\.way) == (isFromApp ? [.carries, .seals, .opens] : [.carries, .opens]))
      #expect(!isFromApp || kind == .response && views[1].parties == ["app:kellys-iphone/Wallet"])
      #expect(views.last?.parties == ["server:spaceship-rentals"])
      #expect(Set(views.flatMap(\.parties)).count == views.flatMap(\.parties).count)
      guard case .other(let opened)? = views.last?.content else {
        Issue.record("the answer is not opened")
        continue
      }
      #expect(Inspector.explanation(of: opened).elements.contains("family_name"))
    }
  }

  @Test("Five elements of the license leave the phone; of each other the server has a digest") func disclosure() throws
  {
    let views = try #require(try views(.submitResponse).first)
    #expect(views[1].disclosures.count == 1)
    let disclosure = try #require(views[1].disclosures.first)
    #expect(
      Set(disclosure.disclosed.map(\.identifier)) == [
        "given_name", "family_name", "age_over_21", "portrait", "driving_privileges",
      ])
    #expect(disclosure.disclosed.first { $0.identifier == "given_name" }?.value == "Kelly")
    let issued = try Runs.entries().compactMap(\.event.message).filter {
      $0.kind == .document && $0.recipient == Party(.app, "kellys-iphone/Wallet")
    }
    let license = try #require(issued.map(Inspector.explanation).first { $0.elements.contains("driving_privileges") })
    let withheld = disclosure.withheld.compactMap(\.identifier)
    #expect(disclosure.isHeldKnown && withheld.count == disclosure.withheld.count)
    #expect(Set(withheld + disclosure.disclosed.map(\.identifier)) == Set(license.elements))
    for element in disclosure.withheld {
      let digest = license.protections.first { $0.kind == .digest && $0.meaning.hasSuffix(element.identifier ?? "?") }
      let mark = try #require(digest?.mark)
      #expect(Array(license.sources[0].bytes[mark].suffix(32)) == element.digest, "\(element.identifier ?? "")")
    }
  }

  @Test("The request of a page that does not ask is not that of the frame in it") func framed() throws {
    let begun = try views(.presentmentBegun, in: "browser/a-site-in-a-frame")
    #expect(begun.map { $0.map(\.way) } == [[], [.reads, .partly]])
    let called = try views(.getCredential, in: "browser/a-site-in-a-frame")
    #expect(called.map { $0.map(\.way) } == [[.reads, .partly]])
    let page = "page:orbital-market@kellys-iphone#spaceship-rentals/market"
    #expect(begun[1][0].parties == ["server:orbital-market", page])
    let answers = try views(.submitResponse, in: "browser/a-site-in-a-frame")
    #expect(answers.map { $0.last?.parties } == [["server:orbital-market"]])
  }

  @Test("Without the document on the phone the withheld elements have no names") func unknown() throws {
    let journal = try Runs.result(of: "headline").journal
    let response = try #require(journal.openings.first?.bytes)
    let disclosure = try #require(DisclosedDocument.all(in: response, issued: []).first)
    #expect(!disclosure.isHeldKnown && disclosure.disclosed.count == 5)
    #expect(!disclosure.withheld.isEmpty && disclosure.withheld.allSatisfy { $0.identifier == nil })
    #expect(DisclosedDocument.all(in: Array("no response".utf8), issued: []).isEmpty)
  }

  @Test(
    "An encrypted answer in OpenID4VP opens to its claims in either format, whoever passes it on",
    arguments: [MessageKind.response, .credential, .submitResponse])
  func openID4VP(kind: MessageKind) throws {
    let views = try #require(try views(kind, in: "openid4vp/sd-jwt-credentials").first)
    #expect(views.map(\.way) == (kind == .response ? [.carries, .seals, .opens] : [.carries, .opens]))
    let disclosure = try #require(views.last?.disclosures.first)
    #expect(disclosure.documentType == "dc+sd-jwt urn:eudi:pid:1" && disclosure.digestAlgorithm == "sha-256")
    #expect(
      Set(disclosure.disclosed.map { "\($0.identifier): \($0.value)" }) == [
        "given_name: Kelly", "family_name: Rover", "age_equal_or_over.18: true", "nationalities[0]: US",
        "nationalities[1]: FR",
      ])
    let named = disclosure.withheld.compactMap(\.identifier)
    #expect(
      Set(named) == ["birthdate", "place_of_birth", "personal_administrative_number", "age_equal_or_over.65"])
    // Two decoys are among the claims, and two in the object with a member of each kind.
    #expect(disclosure.isHeldKnown && disclosure.withheld.count == named.count + 4)
    #expect(disclosure.withheld.allSatisfy { $0.digest.count == 32 && $0.digestID == nil })
  }

  @Test("Mobile documents in OpenID4VP open to their elements") func openID4VPMobile() throws {
    let views = try #require(try views(.submitResponse, in: "openid4vp/both-protocols").first)
    let disclosure = try #require(views.last?.disclosures.first)
    #expect(disclosure.documentType == "org.iso.18013.5.1.mDL" && disclosure.isHeldKnown)
    #expect(disclosure.disclosed.map(\.identifier).contains("given_name") && !disclosure.withheld.isEmpty)
  }

  @Test("A trace has no opened content") func trace() throws {
    let journal = try Runs.result(of: "headline").journal
    let response = try #require(journal.openings.first?.bytes)
    let text = String(decoding: journal.trace(), as: UTF8.self)
    #expect(!text.contains(Data(response).base64EncodedString()))
    #expect(try views(.submitResponse, trace: true).allSatisfy(\.isEmpty))
  }

  @Test("An answer that does not decrypt stays closed") func unopened() throws {
    let all = try views(.submitResponse, in: "faults/wallet/encryption")
    #expect(!all.isEmpty && all.allSatisfy { $0.map(\.way) == [.carries, .unopened] })
  }

  @Test("Before the agreement the app has a part of the request, and the rest afterwards") func request() throws {
    for kind in [MessageKind.presentmentBegun, .getCredential, .requestData] {
      let views = try #require(try views(kind).first)
      #expect(views.map(\.way) == [.reads, .partly])
      #expect(views[1].parties == ["app:kellys-iphone/Wallet"])
      guard case .other(let partial) = views[1].content else {
        Issue.record("no partial request")
        continue
      }
      #expect(partial.kind == .authorize && views[1].message == partial.number)
      #expect(try #require(views[1].release) > partial.number)
    }
    let partial = try #require(try views(.authorize).first)
    #expect(partial.map(\.way) == [.partly, .reads] && partial[1].message == partial[0].release)
    #expect(try views(.click).allSatisfy(\.isEmpty))
  }

  @Test("Without an agreement nothing is released") func withheld() throws {
    let views = try #require(try views(.getCredential, in: "consent/declined-in-wallet").first)
    #expect(views.map(\.way) == [.reads, .partly] && views[1].release == nil)
  }

  @Test("The server of an app opens the envelope, and the ends of a session its messages") func others() throws {
    let envelope = try #require(try views(.submitEnvelope, in: "in-app/accepted").first)
    #expect(envelope.map(\.way) == [.carries, .opens] && envelope[1].disclosures.count == 1)
    let tunnel = try views(.tunnelMessage, in: "cross-device/qr-code-on-a-laptop").filter { !$0.isEmpty }
    let openers = Set(tunnel.compactMap { $0.last?.parties.first?.split(separator: ":").first })
    #expect(openers == ["client-platform", "authenticator"])
    #expect(tunnel.allSatisfy { $0[0].parties.allSatisfy { $0.hasPrefix("tunnel-service:") } })
    let frame = try #require(try views(.nearbyFrame, in: "cross-device/nearby-iphone").first)
    #expect(frame.map(\.way) == [.carries, .seals, .opens] && frame[0].parties.isEmpty)
  }

  @Test("A page of a run has the opened answer once, and a page of a trace does not have it") func page() throws {
    let journal = try Runs.result(of: "headline").journal
    let title = TracePage.Result(title: "x")
    let page = try TracePage.html(of: journal.entries, openings: journal.openings, result: title)
    #expect(page.ranges(of: "\"isHeldKnown\":true").count == 1)
    #expect(!(try TracePage.html(of: journal.entries, result: title)).contains("\"isHeldKnown\""))
  }
}
