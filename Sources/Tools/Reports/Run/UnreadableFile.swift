import JSON
import LocatedYAML

/// A file that could not be read, so that its cases are unknown.
public struct UnreadableFile: Sendable, Equatable {
  /// One problem of the file.
  public struct Problem: Sendable, Equatable {
    /// The kind of problem.
    public var code: String
    /// The problem as a message.
    public var message: String
    /// The place, which can be in another file, for example the world's.
    public var place: ReportedPlace
    /// The whole text that `run` prints.
    public var detail: String
  }

  /// The place of the file among all cases and unreadable files of the whole run, from 1.
  public var number: Int
  /// The file, as it was named.
  public var path: String
  /// The problems, the first one first; at least one.
  public var problems: [Problem]
  /// The number of further problems.
  public var omitted: Int

  /// The texts of all problems, as `run` prints them.
  public var detail: String {
    (problems.map(\.detail) + (omitted > 0 ? ["and \(omitted) more"] : [])).joined(separator: "\n\n")
  }
}

extension UnreadableFile {
  /// A file with its problems.
  ///
  /// - Parameters:
  ///   - number: The place of the file among all cases and unreadable files of the whole run, from 1.
  ///   - path: The file, as it was named.
  public init(_ problems: ProblemCollector, path: String, number: Int) {
    self.init(problems.problems, omitted: problems.omitted, path: path, number: number)
  }

  /// A file with its problems, and the number of further ones.
  public init(_ problems: [SourceProblem], omitted: Int = 0, path: String, number: Int) {
    self.number = number
    self.path = path
    self.problems = problems.map(Problem.init)
    self.omitted = omitted
  }
}

extension UnreadableFile.Problem {
  /// A problem of a file.
  init(_ problem: SourceProblem) {
    code = problem.code.rawValue
    message = problem.message
    place = problem.position.map(ReportedPlace.init) ?? ReportedPlace(path: problem.path)
    detail = problem.rendered()
  }
}

extension UnreadableFile: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member("number", \.number), Member("path", \.path), Member("problems", \.problems),
    Member("omitted", \.omitted)
  ).checking { (file, json) throws(JSONError) in
    guard file.number > 0 else { throw json.error("the number of a file is 1 or more") }
    guard !file.problems.isEmpty else { throw json.error("an unreadable file needs a problem") }
  }
}

extension UnreadableFile.Problem: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member("code", \.code), Member("message", \.message), Member("place", \.place),
    Member("detail", \.detail))
}
