import COSE
import CaseSuites

/// Cases of device keys on other curves than P-256.
extension SuiteCatalogue {
  /// A curve that a device key may be on (ISO/IEC 18013-5, 9.1.3.6).
  private struct Curve {
    let name: String
    let curve: String
    let algorithm: COSEAlgorithm
    var twin: String { "genuine.device-\(name)" }
  }

  private static let curves = [
    Curve(name: "es384", curve: "P-384", algorithm: .es384),
    Curve(name: "es512", curve: "P-521", algorithm: .es512),
    Curve(name: "eddsa", curve: "Ed25519", algorithm: .edDSA),
  ]

  private static let clause = "ISO/IEC 18013-5, 9.1.3.6"

  private static func plan(_ curve: Curve, _ change: OutsidePlan.Change? = nil) -> VerifierCase.Play {
    .answer(AnswerPlan(outside: OutsidePlan(documents: [.init(deviceKey: curve.algorithm, change: change)])))
  }

  static let genuineDeviceKeys = curves.map { curve in
    VerifierCase(
      id: curve.twin, group: .genuine, title: "a license whose device key is on \(curve.curve)", clause: clause,
      expects: .accept, weight: .must, play: plan(curve))
  }

  private static func dishonest(
    _ curve: Curve, _ name: String, _ title: String, _ change: OutsidePlan.Change, _ weight: SuiteCase.Weight,
    finding: String
  ) -> VerifierCase {
    VerifierCase(
      id: "device-key.\(curve.name)-\(name)", group: .deviceSignature, title: title, clause: clause, expects: .refuse,
      weight: weight, findings: [finding], play: plan(curve, change), twin: curve.twin)
  }

  static let deviceKeys = curves.flatMap { curve in
    [
      dishonest(
        curve, "another-nonce", "a device key on \(curve.curve) signs for another nonce", .anotherNonce, .must,
        finding: "device.signature/invalid"),
      dishonest(
        curve, "another-key", "another device's key on \(curve.curve) signs", .anotherKey, .must,
        finding: "device.signature/invalid"),
      dishonest(
        curve, "names-es256", "a device key on \(curve.curve) signs, and the header names ES256", .namesES256, .should,
        finding: "device.algorithm"),
    ]
      + (curve.algorithm == .edDSA
        ? []
        : [
          dishonest(
            curve, "signs-es256", "a device key on \(curve.curve) signs with ES256, over SHA-256", .signsES256, .should,
            finding: "device.algorithm")
        ])
  }
}
