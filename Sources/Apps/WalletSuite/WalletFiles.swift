import CaseSuites
import Crypto
import ExchangeFiles
import Foundation
import JSON
import Primitives

/// The error of a folder of requests and answers.
public typealias WalletFilesError = CodedFailure<WalletFilesErrorCode>

/// The kinds of errors.
public enum WalletFilesErrorCode: String, Sendable {
  /// A file or a folder cannot be read or written.
  case unreadable = "wallet-files.unreadable"
  /// The folder is not one that the suite wrote.
  case content = "wallet-files.content"
  /// The certificates of the suite cannot be made.
  case made = "wallet-files.certificates"
}

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

  /// The longest file: an answer with a large portrait in base64url.
  private static let fileBytes = 8 << 20

  /// A folder to be written.
  /// - Throws: ``WalletFilesError``.
  public init(seed: UInt64, at moment: DateTime) throws(WalletFilesError) {
    self.seed = seed
    self.moment = moment
    do { authorities = try WalletAuthorities(seed: seed, moment: moment) } catch {
      throw WalletFilesError(.made, "the suite's certificates cannot be made", evidence: "\(error)")
    }
  }

  /// A folder that was written.
  /// - Throws: ``WalletFilesError``.
  public init(readingFrom folder: String) throws(WalletFilesError) {
    let json = try Self.read("\(folder)/suite.json")
    guard let seed = json?.member("seed")?.text.flatMap(UInt64.init),
      let moment = json?.member("moment")?.text.flatMap({ DateTime.parse($0)?.0 })
    else { throw WalletFilesError(.content, "no file suite.json with seed and moment", at: folder) }
    try self.init(seed: seed, at: moment)
    self.folder = folder
  }

  /// A file of the folder.
  public struct File: Sendable {
    /// The path in the folder.
    public let path: String
    /// The content.
    public let bytes: [UInt8]
    /// True if a private key is in it.
    public let isSecret: Bool
  }

  /// The files to write, of which the folders are `cases` and `answers`.
  /// - Throws: ``WalletFilesError``.
  public func contents(of cases: [WalletCase]) throws(WalletFilesError) -> [File] {
    var files: [File] = []
    for found in cases {
      guard let request = try request(of: found) else { continue }
      let value = JSONValue(
        members: [("id", .string(found.id)), ("title", .string(found.title))]
          + (request.origin.map { [("origin", .string($0))] } ?? [])
          + [("partial", request.partial), ("raw", .string(request.raw))])
      files.append(File(path: "cases/\(found.id).json", bytes: value.indented, isSecret: false))
    }
    let suite = JSONValue(members: [("seed", .string("\(seed)")), ("moment", .string("\(moment)"))])
    files.append(File(path: "wallet.json", bytes: try wallet.indented, isSecret: true))
    return files + [File(path: "suite.json", bytes: suite.indented, isSecret: false)]
  }

  private func request(of found: WalletCase) throws(WalletFilesError) -> MadeRequest? {
    guard let plan = found.plan else { return nil }
    do { return try plan.made(by: authorities, label: "files/\(found.id)") } catch {
      throw WalletFilesError(.made, "the request of '\(found.id)' cannot be made", evidence: "\(error)")
    }
  }

  /// What a wallet holds: the suite makes the device keys, because a library has no program that could.
  private var wallet: JSONValue {
    get throws(WalletFilesError) {
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
          ("readerRoots", .array([.string(Base64URL.encode(try authorities.readerRoot))])),
          ("issuerRoots", .array([.string(Base64URL.encode(try authorities.issuerRoot))])),
        ])
      } catch {
        throw WalletFilesError(.made, "the suite's documents cannot be made", evidence: "\(error)")
      }
    }
  }

  /// Judges the answers.
  /// - Throws: ``WalletFilesError``.
  public func judged(_ cases: [WalletCase]) throws(WalletFilesError) -> SuiteResult {
    let judge = WalletJudge(moment: moment)
    var result = SuiteResult(of: WalletCatalogue.suite, target: folder, planned: cases.count)
    guard let twin = WalletCatalogue.all.first(where: { $0.plan != nil }), let request = try request(of: twin) else {
      return result
    }
    let genuine = try reaction(of: twin, to: request, judge)
    guard case .answered = genuine.kind else {
      result.stop = SuiteStop(
        .genuineRefused, "the wallet does not answer the genuine request '\(twin.id)'", details: [genuine.words])
      return result
    }
    for found in cases {
      guard let request = try self.request(of: found) else {
        result.outcomes.append(
          CaseOutcome(suiteCase: found.about, verdict: .notTested, detail: "the case needs a program"))
        continue
      }
      result.outcomes.append(
        judge.outcome(of: found.about, try reaction(of: found, to: request, judge), to: request))
    }
    return result
  }

  /// The reaction in the file of a case.
  private func reaction(
    of found: WalletCase, to request: MadeRequest, _ judge: WalletJudge
  ) throws(WalletFilesError) -> WalletReaction {
    let path = "\(folder)/answers/\(found.id).json"
    guard let json = try Self.read(path) else { return WalletReaction(.missing("there is no file \(path)")) }
    do throws(WalletFailure) {
      var view: WalletSession.View?
      if json.member("shows") != nil, case .shown(let shown) = try WalletSession.Reaction(json, number: 0) {
        view = shown
      }
      var reaction: WalletReaction
      switch try WalletSession.Answer(json) {
      case .refused(let reason): reaction = WalletReaction(.refused(reason))
      case .answered(let text):
        // A library has no view: what it answers is what it would show.
        let opened = judge.opened(text, to: request)
        reaction = WalletReaction(.answered(opened, shown: view?.elements ?? opened.elements))
      }
      reaction.warning = view?.warning
      return reaction
    } catch {
      return WalletReaction(error)
    }
  }

  // MARK: Files

  /// Reads a file; nil if it does not exist.
  private static func read(_ path: String) throws(WalletFilesError) -> JSONValue? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let kind = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    guard kind == .typeRegular, let handle = FileHandle(forReadingAtPath: path),
      let data = try? handle.read(upToCount: fileBytes + 1)
    else { throw WalletFilesError(.unreadable, "the file cannot be read", at: path) }
    guard data.count <= fileBytes else {
      throw WalletFilesError(.content, "the file is longer than \(fileBytes) bytes", at: path)
    }
    do { return try JSONReader.read([UInt8](data)) } catch {
      throw WalletFilesError(.content, error, at: path)
    }
  }
}
