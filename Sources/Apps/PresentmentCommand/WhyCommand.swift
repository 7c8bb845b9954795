import ArgumentParser
import CommandSupport
import DigitalCredentials

/// Prints the causes of an exception.
struct WhyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Print the causes of an exception, the most likely first.",
    discussion: """
      A page sees the name of an exception, for example NotAllowedError, and one name has several causes. Each cause \
      comes with the browsers in which it has this name, what to do about it, and the scenario that shows it.
      """)

  @Argument(help: "The name of the exception, for example NotAllowedError.")
  var name: String

  @Option(help: "Only the causes in this browser profile.")
  var profile: String?

  func validate() throws {
    if let profile, BrowserProfile.named(profile) == nil { throw ValidationError(BrowserProfile.unknown(profile)) }
    guard ExceptionName.standard.contains(where: { $0.text == name }) else {
      let known = ExceptionName.standard.map(\.text)
      let meant = known.first { $0.lowercased() == name.lowercased() || $0.lowercased() == "\(name.lowercased())error" }
      throw ValidationError(
        "unknown exception '\(name)'; "
          + (meant.map { "did you mean '\($0)'?" } ?? "available: \(known.joined(separator: ", "))"))
    }
  }

  func run() {
    let chosen = profile.flatMap(BrowserProfile.named)
    let name = ExceptionName(name)
    let causes = ExceptionSituation.causes(of: name, in: chosen)
    guard !causes.isEmpty else {
      StandardOutput.print(
        "\(name): \(chosen.map { "\($0.name) does" } ?? "the browsers do") not reject a call with this name")
      return
    }
    for (index, cause) in causes.enumerated() {
      let browsers = BrowserProfile.all.filter { cause.exceptionName(in: $0) == name }.map(\.name)
      StandardOutput.print("\(index + 1). \(cause.text)")
      StandardOutput.print("   code   \(cause.finding.name)")
      StandardOutput.print("   in     \(browsers.joined(separator: ", "))")
      StandardOutput.print("   do     \(cause.advice)")
      if let scenario = cause.scenario {
        // A browser has a case with its name.
        let only = chosen.map { " --case \($0.name)" } ?? ""
        StandardOutput.print("   shown  presentment run \(scenario)\(only)")
      }
    }
  }
}
