import Certificates
import DevicePlatform
import Ecosystem
import Foundation
import MobileDocument
import Primitives
import SimulationKernel

/// One selection as a table: what was asked and who signed, then a row for each app.
struct SelectorTable {
  /// The decision that says what was asked.
  let request: Decision
  let time: WorldClock.Instant
  /// The decisions about apps.
  var apps: [Decision] = []

  /// The conditions for offering an app, in the order of their checks.
  private enum Condition: Int, CaseIterable {
    case authorized, registered, entitled, requested, current, reader, issuer, useCase

    init(_ reason: NearMiss) {
      self =
        switch reason {
        case .appNotAuthorized: .authorized
        case .noRegistration: .registered
        case .typeNotEntitled: .entitled
        case .typeNotRequested: .requested
        case .registrationInvalidated: .current
        case .readerUnsigned, .readerNotTrusted: .reader
        case .issuerNotAccepted: .issuer
        case .useCaseUnsatisfied: .useCase
        }
    }

    var heading: String { self == .useCase ? "use case" : "\(self)" }
  }

  var lines: [String] { head + [""] + table }

  private func first(_ name: String, of decision: Decision) -> String? {
    decision.details.first { $0.name == name }?.value
  }

  private var head: [String] {
    let moment = DateTime(secondsSince1970: time.secondsSince1970).description
    var lines = ["\(moment.dropFirst(11).dropLast()) \(request.party.name): \(first("origin", of: request) ?? "") asks"]
    var isSigned = false
    for (position, detail) in request.details.enumerated() {
      switch detail.name {
      case "document type":
        let issuers = request.details[(position + 1)...].prefix { $0.name == "issuer" }.map(\.value)
        lines += field(
          "document",
          "\(detail.value), of \(issuers.isEmpty ? "any issuer" : "issuers " + issuers.joined(separator: ", "))")
      case "use case": lines += field("use case", detail.value)
      case "signer":
        lines += field("signed by", detail.value)
        isSigned = true
      case "authority": lines += field("authority", detail.value)
      default: continue
      }
    }
    if !isSigned { lines.append("  unsigned") }
    return lines + reading
  }

  /// With which certificates of a chain the lists of apps are compared.
  private var reading: [String] {
    switch first("reading", of: request).flatMap(Selection.AuthorityReading.init(rawValue:)) {
    case .root: field("compared", "the authority of each chain's topmost certificate (root)")
    case .anyInChain: field("compared", "the authority of every certificate (any-in-chain)")
    case nil: []
    }
  }

  private func field(_ label: String, _ value: String) -> [String] {
    "  \(label.padded(to: 9)) \(value)".wrapped(to: ExplainReport.width, hanging: 12)
  }

  private var table: [String] {
    if apps.isEmpty { return ["  The device has no apps."] }
    let headings = Condition.allCases.map(\.heading)
    // Each heading takes the space before it.
    let room = ExplainReport.width - 2 - headings.reduce(0) { $0 + $1.count + 1 }
    let names = apps.map { (first("app", of: $0) ?? "").wrapped(to: room, hanging: 0) }
    let column = names.joined().map(\.count).max() ?? 0
    var lines = [row("app", headings, column: column)]
    for (app, name) in zip(apps, names) {
      lines.append(row(name[0], marks(of: app), column: column))
      lines += name.dropFirst().map { "  \($0)" }
      lines += reasons(of: app)
    }
    let isAnyOffered = apps.contains { $0.outcome == "offered" }
    return lines + (isAnyOffered ? [] : ["  No app can answer."])
  }

  private func row(_ name: String, _ cells: [String], column: Int) -> String {
    let padded = zip(cells, Condition.allCases).map { $0.padded(to: $1.heading.count) }
    let line = "  \(name.padded(to: column)) \(padded.joined(separator: " "))"
    return line.replacing(#/\ +$/#, with: "")
  }

  private func marks(of app: Decision) -> [String] {
    guard app.outcome == "hidden" else { return Condition.allCases.map { _ in "yes" } }
    guard let failed = NearMiss(rawValue: app.code).map(Condition.init) else {
      return Condition.allCases.map { _ in "-" }
    }
    return Condition.allCases.map { $0 == failed ? "NO" : $0.rawValue < failed.rawValue ? "yes" : "-" }
  }

  private func reasons(of app: Decision) -> [String] {
    func indented(_ text: String) -> [String] { "    \(text)".wrapped(to: ExplainReport.width) }
    guard app.outcome == "hidden" else {
      let identifiers = app.details.filter { $0.name == "registration" }.map(\.value)
      let types = app.details.filter { $0.name == "document type" }.map(\.value)
      return zip(identifiers, types).flatMap { indented("offered: \($0), \($1)") }
    }
    let remedy = first("remedy", of: app).map { indented("it would appear: \($0)") } ?? []
    return indented("hidden: \(app.message) [\(app.code)]") + remedy
  }
}
