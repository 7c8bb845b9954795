import Messaging
import Primitives
import Synchronization
import Testing

@testable import Ecosystem
@testable import Vocabulary

@Suite("The addresses of authorities")
struct PublishedRootsTests {
  private static func description() -> WorldDescription {
    var world = WorldDescription()
    world.issuers = [WorldDescription.Issuer(identifier: "dmv", name: "DMV", country: "US")]
    world.readerAuthorities = [WorldDescription.ReaderAuthority(identifier: "regulator", name: "Regulator")]
    var list = WorldDescription.ListOperator(identifier: "astro-trust", name: "Astro Trust")
    list.entries = [WorldDescription.ListOperator.Entry(issuer: "dmv", documentTypes: [DocumentType.drivingLicence])]
    world.listOperators = [list]
    return world
  }

  /// The answers of a party to requests from a server that it does not know, in their order.
  private static func answers(
    of party: Party, to requests: [[UInt8]], _ kind: MessageKind
  ) throws -> [MessageKind] {
    let world = try World(description(), seed: 1, start: DateTime(secondsSince1970: 1_757_955_600))
    defer { world.close() }
    #expect(world.prepare() == .quiet)
    let stranger = Party(.server, "stranger")
    let answers = Mutex<[MessageKind]>([])
    world.network.register(stranger) { message in answers.withLock { $0.append(message.kind) } }
    world.network.connect(stranger, party)
    for request in requests {
      try world.network.endpoint(of: stranger).send(kind, request, as: MediaType.http, to: party)
    }
    #expect(try world.perform(.person(.wait(.seconds(60)))) == .quiet)
    return answers.withLock(\.self)
  }

  private static func requests(of host: String, _ target: String) -> [[UInt8]] {
    [(host, target), ("other.example", target), (host, "/other"), (host, "\(target)/")].map {
      HTTPGetRequest(host: $0, target: $1).encoded(accepting: [MediaType.certificate])
    } + [Array("GET \(target)\r\n\r\n".utf8), []]
  }

  @Test(
    "publish a root at one address, and nothing at others",
    arguments: [Party(.issuer, "dmv"), Party(.readerAuthority, "regulator")])
  func root(of party: Party) throws {
    let requests = Self.requests(of: PublishedAddress.host(of: party.name), PublishedAddress.root)
    #expect(
      try Self.answers(of: party, to: requests, .getRoot)
        == [.publishedRoot] + Array(repeating: .nothingPublished, count: 5))
  }

  @Test("publish a list of issuing authorities at one address, and nothing at others")
  func list() throws {
    let requests = Self.requests(of: PublishedAddress.host(of: "astro-trust"), PublishedAddress.issuerList)
    let answers = try Self.answers(of: Party(.listOperator, "astro-trust"), to: requests, .getIssuerList)
    // A request that cannot be read is ignored, and noted.
    #expect(answers == [.issuerList, .nothingPublished, .nothingPublished, .nothingPublished])
  }
}
