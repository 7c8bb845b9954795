import Certificates
import Checks
import JSON
import Primitives
import TrustLists
import X509

/// The certificates that files with roots and lists hold, with what is wrong with each.
public struct TrustInventory: Sendable {
  /// An input file.
  public struct File: Sendable {
    let name: String
    let bytes: [UInt8]

    /// Creates an input file.
    public init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  /// A certificate.
  struct Entry: Sendable {
    let subject: String
    let keyIdentifier: [UInt8]?
    let key: String
    let validity: (from: DateTime, until: DateTime)
    /// The types of documents that a list trusts it for; nil outside lists.
    let documentTypes: [String]?
    /// Broken rules of the profile of an issuing authority's root, and an expired validity period.
    let problems: [CheckResult]
  }

  /// The contents of one file.
  struct Source: Sendable {
    let name: String
    /// `certificates` or `VICAL`.
    var kind = "certificates"
    var entries: [Entry] = []
    /// The list; nil for certificates, and if it does not verify.
    var list: VICAL?
    /// The failed and deviating checks of the list.
    var checks: [CheckResult] = []
    /// The error of a file that cannot be read.
    var error: ExchangeFileError?
  }

  let sources: [Source]

  /// A Boolean value that indicates whether a file cannot be read.
  public var hasUnreadable: Bool { sources.contains { $0.error != nil } }

  /// A Boolean value that indicates whether a certificate or a list is refused.
  public var hasRefused: Bool {
    sources.contains { $0.checks.failure != nil || $0.entries.contains { $0.problems.failure != nil } }
  }

  /// Reads files.
  /// - Parameters:
  ///   - signers: The trusted certificates of the signers of lists; nil to accept the signer that each list names.
  ///   - moment: The time for which certificates and lists must be valid.
  public init(of files: [File], listSigners signers: TrustedCertificates?, at moment: DateTime) async {
    var sources: [Source] = []
    for file in files {
      sources.append(
        IssuerList.isList(file.bytes)
          ? await Self.list(file, signers: signers, at: moment) : Self.certificates(file, at: moment))
    }
    self.sources = sources
  }

  private static func certificates(_ file: File, at moment: DateTime) -> Source {
    var source = Source(name: file.name)
    do {
      let trusted = try CertificateFile.trusted(file.bytes, for: .documentSigner, name: file.name)
      source.entries =
        trusted.anchors.map { entry(CertificateFields($0), at: moment) }
        + trusted.unusable.map { entry($0, at: moment) }
    } catch {
      source.error = error.inFile(file.name)
    }
    return source
  }

  private static func list(_ file: File, signers: TrustedCertificates?, at moment: DateTime) async -> Source {
    var source = Source(name: file.name, kind: "VICAL")
    let received = UnverifiedVICAL(file.bytes)
    let report = await received.verified(
      trusting: signers ?? TrustedCertificates(Array(received.signerChain.prefix(1)), for: .listSigner), at: moment)
    source.list = report.list
    source.checks = report.checks.filter { $0.status.isFinding }
    if signers == nil, report.list != nil {
      source.checks.insert(
        VICALCheck.signer.notReached("the signer is the one that the list names: pass --vical-signer to verify it"),
        at: 0)
    }
    source.entries = report.trustedIssuers.anchors.map {
      entry(CertificateFields($0), documentTypes: report.trustedIssuers.documentTypes[$0], at: moment)
    }
    source.entries += report.trustedIssuers.unusable.map { entry($0, at: moment) }
    return source
  }

  private static func entry(_ fields: CertificateFields, documentTypes: [String]? = nil, at moment: DateTime) -> Entry {
    let profile: CertificateProfile = .issuingAuthorityRoot
    var problems = profile.check(fields).filter { $0.status.isFinding }
    if moment < fields.validity.from || fields.validity.until < moment {
      let code: CertificatePathError.Code = fields.validity.until < moment ? .expired : .notYetValid
      problems.insert(
        CheckResult(
          code.rawValue, .failed, message: "the certificate \(code == .expired ? "has expired" : "is not valid yet")"),
        at: 0)
    }
    return Entry(
      subject: fields.subject.description, keyIdentifier: fields.subjectKeyIdentifier, key: fields.key.name,
      validity: fields.validity, documentTypes: documentTypes, problems: problems)
  }
}

/// The inventory as text and as JSON.
extension TrustInventory {
  /// The inventory as text: each file, its certificates, and what is wrong with them.
  public var text: String { sources.flatMap(Self.lines).joined(separator: "\n") }

  private static func lines(of source: Source) -> [String] {
    if let error = source.error { return [TerminalSafe.text(error.description)] }
    let count = source.entries.count.counted("certificate")
    var lines = ["\(TerminalSafe.text(source.name)): \(source.kind), \(count)"]
    if let list = source.list {
      lines.append("  provider: \(TerminalSafe.text(list.provider))")
      lines.append("  issued: \(list.date)\(list.issueID.map { ", issue \($0)" } ?? "")")
      lines.append("  next update: \(list.nextUpdate?.description ?? "not given")")
    }
    lines += source.checks.map { "  \($0.status.rawValue): \(TerminalSafe.text($0.message)) [\($0.name)]" }
    for entry in source.entries {
      lines.append("  \(TerminalSafe.text(entry.subject))")
      lines.append("    key identifier: \(entry.keyIdentifier.map(hexadecimal) ?? "none")")
      lines.append("    key: \(TerminalSafe.text(entry.key))")
      lines.append("    valid: \(entry.validity.from) to \(entry.validity.until)")
      if let types = entry.documentTypes {
        lines.append("    documents: \(types.isEmpty ? "none" : TerminalSafe.text(types.joined(separator: ", ")))")
      }
      lines += entry.problems.map { "    \($0.status.rawValue): \(TerminalSafe.text($0.message)) [\($0.name)]" }
    }
    return lines
  }

  /// The inventory as one line of JSON.
  public var json: String {
    let value = JSONValue(members: [("files", .array(sources.map(Self.json)))])
    return String(decoding: value.bytes, as: UTF8.self)
  }

  private static func json(of source: Source) -> JSONValue {
    var members: [(String, JSONValue)] = [("file", .string(source.name)), ("kind", .string(source.kind))]
    members.append(("error", source.error.map { .string($0.message) } ?? .null))
    if let list = source.list {
      members += [
        ("provider", .string(list.provider)), ("date", .string(list.date.description)),
        ("issueID", list.issueID.map { .number(String($0)) } ?? .null),
        ("nextUpdate", list.nextUpdate.map { .string($0.description) } ?? .null),
      ]
    }
    members.append(("problems", .array(source.checks.map(json))))
    members.append(("certificates", .array(source.entries.map(json))))
    return JSONValue(members: members)
  }

  private static func json(of entry: Entry) -> JSONValue {
    JSONValue(members: [
      ("subject", .string(entry.subject)),
      ("keyIdentifier", entry.keyIdentifier.map { .string(hexadecimal($0)) } ?? .null), ("key", .string(entry.key)),
      ("validFrom", .string(entry.validity.from.description)),
      ("validUntil", .string(entry.validity.until.description)),
      ("docTypes", entry.documentTypes.map { .array($0.map(JSONValue.string)) } ?? .null),
      ("problems", .array(entry.problems.map(json))),
    ])
  }

  private static func json(of problem: CheckResult) -> JSONValue {
    JSONValue(members: [
      ("check", .string(problem.check)), ("reason", problem.reason.map(JSONValue.string) ?? .null),
      ("status", .string(problem.status.rawValue)), ("message", .string(problem.message)),
    ])
  }
}
