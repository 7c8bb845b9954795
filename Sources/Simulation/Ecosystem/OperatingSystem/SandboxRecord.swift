import Checks
import Crypto
import DevicePlatform
import Messaging
import MobileDocument
import Primitives
import WebPresentment

/// The journal's details of a request in the sandbox: the input, the output and the withheld parts. They contain no
/// bytes that an app might not see yet: only digests and the contents of the partial request.
enum SandboxRecord {
  /// The maximum number of listed identifiers of a name space: more than a document has, fewer than an attacker may
  /// send.
  static let maximumIdentifiers = 64

  static func input(_ call: [UInt8]) -> [CheckResult.Evidence] {
    guard let body = JSONBody.decode(ParseBody.self, from: call), let data = Base64URL.decode(body.requestData) else {
      return [CheckResult.Evidence("in", found: "\(call.count) bytes that are not a call")]
    }
    return [
      CheckResult.Evidence("in", found: "\(data.count) bytes"),
      CheckResult.Evidence("in: SHA-256", found: hexadecimal(SHA256.hash(data: data))),
      CheckResult.Evidence("in: origin", found: body.origin),
    ]
  }

  static func output(_ partial: PartialRequestBody) -> [CheckResult.Evidence] {
    var evidence: [CheckResult.Evidence] = []
    for (position, useCase) in partial.useCases.enumerated() {
      let number =
        partial.useCases.count == 1 ? "" : " of \(useCase.isMandatory ? "" : "optional ")use case \(position + 1)"
      for (index, set) in useCase.sets.enumerated() {
        let choice = useCase.sets.count == 1 ? "" : ", choice \(index + 1)"
        evidence += set.flatMap { documentEvidence($0, "out: document\(number)\(choice)") }
      }
    }
    for chain in partial.chains {
      let leaf = chain.first.flatMap { Base64URL.decode($0) } ?? []
      evidence.append(
        CheckResult.Evidence(
          "out: reader chain",
          found: "\(chain.count == 1 ? "1 certificate" : "\(chain.count) certificates"), "
            + "SHA-256 of the first \(hexadecimal(SHA256.hash(data: leaf)))"))
    }
    evidence += partial.findings.map { CheckResult.Evidence("out: finding", found: $0) }
    evidence.append(
      CheckResult.Evidence(
        "withheld", found: "the raw request, its signatures and the encryption information with nonce and key"))
    return evidence
  }

  static func output(_ refusal: SandboxRefusalBody) -> [CheckResult.Evidence] {
    [CheckResult.Evidence("out", found: refusal.code)]
      + refusal.evidence.map(\.evidence) + [CheckResult.Evidence("withheld", found: "everything")]
  }

  private static func documentEvidence(_ document: PartialRequestBody.Document, _ name: String) -> [CheckResult
    .Evidence]
  {
    document.nameSpaces.sorted { $0.key < $1.key }.map { nameSpace, elements in
      let names = elements.sorted { $0.key < $1.key }.map { $0.value ? "\($0.key) (retained)" : $0.key }
      let shown = names.prefix(maximumIdentifiers).joined(separator: ", ")
      let rest = names.count > maximumIdentifiers ? " and \(names.count - maximumIdentifiers) more" : ""
      return CheckResult.Evidence(name, found: "\(document.documentType), \(nameSpace): \(shown)\(rest)")
    }
  }
}
