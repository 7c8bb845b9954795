import Certificates
import MobileDocument
import Primitives
import ScenarioLanguage
import ScenarioRunner

/// The roots of a world's issuing authorities, for verifiers outside the world.
public enum IssuerRoots {
  /// The roots in PEM, in the order of the authorities' names in the world. The same seed gives the same keys.
  ///
  /// - Parameters:
  ///   - path: the file of a world, or of a scenario.
  ///   - seed: the seed of the world; its own when nil.
  ///   - moment: the time from which the roots are valid.
  /// - Throws: ``InteractiveWorldError`` if the world does not exist or cannot be read.
  public static func pem(ofWorldAt path: String, seed: UInt64?, moment: DateTime) throws(InteractiveWorldError)
    -> [UInt8]
  {
    let scenario = try DemoConfiguration(path: path).scenario().beginning(at: moment)
    let run: ScenarioRun
    do throws(ScenarioRun.Stop) {
      run = try ScenarioRun(scenario, seed: seed)
    } catch {
      throw InteractiveWorldError(error)
    }
    defer { run.end() }
    return pem(run.world.issuerRoots)
  }

  /// Roots by the names of their authorities, in PEM.
  static func pem(_ roots: [String: [UInt8]]) -> [UInt8] {
    CertificateChain.pem(roots.sorted { $0.key < $1.key }.map(\.value))
  }
}

extension WalletResponse {
  /// The roots of the issuing authorities in PEM, in the order of the authorities' names in the world.
  public var issuerRootsPEM: [UInt8] { IssuerRoots.pem(issuerRoots) }
}
