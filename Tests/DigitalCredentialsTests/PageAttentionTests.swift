import DigitalCredentials
import Testing

@Suite("Attention and activation of a page")
struct PageAttentionTests {
  /// The steps of a drawing, and the state of page `a` at its end.
  static let drawings: [(steps: String, isInFront: Bool, isActivated: Bool)] = [
    ("", false, false),
    ("tap", false, false),
    ("visit a", true, false),
    ("visit a, tap", true, true),
    ("visit a, tap, wait 4999", true, true),
    ("visit a, tap, wait 5000", true, false),
    ("visit a, tap, wait 4000, tap, wait 4000", true, true),
    ("visit a, tap, consume", true, false),
    ("visit a, tap, consume, tap", true, true),
    ("visit a, tap, visit a", true, false),
    ("visit a, tap, visit b", false, false),
    ("visit a, tap, visit b, tap", false, false),
    ("visit b, tap, visit a", true, false),
    ("visit b, tap, visit a, tap", true, true),
  ]

  @Test("Follows visits, taps, time and consumption", arguments: drawings)
  func followsTheSteps(steps: String, isInFront: Bool, isActivated: Bool) throws {
    var attention = PageAttention<String, Moment>()
    var now = Moment(offset: .zero)
    for step in steps.split(separator: ",").map({ $0.split(separator: " ").map(String.init) }) {
      switch step[0] {
      case "visit": attention.visit(step[1])
      case "tap": #expect(attention.interact(at: now) == attention.frontPage)
      case "wait": now = now.advanced(by: .milliseconds(try #require(Int(step[1]))))
      case "consume": attention.consumeActivation()
      default: throw Drawing.UnknownWord(word: step[0])
      }
    }
    let context = attention.context(of: "a", origin: Fixtures.page, at: now)
    #expect(context.isFullyActive == isInFront)
    #expect(context.hasUserAttention == isInFront)
    #expect(context.hasTransientActivation == isActivated)
    #expect(context.origin == Fixtures.page && context.topLevelOrigin == Fixtures.page)
  }

  @Test("A page that is not in front gets neither attention nor activation")
  func otherPages() {
    var attention = PageAttention<String, Moment>()
    let now = Moment(offset: .zero)
    attention.visit("a")
    #expect(attention.interact(at: now) == "a")
    let context = attention.context(of: "b", origin: Fixtures.frame, at: now)
    #expect(!context.isFullyActive && !context.hasUserAttention && !context.hasTransientActivation)
  }

  private struct Moment: InstantProtocol {
    var offset: Duration

    func advanced(by duration: Duration) -> Moment { Moment(offset: offset + duration) }
    func duration(to other: Moment) -> Duration { other.offset - offset }
    static func < (left: Moment, right: Moment) -> Bool { left.offset < right.offset }
  }
}
