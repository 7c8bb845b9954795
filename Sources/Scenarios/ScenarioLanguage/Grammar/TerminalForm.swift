import Certificates
import Checks
import LocatedYAML
import Vocabulary

extension Form where Value == [WorldDescription.Terminal] {
  /// Terminals by their names.
  static let terminals = Form.parts(
    "terminal", \.identifier, checkName: requireHostName, "terminals",
    { WorldDescription.Terminal(identifier: $0, brand: BrandIdentity(name: "", icon: "")) },
    [
      Key("brand", required: \.brand, .brand, "the brand in its reader certificates and on its screen"),
      Key(
        "signs-for", \.signsFor, .list(.name(.readerAuthority)),
        "the reader authorities that certify it; it signs each request once for each"),
      Key(
        "certified-domain", \.certifiedDomain, .text, usual: "`NAME.example`",
        "the domain name in its reader certificates, of its organization"),
      Key(
        "accepts-issuers", \.acceptsIssuers, .list(.name(.issuer)), "the issuing authorities whose roots it trusts"),
      Key(
        "asks", required: \.asks, .asks,
        "the requested elements: document type, name space, identifier, then `retain` or `show`; any identifiers"),
      Key(
        "asks-again", \.asksAgain, .asks,
        "the elements of a further request, as `asks` has them: in the same session, after a verified response whose "
          + "portrait the clerk does not compare"),
      Key("place", \.place, .text, "the place of the terminal"),
      Key(
        "policy", \.policy, .oneOf(VerificationPolicy.self, "policy"),
        "with `strict`, [deviations](checks.md#outcomes) refuse a response too; with `lenient`, "
          + "[tolerances](checks.md#tolerances) do not refuse it"),
      Key(
        "compares-portrait", \.comparesPortrait, .boolean,
        "the clerk compares the portrait of a verified response with the person, and the verdict waits for it"),
      Key(
        "production", \.isInProduction, .boolean,
        "it refuses documents of [test programmes](model.md#test-programmes)"),
      Key("revocation", \.revocation, .revocation, "the policy about the revocation status of documents"),
    ])
}
