import Crypto
import DevicePlatform
import MobileDocument
import Primitives
import SimulationKernel
import WebPresentment

/// The journal's details of a request in the sandbox: the input, the output and the withheld parts. They contain no
/// bytes that an app might not see yet: only digests and the contents of the partial request.
enum SandboxRecord {
  /// The maximum number of listed identifiers of a name space: more than a document has, fewer than an attacker may
  /// send.
  static let maximumIdentifiers = 64

  static func input(_ call: [UInt8]) -> [Decision.Detail] {
    guard let body = JSONBody.decode(ParseBody.self, from: call), let data = Base64URL.decode(body.requestData) else {
      return [Decision.Detail("in", "\(call.count) bytes that are no call")]
    }
    return [
      Decision.Detail("in", "\(data.count) bytes"),
      Decision.Detail("in: SHA-256", hexadecimal(SHA256.hash(data: data))),
      Decision.Detail("in: origin", body.origin),
    ]
  }

  static func output(_ partial: PartialRequestBody) -> [Decision.Detail] {
    var details: [Decision.Detail] = []
    for (position, useCase) in partial.useCases.enumerated() {
      let number =
        partial.useCases.count == 1 ? "" : " of \(useCase.isMandatory ? "" : "optional ")use case \(position + 1)"
      for (index, set) in useCase.sets.enumerated() {
        let choice = useCase.sets.count == 1 ? "" : ", choice \(index + 1)"
        details += set.flatMap { documentDetails($0, "out: document\(number)\(choice)") }
      }
    }
    for chain in partial.chains {
      let leaf = chain.first.flatMap { Base64URL.decode($0) } ?? []
      details.append(
        Decision.Detail(
          "out: reader chain",
          "\(chain.count == 1 ? "1 certificate" : "\(chain.count) certificates"), "
            + "SHA-256 of the first \(hexadecimal(SHA256.hash(data: leaf)))"))
    }
    details += partial.findings.map { Decision.Detail("out: finding", $0) }
    details.append(
      Decision.Detail("withheld", "the raw request, its signatures and the encryption information with nonce and key"))
    return details
  }

  static func output(_ refusal: SandboxRefusalBody) -> [Decision.Detail] {
    [Decision.Detail("out", refusal.code)]
      + evidence(of: refusal) + [Decision.Detail("withheld", "everything")]
  }

  private static func evidence(of refusal: SandboxRefusalBody) -> [Decision.Detail] {
    // What differs by a mistake that was found is told side by side.
    if refusal.evidence.contains(where: { $0.field == Explanation.field }) {
      return refusal.evidence.flatMap(\.evidence.details)
    }
    return refusal.evidence.map {
      Decision.Detail(
        $0.field, [$0.expected.map { "expected \($0)" }, $0.found].compactMap { $0 }.joined(separator: ", "))
    }
  }

  private static func documentDetails(_ document: PartialRequestBody.Document, _ name: String) -> [Decision.Detail] {
    document.nameSpaces.sorted { $0.key < $1.key }.map { nameSpace, elements in
      let names = elements.sorted { $0.key < $1.key }.map { $0.value ? "\($0.key) (retained)" : $0.key }
      let shown = names.prefix(maximumIdentifiers).joined(separator: ", ")
      let rest = names.count > maximumIdentifiers ? " and \(names.count - maximumIdentifiers) more" : ""
      return Decision.Detail(name, "\(document.documentType), \(nameSpace): \(shown)\(rest)")
    }
  }
}
