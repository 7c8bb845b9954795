/// A party's own end of the network: it can send in that party's name only, and only where there is a channel.
public struct Outlet: Sendable {
  /// In whose name it sends.
  public let owner: Party
  private let generation: Int
  private let network: Network

  init(owner: Party, generation: Int, network: Network) {
    self.owner = owner
    self.generation = generation
    self.network = network
  }

  /// Whether it still sends: its party was not retired since it was handed out.
  public var isCurrent: Bool { network.isCurrent(owner, generation) }

  /// Sends a message.
  /// - Throws: ``Network/Refusal`` when there is no channel to the recipient.
  public func send(
    _ subject: String, _ bytes: [UInt8], as mediaType: String, to recipient: Party, answering message: Message? = nil
  ) throws(Network.Refusal) {
    guard isCurrent else { throw Network.Refusal(description: "\(owner) was retired") }
    try network.send(
      from: owner, to: recipient, subject: subject, mediaType: mediaType, bytes: bytes, answers: message?.number)
  }

  /// Sends a message and waits for the one that answers it.
  /// - Throws: ``Network/Refusal`` when there is no channel, `CancellationError` when the world ends first.
  public func request(
    _ subject: String, _ bytes: [UInt8], as mediaType: String, to recipient: Party
  ) async throws -> Message {
    guard isCurrent else { throw Network.Refusal(description: "\(owner) was retired") }
    return try await withCheckedThrowingContinuation { continuation in
      do throws(Network.Refusal) {
        try network.send(
          from: owner, to: recipient, subject: subject, mediaType: mediaType, bytes: bytes, answers: nil,
          awaitedBy: continuation)
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }
}
