import COSE
import Crypto
import DocumentFixtures
import JOSE
import JSON
import MobileDocument
import Primitives
import RelyingParty
import TestSupport
import Testing
import WebPresentment

@testable import OpenID4VP

@Suite("Stored sessions")
struct StoredSessionTests {
  @Test("A restored session is the stored one, with its keys", arguments: OpenID4VPProtocol.allCases)
  func restores(kind: OpenID4VPProtocol) throws {
    let session = try PresentationSite(kind).session
    let restored = try VerifierSession(stored: session.stored, isUsed: true)
    #expect(restored.stored == session.stored)
    #expect(restored.isUsed)
    #expect(restored.identifier == session.identifier)
    #expect(restored.origin == session.origin)
    #expect(restored.expires == session.expires)
    #expect(restored.requests.map(\.protocol) == session.requests.map(\.protocol))
    #expect(restored.documents == session.documents)
    let (annexC, stored) = (try #require(restored.annexC), try #require(session.annexC))
    #expect(annexC.useCases == stored.useCases)
    #expect(annexC.encryptionInfoText == stored.encryptionInfoText)
    #expect(annexC.recipientKey.rawRepresentation == stored.recipientKey.rawRepresentation)
    let (asked, kept) = (try #require(restored.openID4VP.first), try #require(session.openID4VP.first))
    #expect(asked.clientIDs == kept.clientIDs)
    #expect(asked.begun == kept.begun)
    #expect(asked.encryption?.key.thumbprint == kept.encryption?.key.thumbprint)
  }

  @Test("What differs from the defaults is stored")
  func restoresWhatIsUnusual() throws {
    let site = try PresentationSite()
    let query = try PresentationSite.query()
    let entry = #"{"type":"pay","credential_ids":["sd-jwt"],"transaction_data_hashes_alg":["sha-384"]}"#
    let privateKey = try fixedAgreementKey(6)
    // A key with an identifier of the server's own.
    let key = JWK(COSEKey(privateKey.publicKey), keyID: "mine", use: "enc", algorithm: "ECDH-ES")
    let request = OpenID4VPSession(
      .unsigned, query: query, nonce: site.asked.nonce,
      encryption: .init(privateKey: privateKey, key: key, encryptions: [.a128GCM]),
      transactionData: [try TransactionData(Base64URL.encode(Array(entry.utf8)), query: query, types: nil)])
    let restored = try VerifierSession(stored: site.session(of: [.openID4VP(request)]).stored)
    let asked = try #require(restored.openID4VP.first)
    #expect(asked.encryption?.encryptions == [.a128GCM])
    #expect(asked.encryption?.key.json == key.json)
    #expect(asked.transactionData.map(\.text) == request.transactionData.map(\.text))
    #expect(asked.begun == nil)
    let plain = OpenID4VPSession(.unsigned, query: query, nonce: site.asked.nonce, encryption: nil)
    let again = try VerifierSession(stored: site.session(of: [.openID4VP(plain)]).stored)
    #expect(try #require(again.openID4VP.first).encryption == nil)
  }

  @Test("A restored session asks for the same documents, or is not restored")
  func refusesOtherUseCases() throws {
    let site = try PresentationSite()
    let annexC = try #require(site.session.annexC)
    let useCases = [DeviceRequestInfo.UseCase(isMandatory: true, documentSets: [[0]])]
    let request = AnnexCSession(
      documents: annexC.documents, useCases: useCases, encryptionInfoText: annexC.encryptionInfoText,
      recipientKey: annexC.recipientKey)
    let stored = String(decoding: site.session(of: [.annexC(request)]).stored, as: UTF8.self)
    #expect(try VerifierSession(stored: Array(stored.utf8)).annexC?.useCases == useCases)
    let written = Base64URL.encode(DeviceRequestInfo(useCases: useCases).encoded)
    for other in [
      "AA", Base64URL.encode(DeviceRequestInfo(useCases: [.init(isMandatory: true, documentSets: [[0, 0]])]).encoded),
    ] {
      let changed = stored.replacing(written, with: other)
      #expect(changed != stored)
      #expect(throws: (any Error).self) { try VerifierSession(stored: Array(changed.utf8)) }
    }
  }

  @Test("An answer to a restored session is verified")
  func verifiesForARestoredSession() async throws {
    let site = try PresentationSite()
    let restored = try VerifierSession(stored: site.session.stored)
    #expect(await site.verdict(on: try site.answer(), to: restored).isVerified)
  }

  @Test("Bytes that are not a stored session are refused", arguments: [0, 1, 40, 200])
  func refusesOtherBytes(length: Int) throws {
    let stored = try PresentationSite().session.stored
    #expect(throws: (any Error).self) { try VerifierSession(stored: Array(stored.prefix(length))) }
    #expect(throws: (any Error).self) { try VerifierSession(stored: Array("{}".utf8)) }
  }

  @Test("A posted credential is read, with its data as received")
  func readsACredential() throws {
    let text = #"{"session":"7","protocol":"org-iso-mdoc","data":{ "response" : "AA" }}"#
    let answer = try SubmittedAnswer(credential: Array(text.utf8))
    #expect(answer.protocol == "org-iso-mdoc")
    #expect(String(decoding: answer.data, as: UTF8.self) == #"{ "response" : "AA" }"#)
    for other in ["", "[]", #"{"protocol":"org-iso-mdoc"}"#, #"{"protocol":1,"data":{}}"#] {
      #expect(throws: (any Error).self) { try SubmittedAnswer(credential: Array(other.utf8)) }
    }
  }
}
