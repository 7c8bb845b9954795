import SimulationKernel
import Testing

/// A second implementation computed the pinned values. A change of a value changes every run of every seed, so the
/// derivation then needs a new domain.
@Suite("Entropy")
struct EntropyTests {
  private let entropy = Entropy(seed: 7)

  @Test("A stream gives the pinned bytes")
  func pinnedBytes() {
    var stream = entropy.stream("verifier/nonce")
    #expect(
      hex(stream.bytes(72))
        == "5ac71d6acd0ac0f1fcce0f3d60b89d952761b954256ad6643486f9cc9c42f226"
        + "88ffef7d30f3d49f73674ac543c248e47ce2ad14514b613f50881df1f638fd35" + "cde1fe15ca6843a0")

    var unlabelled = Entropy(seed: 0).stream("")
    #expect(hex(unlabelled.bytes(16)) == "ceba34b8d45cd7993e0a89feefad7412")
    var labelled = Entropy(seed: .max).stream("größe")
    #expect(hex(labelled.bytes(16)) == "f105bbf31c389cdebb15f4e3d646409b")
  }

  @Test("A stream gives the pinned numbers")
  func pinnedNumbers() {
    var stream = entropy.stream("verifier/nonce")
    #expect(stream.next() == 0x5ac7_1d6a_cd0a_c0f1)

    var dice = entropy.stream("dice")
    let throwsOfDice = (0..<20).map { _ in dice.below(6) }
    #expect(throwsOfDice == [2, 0, 1, 0, 4, 2, 5, 5, 4, 2, 1, 4, 1, 4, 0, 1, 1, 2, 2, 5])

    // A quarter of the draws lies in the incomplete last run of this bound; one of these five does.
    var rejecting = entropy.stream("rejecting")
    let numbers = (0..<4).map { _ in rejecting.below(3 << 61) }
    #expect(
      numbers == [
        133_120_878_750_608_458, 6_657_171_363_290_223_995, 4_282_452_209_163_577_770, 6_380_836_782_551_395_440,
      ])
  }

  @Test("A shuffle gives the pinned order")
  func pinnedOrder() {
    var stream = entropy.stream("order")
    #expect(stream.permutation(10) == [4, 0, 7, 3, 8, 5, 6, 2, 9, 1])
    var again = entropy.stream("order")
    #expect(again.shuffled(Array("abcdefghij")) == Array("eahdifgcjb"))
  }

  @Test("The counter goes past a byte")
  func pinnedLateBytes() {
    var stream = entropy.stream("verifier/nonce")
    _ = stream.bytes(255 * 32)
    #expect(hex(stream.bytes(40)) == "924d2fc9c31e0911d2bb9793b314149e590ebc4feb85410f75291871c1670b3d473f5aa35a27a2b0")
  }

  @Test("Each stream of a label starts from its beginning")
  func repeats() {
    var (first, second) = (entropy.stream("a"), entropy.stream("a"))
    #expect(first.bytes(100) == second.bytes(100))
  }

  @Test("One draw and many draws give the same bytes", arguments: [1, 7, 8, 31, 32, 33, 64])
  func pieces(size: Int) {
    var (whole, parts) = (entropy.stream("a"), entropy.stream("a"))
    let collected = (0..<10).flatMap { _ in parts.bytes(size) }
    #expect(collected == whole.bytes(10 * size))
    #expect(parts.next() == whole.next())
  }

  @Test("Different labels give different streams")
  func labels() {
    let labels = ["", "a", "b", "aa", "ab", "a\0", "verifier/nonce", "verifier/nonces", "Verifier/nonce"]
    let beginnings = labels.map { label in
      var stream = entropy.stream(label)
      return stream.bytes(32)
    }
    #expect(Set(beginnings).count == labels.count)

    var (undisturbed, disturbed, other) = (entropy.stream("a"), entropy.stream("a"), entropy.stream("b"))
    for _ in 0..<20 {
      _ = other.bytes(5)
      #expect(disturbed.next() == undisturbed.next())
    }
  }

  @Test("Different seeds give different streams")
  func seeds() {
    let seeds: [UInt64] = [0, 1, 2, 256, 1 << 32, 1 << 63, .max]
    let beginnings = seeds.map { seed in
      var stream = Entropy(seed: seed).stream("a")
      return stream.bytes(32)
    }
    #expect(Set(beginnings).count == seeds.count)
  }

  @Test("Numbers stay below the bound", arguments: [1, 2, 3, 10, 255, 256, 257, 1 << 32, 3 << 61, .max])
  func bounds(bound: Int) {
    var stream = entropy.stream("bounds")
    for _ in 0..<200 {
      #expect((0..<bound).contains(stream.below(bound)))
    }
  }

  @Test("Numbers are drawn equally often")
  func evenness() {
    var stream = entropy.stream("evenness")
    var counts = [0, 0, 0]
    for _ in 0..<3_000 { counts[stream.below(3)] += 1 }
    for count in counts { #expect((900...1_100).contains(count)) }
  }

  @Test("A shuffle gives a permutation", arguments: [0, 1, 2, 3, 10, 100])
  func permutations(count: Int) {
    var stream = entropy.stream("permutations")
    #expect(stream.permutation(count).sorted() == Array(0..<count))
  }

  @Test("Shuffles reach every order of three")
  func everyOrder() {
    var stream = entropy.stream("every order")
    let orders = (0..<200).map { _ in stream.shuffled([1, 2, 3]) }
    #expect(Set(orders).count == 6)
  }

  @Test("A stream prints its label, not its bytes")
  func printing() {
    var stream = entropy.stream("issuer/key")
    _ = stream.next()
    var dumped = ""
    dump(stream, to: &dumped)
    #expect("\(stream)" == "EntropyStream(issuer/key)")
    #expect(dumped == "▿ EntropyStream(issuer/key)\n  - label: \"issuer/key\"\n")
  }
}

private func hex(_ bytes: [UInt8]) -> String {
  let digits = Array("0123456789abcdef")
  return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
}
