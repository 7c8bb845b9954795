/// The digests of one name space, as slices of the mobile security object, in the order of their identifiers.
public struct ValueDigests: Sendable {
  /// A digest of an element.
  public struct Entry: Sendable {
    /// `DigestID`.
    public let identifier: UInt64
    /// `Digest`.
    public let digest: ArraySlice<UInt8>
  }

  /// The digests, ascending by identifier, each of which occurs once.
  public let entries: [Entry]

  /// - Parameter entries: Digests with distinct identifiers, in any order.
  init(_ entries: [Entry]) {
    // Most issuers write them in order.
    let isSorted = zip(entries, entries.dropFirst()).allSatisfy { $0.identifier < $1.identifier }
    self.entries = isSorted ? entries : entries.sorted { $0.identifier < $1.identifier }
  }

  /// The digest with an identifier, or nil.
  public subscript(identifier: UInt64) -> ArraySlice<UInt8>? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      let entry = entries[middle]
      if entry.identifier == identifier { return entry.digest }
      if entry.identifier < identifier { low = middle + 1 } else { high = middle }
    }
    return nil
  }
}
