import Foundation
import Storage

/// `RegistrationStressTool PATH SEED FIRST`: makes the changes from a number on until it is killed. Prints `begin N`
/// before a change and `ack N` after it, each in one write.
@main
struct ChurnCommand {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let seed = UInt64(arguments[2]), let first = Int(arguments[3]) else {
      say("usage: RegistrationStressTool PATH SEED FIRST")
      exit(2)
    }
    let database = try RegistrationDatabase(at: arguments[1])
    for app in Churn.apps where try database.status(of: app) == nil {
      try database.install(app, entitlement: [], status: .authorized)
    }
    let churn = Churn(seed: seed)
    for number in first... {
      let (app, change) = churn.change(number)
      say("begin \(number)")
      try Churn.perform(change, of: app, in: database)
      say("ack \(number)")
    }
  }

  private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
