import CaseSuites
import ExchangeFiles
import Foundation
import InteractiveWorlds
import JSON
import OwnServers
import Primitives
import Vocabulary

/// The suite as a folder, for libraries that no server uses: exchanges in `cases`, verdicts in `verdicts`.
///
/// ```
/// cases/ID.json       an exchange: origin, request, the key that opens the answer, roots to trust, and the answer
/// verdicts/ID.json    what the library made of it
/// ```
public enum VerifierFiles {
  private static let origin = "https://shop.example"

  /// Elements of every type, so that every mistake has room in an answer.
  static let elements = [
    "family_name:retain", "given_name", "birth_date", "issue_date", "expiry_date", "issuing_country",
    "issuing_jurisdiction", "document_number", "portrait", "driving_privileges", "un_distinguishing_sign", "sex",
    "height", "eye_colour", "resident_city", "resident_state", "nationality", "age_over_18", "age_over_21",
  ].map { "org.iso.18013.5.1:\($0)" }

  /// Elements of a photo ID.
  static let elementsOfPhotoID = ["family_name", "given_name", "age_over_18"].map { "org.iso.23220.1:\($0)" }

  /// The number of requests in which a mistake is tried: one drawn at random may leave no room for it.
  private static let tries = 4

  /// The files to write. Cases of sessions and calls have none, and neither has a mistake that changes nothing here.
  ///
  /// - Parameters:
  ///   - seed: The seed of keys and certificates.
  ///   - folder: A folder for temporary files, which only the owner may read.
  /// - Throws: ``SuiteFolderError``.
  public static func contents(
    of cases: [VerifierCase], seed: UInt64, sandbox: WorldDescription.SandboxPlace, folder: URL
  ) throws(SuiteFolderError) -> [SuiteFile] {
    do {
      let answers = AnswerMaker(origin: origin, seed: seed, sandbox: sandbox, folder: folder)
      let oracle = SuiteOracle(answers: answers, roots: try answers.issuerRoots())
      let license = try RequestedElements.items(documentType: SuiteWorld.Kind.license.rawValue, elements: elements)
      let photoID = try RequestedElements.items(
        documentType: SuiteWorld.Kind.photoID.rawValue, elements: elementsOfPhotoID)
      var files: [SuiteFile] = []
      var number = 0
      for found in cases {
        // A library looks at a file later than a server at an answer.
        guard case .answer(let plan) = found.play, plan.issuedBefore == 0 else { continue }
        var mistake: String?
        for _ in 0..<tries {
          number += 1
          let documents = plan.outside?.needsSeveral == true ? [license, photoID] : [license]
          let request = RequestBuilder(origin: try RequestBuilder.origin(origin), documents: documents, readers: [])
          let options = try JSONReader.read(try request.drawn().page)
          let finding = oracle.finding(of: found, plan, options: options, number: number)
          if finding.isOwnMistake { mistake = finding.obstacle }
          guard finding.obstacle == nil, let exchange = finding.exchange else { continue }
          mistake = nil
          files.append(SuiteFile(path: "cases/\(found.id).json", try JSONReader.read(exchange), isSecret: true))
          break
        }
        // For example the system's clock was set back meanwhile. A case is not left out without a word.
        if let mistake { throw SuiteFolderError(.made, "the answer of \(found.id) cannot be made", evidence: mistake) }
      }
      return files
    } catch let error as SuiteFolderError {
      throw error
    } catch {
      throw SuiteFolderError(.made, "the suite's answers cannot be made", evidence: "\(error)")
    }
  }

  /// Judges the verdicts in a folder.
  /// - Throws: ``SuiteFolderError``.
  public static func judged(_ cases: [VerifierCase], in folder: String) throws(SuiteFolderError) -> SuiteResult {
    try SuiteFile.requireFolder(folder)
    var result = SuiteResult(of: SuiteCatalogue.suite, target: folder, planned: cases.count)
    result.subject = subject
    let twin = reaction(to: SuiteCatalogue.twin, in: folder).reaction
    guard case .accepted = twin else {
      result.stop = SuiteStop(
        .genuineRefused, "the library does not accept the genuine answer '\(SuiteCatalogue.twin)'",
        details: [twin.words(of: subject)])
      return result
    }
    for found in cases {
      do {
        result.outcomes.append(try outcome(of: found, in: folder))
      } catch {
        result.outcomes.append(found.about.outcome(.unclear, "\(error)"))
      }
    }
    return result
  }

  /// The kind of program that is judged.
  private static let subject = "library"

  private static func outcome(of found: VerifierCase, in folder: String) throws(SuiteFolderError) -> CaseOutcome {
    guard let exchange = try SuiteFile.read("\(folder)/cases/\(found.id).json") else {
      return found.about.outcome(.notTested, "the folder has no file of the case")
    }
    if let twin = found.twin {
      let reaction = reaction(to: twin, in: folder).reaction
      guard case .accepted = reaction else {
        return found.about.outcome(.notTested, CaseOutcome.withoutTwin(twin, reaction, of: subject))
      }
    }
    let (reaction, reason) = reaction(to: found.id, in: folder)
    var outcome = CaseOutcome(suiteCase: found.about, reaction, of: subject)
    outcome.reason = reason
    outcome.exchange = exchange.indented
    return outcome
  }

  private static func reaction(to id: String, in folder: String) -> (reaction: ServerReaction, reason: String?) {
    let path = "\(folder)/verdicts/\(id).json"
    let read: JSONValue?
    do { read = try SuiteFile.read(path) } catch { return (.unclear("\(error)"), nil) }
    guard let json = read else { return (.unclear("there is no file \(path)"), nil) }
    let reason = json.member("reason")?.text.map { TerminalSafe.line($0) }
    switch json.member("accepted") {
    case .boolean(true)?: return (.accepted, reason)
    case .boolean(false)?: return (.refused, reason)
    default: return (.unclear("\(path) does not say \"accepted\": true or false"), reason)
    }
  }
}
