import CaseSuites
import Crypto
import ExchangeFiles
import Foundation
import JSON
import OwnWallets
import Primitives

/// The suite as a folder, for libraries that no program speaks for: requests in `cases`, answers in `answers`.
///
/// ```
/// suite.json          the seed and the time, from which the keys that open the answers follow
/// wallet.json         the documents with their device keys, and the roots to trust
/// cases/ID.json       a request
/// answers/ID.json     what the library made of it
/// ```
public struct WalletFiles {
  private let seed: UInt64
  private let moment: DateTime
  private let authorities: WalletAuthorities
  private var folder = ""

  /// A folder to be written.
  /// - Throws: ``SuiteFolderError``.
  public init(seed: UInt64, at moment: DateTime) throws(SuiteFolderError) {
    self.seed = seed
    self.moment = moment
    do { authorities = try WalletAuthorities(seed: seed, moment: moment) } catch {
      throw SuiteFolderError(.made, "the suite's certificates cannot be made", evidence: "\(error)")
    }
  }

  /// A folder that was written.
  /// - Throws: ``SuiteFolderError``.
  public init(readingFrom folder: String) throws(SuiteFolderError) {
    try SuiteFile.requireFolder(folder)
    let json = try SuiteFile.read("\(folder)/suite.json")
    guard let seed = json?.member("seed")?.text.flatMap(UInt64.init),
      let moment = json?.member("moment")?.text.flatMap({ DateTime.parse($0)?.0 })
    else { throw SuiteFolderError(.content, "no file suite.json with seed and moment", at: folder) }
    try self.init(seed: seed, at: moment)
    self.folder = folder
  }

  /// The files to write.
  /// - Throws: ``SuiteFolderError``.
  public func contents(of cases: [WalletCase]) throws(SuiteFolderError) -> [SuiteFile] {
    var files: [SuiteFile] = []
    for found in cases {
      guard let request = try request(of: found) else { continue }
      let value = JSONValue(
        members: [("id", .string(found.id)), ("title", .string(found.title))]
          + (request.origin.map { [("origin", .string($0))] } ?? [])
          + [("partial", request.partial.json), ("raw", .string(request.raw))])
      files.append(SuiteFile(path: "cases/\(found.id).json", value))
    }
    let suite = JSONValue(members: [("seed", .string("\(seed)")), ("moment", .string("\(moment)"))])
    files.append(SuiteFile(path: "wallet.json", try wallet, isSecret: true))
    return files + [SuiteFile(path: "suite.json", suite)]
  }

  private func request(of found: WalletCase) throws(SuiteFolderError) -> MadeRequest? {
    guard let plan = found.plan else { return nil }
    do { return try plan.made(by: authorities, label: "files/\(found.id)") } catch {
      throw SuiteFolderError(.made, "the request of '\(found.id)' cannot be made", evidence: "\(error)")
    }
  }

  /// The contents of a wallet: the suite makes the device keys, because a library has no program that could.
  private var wallet: JSONValue {
    get throws(SuiteFolderError) {
      do {
        let documents = try SuiteDocument.allCases.map { document in
          var stream = authorities.stream("files/\(document)")
          let key = try P256.Signing.PrivateKey(rawRepresentation: stream.bytes(32))
          let agreement = try P256.KeyAgreement.PrivateKey(rawRepresentation: key.rawRepresentation)
          let issued = try authorities.issued(document, for: key.publicKey, label: "files/\(document)")
          return JSONValue(members: [
            ("documentType", .string(document.type)), ("document", .string(Base64URL.encode(issued))),
            ("deviceKey", PrivateKeyFile.jwk(agreement)),
          ])
        }
        return JSONValue(members: [
          ("time", .string("\(moment)")), ("documents", .array(documents)),
          ("readerRoots", .array([.string(Base64URL.encode(authorities.readerRoot))])),
          ("issuerRoots", .array([.string(Base64URL.encode(authorities.issuerRoot))])),
          ("revocationLists", .array([.string(Base64URL.encode(try authorities.revocationList))])),
        ])
      } catch {
        throw SuiteFolderError(.made, "the suite's documents cannot be made", evidence: "\(error)")
      }
    }
  }

  /// Judges the answers.
  /// - Throws: ``SuiteFolderError``.
  public func judged(_ cases: [WalletCase]) throws(SuiteFolderError) -> SuiteResult {
    let judge = WalletJudge(moment: moment)
    var result = SuiteResult(of: WalletCatalogue.suite, target: folder, planned: cases.count)
    guard let twin = WalletCatalogue.all.first(where: { $0.plan != nil }), let request = try request(of: twin) else {
      return result
    }
    let genuine = reaction(of: twin, to: request, judge)
    guard case .answered = genuine.kind else {
      result.stop = SuiteStop(
        .genuineRefused, "the wallet does not answer the genuine request '\(twin.id)'", details: [genuine.words])
      return result
    }
    for found in cases {
      guard let request = try self.request(of: found) else {
        result.outcomes.append(found.about.outcome(.notTested, "the case needs a program"))
        continue
      }
      result.outcomes.append(judge.outcome(of: found.about, reaction(of: found, to: request, judge), to: request))
    }
    return result
  }

  /// The reaction in the file of a case.
  private func reaction(of found: WalletCase, to request: MadeRequest, _ judge: WalletJudge) -> WalletReaction {
    let path = "\(folder)/answers/\(found.id).json"
    let read: JSONValue?
    do { read = try SuiteFile.read(path) } catch { return WalletReaction(.missing("\(error)")) }
    guard let json = read else { return WalletReaction(.missing("there is no file \(path)")) }
    do throws(WalletFailure) {
      let answer = WalletAnswer(json)
      var view: WalletView?
      if json.member("shows") != nil, case .given(let shown) = try answer.view() { view = shown }
      // A library has no view: what it answers is what it would show.
      var reaction = WalletReaction(try answer.response(), judge, request, shown: view?.elements)
      reaction.warning = view?.warning
      return reaction
    } catch {
      return WalletReaction(error)
    }
  }
}
