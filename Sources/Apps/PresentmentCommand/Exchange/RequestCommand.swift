import ArgumentParser
import CommandSupport
import Crypto
import DigitalCredentials
import ExchangeFiles
import Foundation
import MobileDocument
import OpenID4VP
import Primitives
import WebPresentment

/// `presentment request --origin ORIGIN ... --out EXCHANGE.json`
struct RequestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "request",
    abstract: "Make a signed request, as a website's server does, and save it with its private key.",
    discussion: """
      Keys and nonce come from the system's randomness. The exchange file contains the private key that opens an \
      encrypted response, and is readable by its owner only. --page writes the page's options.
      """)

  @Option(help: "The website's origin, for example https://example.com.")
  var origin: String?

  @Option(help: "The merchant identifier of an app's request, in place of --origin.")
  var merchantIdentifier: String?

  @Option(help: "The team identifier of the app.")
  var teamIdentifier: String?

  @Option(help: "The type of the requested document.")
  var documentType: String?

  @Option(help: "An element as NAMESPACE:IDENTIFIER, with :retain appended if it will be stored; repeatable.")
  var element: [String] = []

  @Option(help: "Request the same as another request: an exchange file, a page's JSON, or a DeviceRequest.")
  var like: String?

  @Option(
    help: """
      The protocol: org-iso-mdoc, openid4vp-v1-unsigned, openid4vp-v1-signed or openid4vp-v1-multisigned; the default is \
      org-iso-mdoc.
      """)
  var `protocol`: String?

  @Flag(help: "With a protocol of OpenID4VP: ask for a plain answer instead of an encrypted one.")
  var plainAnswer = false

  @Flag(help: "With a signed protocol of OpenID4VP: name the reader by its domain, x509_san_dns, instead of x509_hash.")
  var byDomain = false

  @Option(help: "With a protocol of OpenID4VP: a JSON file with a transaction that the holder agrees to; repeatable.")
  var transaction: [String] = []

  @Option(help: "A reader's certificates in PEM, leaf first; repeatable, each with its --reader-key.")
  var readerCertificates: [String] = []

  @Option(help: "The reader's private key in PEM or as a JSON Web Key.")
  var readerKey: [String] = []

  @Option(help: "Sign with a certificate of a new reader authority with this name; repeatable, each signs.")
  var throwawayReader: [String] = []

  @Option(
    help: """
      The output file for a new reader authority's root; repeatable, one for each --throwaway-reader in the same order. \
      The default is next to the exchange file.
      """)
  var readerRoot: [String] = []

  @Option(help: "Trusted issuer certificates in PEM for the response; repeatable.")
  var issuerRoot: [String] = []

  @Option(help: "The output file for the exchange.")
  var out: String

  @Option(help: "The output file for the page's options for navigator.credentials.get.")
  var page: String?

  func validate() throws {
    guard (documentType == nil) != (like == nil) else {
      throw ValidationError("Missing request: use --document-type with --element, or --like")
    }
    guard (origin == nil) != (merchantIdentifier == nil) else {
      throw ValidationError("Missing requester: use --origin, or --merchant-identifier with --team-identifier")
    }
    guard (merchantIdentifier == nil) == (teamIdentifier == nil) else {
      throw ValidationError("--merchant-identifier and --team-identifier belong together")
    }
    guard merchantIdentifier == nil || (readerCertificates.isEmpty && throwawayReader.isEmpty) else {
      throw ValidationError("An app's request is not signed: no --reader-certificates, no --throwaway-reader")
    }
    if let name = self.protocol, name != RequestData.protocolIdentifier, OpenID4VPProtocol(identifier: name) == nil {
      let known = [RequestData.protocolIdentifier] + OpenID4VPProtocol.allCases.map(\.rawValue)
      throw ValidationError("Unknown protocol '\(name)'; expected one of \(known.joined(separator: ", "))")
    }
    guard openID4VP != nil || (!plainAnswer && !byDomain && transaction.isEmpty) else {
      throw ValidationError("--plain-answer, --by-domain and --transaction require a --protocol of OpenID4VP")
    }
    guard openID4VP == nil || merchantIdentifier == nil else {
      throw ValidationError("An app's request has no --protocol")
    }
    guard like == nil || element.isEmpty else { throw ValidationError("--element requires --document-type") }
    guard readerCertificates.count == readerKey.count else {
      throw ValidationError("Each --reader-certificates needs a --reader-key, in the same order")
    }
    guard readerRoot.isEmpty || readerRoot.count == throwawayReader.count else {
      throw ValidationError("Each --reader-root needs a --throwaway-reader, in the same order")
    }
  }

  /// The form of a request with OpenID4VP; nil for one with annex C.
  private var openID4VP: RequestBuilder.OpenID4VPForm? {
    self.protocol.flatMap(OpenID4VPProtocol.init(identifier:)).map {
      RequestBuilder.OpenID4VPForm($0, isEncrypted: !plainAnswer, prefix: byDomain ? .sanDNS : .hash)
    }
  }

  func run() throws {
    if let merchantIdentifier, let teamIdentifier {
      try makeInApp(merchantIdentifier: merchantIdentifier, teamIdentifier: teamIdentifier)
    } else {
      try make()
    }
  }

  private func make() throws {
    let origin = try RequestBuilder.origin(origin ?? "")
    var making = RequestBuilder(origin: origin, documents: [], readers: [])
    (making.documents, making.useCases) = try requested()
    for (certificates, key) in zip(readerCertificates, readerKey) {
      making.readers.append(
        try ReaderFiles.reader(
          certificates: (certificates, try Files.read(certificates)), key: (key, try Files.read(key))))
    }
    var roots: [(reader: String, path: String, pem: String)] = []
    for (position, name) in throwawayReader.enumerated() {
      let reader = try ThrowawayReader(
        named: name, domain: origin.host ?? "", at: DateTime(Date()), from: AuthorityIngredients())
      making.readers.append(reader.reader)
      let path = readerRoot.isEmpty ? rootPath(at: position) : readerRoot[position]
      roots.append((name, path, reader.rootPEM))
    }
    making.trustedIssuers = try trustedIssuers()
    try Files.requireDistinct(
      [out, page] + roots.map(\.path), from: [like] + readerCertificates + readerKey + issuerRoot + transaction)
    let recipientKey = P256.KeyAgreement.PrivateKey()
    let nonce = SystemBytes.draw(RequestBuilder.nonceLength)
    let made =
      if let form = try openID4VP?.asking(for: transaction) {
        try making.make(form, recipientKey: recipientKey, nonce: nonce, at: DateTime(Date()))
      } else {
        try making.make(recipientKey: recipientKey, nonce: nonce)
      }
    var outputs = [Files.Output(path: out, bytes: made.exchange.bytes, isSecret: true)]
    let isPlain = openID4VP?.isEncrypted == false
    var story = [
      isPlain
        ? "\(out): the request" : "\(out): the request and the private key that opens the response; keep it secret"
    ]
    if let page {
      outputs.append(Files.Output(path: page, bytes: made.page, isSecret: false))
      story.append("\(page): the page's options for navigator.credentials.get")
    }
    for root in roots {
      outputs.append(Files.Output(path: root.path, bytes: Array(root.pem.utf8), isSecret: false))
      story.append("\(root.path): the root of \(root.reader), for a wallet that should trust it")
    }
    if making.readers.isEmpty || openID4VP?.kind == .unsigned {
      story.append("the request is unsigned: wallets may refuse it")
    }
    if making.trustedIssuers.isEmpty {
      story.append("no issuer is trusted yet: use verify --issuer-root, or add roots to trustedIssuers")
    }
    try Files.write(outputs)
    for line in story { try ExchangeCommands.say(line) }
  }

  /// The default file of the root of a new reader authority: numbered from the second on.
  private func rootPath(at position: Int) -> String {
    "\(out).reader-root\(position == 0 ? "" : "-\(position + 1)").pem"
  }

  private func requested() throws -> (documents: [ItemsRequest], useCases: [DeviceRequestInfo.UseCase]) {
    if let like { return try RequestedElements.like(try Files.read(like), name: like) }
    return ([try RequestedElements.items(documentType: documentType ?? "", elements: element)], [])
  }

  private func trustedIssuers() throws -> [String] {
    try issuerRoot.map { root in
      let pem = try Files.read(root)
      _ = try CertificateFile.trusted(pem, for: .documentSigner, name: root)
      return String(decoding: pem, as: UTF8.self)
    }
  }

  /// Writes the request of an app, whose elements Wallet shows.
  private func makeInApp(merchantIdentifier: String, teamIdentifier: String) throws {
    let documents = try requested().documents
    guard documents.count == 1 else {
      throw ExchangeFileError(.content, "--like", "an app requests one document, found \(documents.count)")
    }
    try Files.requireDistinct([out, page], from: [like] + issuerRoot)
    let recipientKey = P256.KeyAgreement.PrivateKey()
    let request = InAppRequest(
      nonce: SystemBytes.draw(InAppRequest.nonceLength), merchantIdentifier: merchantIdentifier,
      teamIdentifier: teamIdentifier, recipientPublicKey: recipientKey.publicKey, documents: documents)
    let exchange = request.exchange(recipientKey: recipientKey, trustedIssuers: try trustedIssuers())
    var outputs = [Files.Output(path: out, bytes: exchange.bytes, isSecret: true)]
    var story = ["\(out): the request and the private key that opens the response; keep it secret"]
    if let page {
      outputs.append(Files.Output(path: page, bytes: request.forPhone.bytes, isSecret: false))
      story.append("\(page): the request for the phone, without the private key")
    }
    try Files.write(outputs)
    for line in story { try ExchangeCommands.say(line) }
  }
}

extension RequestBuilder.OpenID4VPForm {
  /// The form with the transactions of files.
  fileprivate func asking(for files: [String]) throws -> Self {
    var form = self
    form.transactions = try files.map { ($0, try Files.read($0)) }
    return form
  }
}
