import DevicePlatform
import JSON
import Messaging
import Reports
import ScenarioLanguage
import ScenarioRunner
import ShippedScenarios
import Testing
import Vocabulary

/// The first case of every shipped scenario, with its devices in another language.
@Suite("Shipped scenarios in every language")
struct ScreenLanguageTests {
  private static let languages = Language.allCases.filter { $0 != .english }

  /// The first case of each file. A case that expects texts in a language is about that language.
  private static func cases() throws -> [Scenario] {
    var files: Set<String> = []
    return try ShippedScenarios.cases().filter { scenario in
      scenario.skip == nil && scenario.world.devices.allSatisfy { $0.language == .english }
        && files.insert(scenario.path).inserted
    }
  }

  @Test("every case comes out as in English, and every text on a screen has a translation", arguments: languages)
  func everyScreen(language: Language) throws {
    var kinds: Set<MessageKind> = []
    for scenario in try Self.cases() {
      let result = ScenarioRun.run(scenario.parsing(.inProcess).speaking(language))
      #expect(result.isPassed || scenario.expectedFailure != nil, "\(scenario.path)")
      for message in result.journal.entries.compactMap(\.event.message) {
        guard message.mediaType == MediaType.screen, let shown = Self.shown(by: message) else { continue }
        kinds.insert(message.kind)
        let missing = shown.texts.filter { shown.screen.local?.texts[$0] == nil }
        #expect(missing.isEmpty && shown.screen.language == language, "\(scenario.path), message \(message.number)")
        let left = shown.screen.local?.texts.values.filter { !ScreenWord.places(of: $0).isEmpty } ?? []
        #expect(left.isEmpty, "\(scenario.path), message \(message.number)")
      }
    }
    #expect(kinds.count == 8)
  }

  @Test("the selector says how many documents of one type an app has, and nothing where it has one of each")
  func countsDocuments() throws {
    let cases = try ShippedScenarios.cases()
    func offers(_ name: String, _ language: Language) throws -> [String] {
      let chosen = try #require(cases.first { $0.path.hasSuffix(name) })
      let result = ScenarioRun.run(chosen.parsing(.inProcess).speaking(language))
      let shown = result.journal.entries.compactMap(\.event.message).first { $0.kind == .showSelector }
      let screen = try #require(shown?.body(SelectorScreen.self))
      if language == .english {
        let story = StoryReport.text(of: result)
        for offer in screen.offered { #expect(story.contains(offer.words), "\(name)") }
      }
      return screen.offered.map(screen.words(of:))
    }
    let several = "selector/several-documents.yaml"
    #expect(try offers(several, .english) == ["Driver's License", "Driver's License (2 documents)"])
    #expect(try offers(several, .spanish) == ["Permiso de conducir", "Permiso de conducir (2 documentos)"])
    #expect(try offers(several, .simplifiedChinese) == ["驾驶执照", "驾驶执照（2 份证件）"])
    #expect(try offers("headline.yaml", .english).allSatisfy { $0 == "Driver's License" })
  }

  /// The screen of a device that a message shows, with the texts that a person reads on it, but for names and for the texts of
  /// an app of its own; nil for another message, and for one without a text.
  private static func shown(by message: Message) -> (screen: any LocalScreen, texts: [String])? {
    switch message.kind {
    case .showPrompt: message.body(PromptScreen.self).map { ($0, [$0.question] + $0.buttons) }
    case .showSelector:
      message.body(SelectorScreen.self).map { screen in
        let reasons = screen.hidden.flatMap { [$0.message, $0.remedy] }
        let offers = known(screen.offered.flatMap(\.documents)) + screen.offered.map(\.count).some
        return (screen, reasons + offers + [screen.notice, screen.anotherDevice].some)
      }
    case .show:
      message.body(AuthorizationScreen.self).map { view in
        let documents = view.documents.map(\.title) + view.documents.compactMap(\.problem)
        let elements = view.elements.filter { $0.label != $0.identifier }.map(\.label)
        let storage = view.elements.compactMap(\.storage) + view.absent.map(\.storageText)
        let controls = view.buttons.filter { OwnerAuthentication.Method(rawValue: $0) == nil }
        return (view, known(documents) + elements + storage + controls + [view.notice].some)
      }
    case .dismissInterface:
      message.body(DismissScreen.self).flatMap { screen in screen.notice.map { (screen, [$0]) } }
    case .showCode: message.body(QRCodeScreen.self).map { ($0, [$0.title, $0.message] + $0.buttons) }
    case .showContinue: message.body(ContinueScreen.self).map { ($0, [$0.text, $0.model] + $0.buttons) }
    case .showNotification: message.body(NotificationScreen.self).map { ($0, [$0.title, $0.model] + $0.buttons) }
    case .showWarning: message.body(WarningScreen.self).map { ($0, [$0.text] + $0.buttons) }
    default: nil
    }
  }

  /// The texts without the identifiers of unknown document types.
  private static func known(_ texts: [String]) -> [String] {
    texts.filter { !$0.contains(".") || ElementNames.translations(documentType: $0) != nil }
  }
}

extension [String?] {
  fileprivate var some: [String] { compactMap(\.self) }
}
