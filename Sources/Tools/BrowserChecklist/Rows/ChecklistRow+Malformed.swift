import DigitalCredentials

extension ChecklistRow {
  private typealias Options = ChecklistOptions
  private typealias Vectors = RequestVectors

  /// Section 11 of the checklist: malformed and mixed requests, encryption information, origins.
  static let malformed: [ChecklistRow] = bytes + encryption + mixed + binding

  private static func call(_ requests: [String], in name: String = "page") -> [Step] {
    [.gesture(name), .call(.get, Options.digital(requests), in: name), .abort(1)]
  }

  private static let dropped = Difference.emptyChooser("AbortError") + Difference.leftToPlatform("NetworkError")

  private static let bytes: [ChecklistRow] = {
    let row = ChecklistSection(source: ChecklistSource.malformed)
    let both: [(String, String)] = [
      ("empty texts", ""), ("one character", "A"), ("padding", "aGVsbG8="), ("the standard alphabet", "aGVs+G8/"),
      ("a truncated array", "gw"), ("an integer", "AQ"), ("an array of indefinite length", "nwEC_w"),
      ("reserved additional information", "HA"),
    ]
    let texts = both.enumerated().map { index, entry in
      row(
        "MAL-0\(index + 1)", "both texts are wrong: \(entry.0)", call([Options.mdoc(entry.1, entry.1)]), "TypeError",
        dropped)
    }
    let infos: [(id: String, String, text: String)] = [
      ("MAL-09", "the encryption information is [\"evil\", {}]", Vectors.text(.array([.text("evil"), .map([])]))),
      ("MAL-10", "the encryption information is a map", Vectors.text(.map([]))),
    ]
    let junk = String(repeating: "A", count: 1 << 20)
    return texts
      + infos.map { id, given, text in
        row(id, given, call([Options.mdoc(Vectors.deviceRequest, text)]), "TypeError", dropped)
      } + [
        row("MAL-11", "one mebibyte of A in each text", call([Options.mdoc(junk, junk)]), "TypeError")
      ]
  }()

  private static let encryption: [ChecklistRow] = [
    ("ENC-01", "the tag is evil", Vectors.encryptionInfo(marker: "evil", nonce: Array(repeating: 7, count: 16))),
    ("ENC-02", "the tag is empty", Vectors.encryptionInfo(marker: "", nonce: Array(repeating: 7, count: 16))),
    ("ENC-03", "the nonce is missing", Vectors.encryptionInfo(nonce: nil)),
  ].map { id, given, text in
    ChecklistRow(
      id, "a valid device request; in the encryption information \(given)",
      call([Options.mdoc(Vectors.deviceRequest, text)]), "TypeError", dropped, source: ChecklistSource.encryption)
  }

  private static let mixed: [ChecklistRow] = {
    let row = ChecklistSection(source: ChecklistSource.mixed)
    let first = "Digital Credentials: the first invalid request ends the call; \(row.source) wants AbortError"
    let survives = Difference.safari(
      "AbortError", "WebKit CredentialRequestCoordinator.cpp drops bad requests one by one")
    let wallet = Difference.chromium(
      "AbortError", "Chromium leaves the data to the wallet, which can answer the other one")
    return [
      row(
        "MIX-01", "three malformed requests", call(Array(repeating: Options.garbage, count: 3)), "TypeError", dropped),
      row(
        "MIX-02", "a malformed request and one of openid4vp-v1-unsigned", call([Options.garbage, Options.openID]),
        "TypeError", Difference.emptyChooser("AbortError") + wallet, source: first),
      row(
        "MIX-03", "a malformed, a valid and an empty request", call([Options.garbage, Options.mdoc(), Options.empty]),
        "TypeError", survives + wallet, source: first),
      row(
        "MIX-04", "a call that fails, then a valid one",
        call([Options.garbage]) + [.gesture("page"), .call(.get, Options.valid, in: "page"), .abort(2)],
        "TypeError, AbortError",
        Difference.emptyChooser("2 x AbortError") + Difference.leftToPlatform("NetworkError, AbortError")),
      row(
        "MIX-05", "100 malformed requests", call(Array(repeating: Options.garbage, count: 100)), "TypeError", dropped),
      row(
        "MIX-06", "the texts are numbers",
        call([Options.request("org-iso-mdoc", "{\"deviceRequest\":123,\"encryptionInfo\":456}")]), "TypeError", dropped),
      row(
        "MIX-07", "the texts are an object and an array",
        call([Options.request("org-iso-mdoc", "{\"deviceRequest\":{},\"encryptionInfo\":[]}")]), "TypeError", dropped),
    ]
  }()

  private static let binding: [ChecklistRow] = {
    let row = ChecklistSection(source: ChecklistSource.origins)
    let own = Document.ownOrigin
    let valid = call([Options.mdoc()], in: "frame")
    return [
      row(
        "ORI-01", "a sandboxed frame",
        in: [.page, .frame(.url(own), allow: "digital-credentials-get *", sandbox: "allow-scripts")], valid,
        "SecurityError", Difference.opaqueOrigin("NotAllowedError")),
      row(
        "ORI-02", "an allowed frame of another origin: the origin that the platform gets",
        in: [.page, .other(allow: "digital-credentials-get")], valid + [.origin(1)],
        "AbortError; origin https://page.example",
        Difference.chromium(
          "AbortError; origin https://frame.example",
          "Chromium digital_identity_request_impl.cc: the origin of the document service")),
      row(
        "ORI-03", "a frame of the page's origin", in: [.page, .same()], valid + [.origin(1)],
        "AbortError; origin https://page.example"),
      row("ORI-04", "a frame of another origin without allow", in: [.page, .other()], valid, "NotAllowedError"),
    ]
  }()
}
