import Ecosystem
import Primitives
import ScenarioLanguage

/// Results of websites and requesting apps.
extension Judge {
  /// Another result of the same kind on the page of a website.
  func corrected(
    _ expected: WebsiteExpectation, on page: PageScreen?, called name: String
  ) throws(Uncorrectable) -> WebsiteExpectation {
    guard let page else { throw .otherKind("\(name) is empty") }
    var corrected = expected
    corrected.verified = try Self.corrected(expected.verified, on: page)
    corrected.refused = try Self.corrected(refusal: expected.refused, on: page)
    try Self.requireMissing(expected.without, on: page)
    corrected.explained = try Self.corrected(
      expected.explained, toOneOf: latestFailure(named: page.code)?.explanations ?? [])
    if expected.fallsBack != nil {
      guard let exception = page.exception else { throw .otherKind(page.result) }
      corrected.fallsBack = exception
    }
    if let step = expected.step, step != page.step {
      guard step.isVerified == page.step.isVerified else {
        throw .otherKind("the page shows the step '\(page.step.rawValue)'")
      }
      corrected.step = page.step
    }
    if let form = expected.form {
      let found = page.form.map { $0.refusal ?? "offered" }
      guard let found, found == form || found != "offered" && form != "offered" else {
        throw .otherKind(found.map { "the form is '\($0)'" } ?? "the page has no form")
      }
      corrected.form = found
    }
    corrected.mentions = try Self.corrected(expected.mentions, in: page.text)
    return corrected
  }

  /// Another result of the same kind in a requesting app.
  /// - Parameter app: The app opened last.
  func corrected(
    _ expected: InAppExpectation, view: PersonView, app: String?
  ) throws(Uncorrectable) -> InAppExpectation {
    guard let name = expected.name ?? app else { throw Uncorrectable("no requesting app is open") }
    guard let screen = view.screen(ofRequestingApp: name, on: device) else { throw .otherKind("\(name) is empty") }
    if let isAvailable = expected.isAvailable {
      let found = recent.compactMap(\.event.note).last { $0.code == .requestingAppAvailability }?.value
      guard found == "\(isAvailable)" else { throw .otherKind("canRequestDocument returned \(found ?? "nothing")") }
    }
    var corrected = expected
    if expected.error != nil {
      guard let error = screen.error else { throw .otherKind(screen.result) }
      corrected.error = error
    }
    corrected.verified = try Self.corrected(expected.verified, on: screen)
    corrected.refused = try Self.corrected(refusal: expected.refused, on: screen)
    try Self.requireMissing(expected.without, on: screen)
    return corrected
  }

  private static func corrected(
    _ verified: [Named<String>]?, on page: PageScreen
  ) throws(Uncorrectable) -> [Named<String>]? {
    guard var corrected = verified else { return nil }
    guard page.verdict == "verified" else { throw .otherKind(page.result) }
    for (place, element) in corrected.enumerated() {
      let values = (page.verified ?? []).filter { $0.identifier == element.name }.map(\.value).uniqued()
      guard let value = values.first else {
        throw Uncorrectable("\(element.name) is not among the verified elements, so its expectation would be lost")
      }
      if element.value == "present" || values == [element.value] { continue }
      guard values.count == 1 else { throw Uncorrectable("the page shows several values of \(element.name)") }
      corrected[place].value = value
    }
    return corrected
  }

  private static func corrected(refusal expected: String?, on page: PageScreen) throws(Uncorrectable) -> String? {
    guard let expected else { return nil }
    guard page.verdict == "refused", let code = page.code else { throw .otherKind(page.result) }
    return corrected(expected, toName: code)
  }

  private static func requireMissing(_ without: [String]?, on page: PageScreen) throws(Uncorrectable) {
    guard let without else { return }
    if let name = without.first(where: { name in page.verified?.contains { $0.identifier == name } ?? false }) {
      throw Uncorrectable("\(name) is among the verified elements, so its expectation would be lost")
    }
  }
}

extension CheckoutStep {
  /// True after the identity was verified.
  fileprivate var isVerified: Bool {
    switch self {
    case .summary, .ordered: true
    case .selection, .identity, .review: false
    }
  }
}

extension PageScreen {
  /// The result on the screen, in words.
  fileprivate var result: String {
    if let verdict { return "the response is \(verdict)\(code.map { " [\($0)]" } ?? "")" }
    if let exception { return "the call threw \(exception)" }
    if let error { return "the request threw \(error)" }
    return "the result is not there yet"
  }
}
