import Foundation
import InteractiveWorlds
import Vocabulary

/// The roots that a server under test has to trust.
public enum SuiteRoots {
  /// The roots of the suite's issuing authorities, in PEM. The same seed gives the same keys.
  ///
  /// - Parameter folder: a folder for temporary files.
  /// - Throws: ``InteractiveWorldError``.
  public static func pem(seed: UInt64, folder: URL) throws(InteractiveWorldError) -> [UInt8] {
    try AnswerMaker(origin: "", seed: seed, sandbox: .inProcess, folder: folder).issuerRoots()
  }
}
