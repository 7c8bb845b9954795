import DevicePlatform
import Foundation
import IdentityDocumentServices
import JSON
import MobileDocument
import Testing

@testable import Vocabulary

@Suite("The words on screens")
struct ScreenWordTests {
  @Test("every text has a translation, which is another one unless the table says so", arguments: Language.allCases)
  func translated(language: Language) {
    for word in ScreenWord.allCases {
      let text = word.text(in: language)
      #expect(!text.isEmpty)
      guard language != .english else { continue }
      let isUnchanged = ScreenWord.unchanged[language]?.contains(word) ?? false
      #expect((text == word.english) == isUnchanged, "\(word) in \(language.rawValue): \(text)")
    }
  }

  @Test("a text has the same places in every language", arguments: ScreenWord.allCases)
  func places(word: ScreenWord) {
    let places = ScreenWord.places(of: word.english).sorted()
    for language in Language.allCases {
      #expect(ScreenWord.places(of: word.text(in: language)).sorted() == places, "\(language.rawValue)")
    }
  }

  /// What no translation has: another term for a thing that has one, and the marks of another language.
  private static let unwanted: [Language: String] = [
    .spanish: #"identificación(?! de la persona)|venc|licencia|entreg|proporcionad|emisor|cabello|""#,
    .simplifiedChinese: #"""
    应答|读取方|该 App|驾照|被存储|续期|\p{Han} ?[,:;.?!("]|[,:;.?!)"] ?\p{Han}|\p{Han} \p{Han}|\p{Han} $|^ \p{Han}
    """#,
  ]
  private static let table = ScreenWord.allCases.map(\.translations) + ElementNames.all

  @Test("a translation has the terms and the marks of its language", arguments: table)
  func terms(row: Translations) {
    for (language, pattern) in Self.unwanted {
      let found = row[language].range(of: pattern, options: [.regularExpression, .caseInsensitive])
      #expect(found == nil, "\(language.rawValue): \(row[language])")
    }
  }

  @Test("a text in English names one translation")
  func namesAreUnique() {
    for (english, words) in Dictionary(grouping: ScreenWord.allCases, by: \.english) {
      let translations = words.map(\.translations)
      #expect(translations.allSatisfy { $0 == translations[0] }, "\(english)")
    }
  }

  @Test("names fill the places, and are not read for places themselves")
  func filling() {
    let text = ScreenText(
      .noLonger, ["app": .name("{reason}"), "reason": .text(ScreenText(.noLongerOnDevice))])
    #expect(text.text(in: .english) == "{reason} can no longer answer: the app is no longer on this device.")
    #expect(text.text(in: .spanish) == "{reason} ya no puede responder: la app ya no está en este dispositivo.")
    #expect(ScreenText(.asksFor).text(in: .spanish) == "{asker} pide:")
  }

  @Test("a space sets off names in Latin letters, and no Chinese ones")
  func spaces() {
    func asks(_ asker: ScreenText.Value) -> String {
      ScreenText(.asksFor, ["asker": asker]).text(in: .simplifiedChinese)
    }
    #expect(asks(.text(ScreenText(.readerNearby))) == "附近的读取器请求：")
    #expect(asks(.name("张 三")) == "张 三请求：")
    #expect(asks(.name("Hangar Desk")) == "Hangar Desk 请求：")
    #expect(asks(.name("")) == " 请求：")
    let renewed = ScreenText(.renewDocument, ["document": .name("驾驶执照")])
    #expect(renewed.text(in: .simplifiedChinese) == "续签驾驶执照")
    #expect(ScreenText(.holds, ["documents": .name("驾驶执照、A")]).text(in: .simplifiedChinese) == "包含驾驶执照、A。")
  }

  @Test("every known document and element has a name in every language")
  func names() {
    let types = [
      "org.iso.18013.5.1.mDL", "org.iso.23220.photoid.1", "eu.europa.ec.eudi.pid.1", "eu.europa.ec.av.1",
      "dc+sd-jwt urn:eudi:pid:1",
    ]
    for type in types {
      #expect(ElementNames.translations(documentType: type)?.english == DataElementCatalogue.label(documentType: type))
    }
    let nameSpaces = [
      "org.iso.18013.5.1", "org.iso.18013.5.1.aamva", "org.iso.23220.1", "org.iso.23220.photoid.1",
      "eu.europa.ec.eudi.pid.1",
    ]
    for nameSpace in nameSpaces {
      let identifiers = DataElementCatalogue.identifiers(in: nameSpace)
      #expect(!identifiers.isEmpty)
      for identifier in identifiers + ["age_over_18", "age_over_21"] {
        let label = DataElementCatalogue.label(nameSpace: nameSpace, identifier: identifier)
        let names = ElementNames.translations(nameSpace: nameSpace, identifier: identifier)
        #expect(names?.english == label, "\(nameSpace) \(identifier)")
        #expect(names?.spanish.isEmpty == false && names?.simplifiedChinese.isEmpty == false)
      }
    }
    #expect(ElementNames.translations(nameSpace: "example", identifier: "rank") == nil)
  }

  @Test(
    "a claim has the name of the element that says the same, in every language",
    arguments: [
      ("family_name", "Last Name", "Apellidos", "姓"), ("birthdate", "Date of Birth", "Fecha de nacimiento", "出生日期"),
      ("age_equal_or_over.18", "Age over 18", "Mayor de 18 años", "年满 18 岁"),
      ("nationalities", "Nationality", "Nacionalidad", "国籍"), ("nationalities[]", "Nationality", "Nacionalidad", "国籍"),
      ("nationalities[1]", "Nationality", "Nacionalidad", "国籍"),
      ("place_of_birth.country", "Country of Birth", "País de nacimiento", "出生国家"),
      ("address.locality", "City", "Ciudad", "城市"), ("address", "Address", "Dirección", "地址"),
    ])
  func claims(path: String, english: String, spanish: String, chinese: String) {
    let nameSpace = DataElementCatalogue.claimsNameSpace
    let names = ElementNames.translations(nameSpace: nameSpace, identifier: path)
    #expect(DataElementCatalogue.label(nameSpace: nameSpace, identifier: path) == english)
    #expect(names?.english == english && names?.spanish == spanish && names?.simplifiedChinese == chinese)
  }

  @Test(
    "an unknown claim, and an element that is not one, has its identifier",
    arguments: [
      "rank", "age_equal_or_over", "age_equal_or_over.", "age_equal_or_over.x", "age_equal_or_over.118",
      "age_equal_or_over.+18",
      "age_equal_or_over.018", "address.moon",
      "nationalities[x]", "",
    ])
  func unknownClaims(path: String) {
    let nameSpace = DataElementCatalogue.claimsNameSpace
    #expect(DataElementCatalogue.label(nameSpace: nameSpace, identifier: path) == path)
    #expect(ElementNames.translations(nameSpace: nameSpace, identifier: path) == nil)
    #expect(DataElementCatalogue.label(nameSpace: "org.iso.18013.5.1", identifier: "birthdate") == "birthdate")
  }

  @Test("the table has the texts of the machines")
  func textsOfMachines() {
    for failure in OwnerAuthentication.Failure.allCases { #expect(failure.text.english == failure.message) }
    for finding in SelectorFinding.all { #expect(finding.words.hidden.english == finding.message) }
  }

  @Test("a screen in English has no texts of another language")
  func english() throws {
    #expect(PromptScreen(app: "Wallet").local == nil)
    let json = String(decoding: JSONCoding.encode(PromptScreen(app: "Wallet")), as: UTF8.self)
    #expect(!json.contains("local"))
  }

  @Test("a screen in another language keeps its names in English, and reads back the same")
  func another() throws {
    let screen = PromptScreen(app: "Wallet", in: .spanish)
    #expect(screen.buttons == PromptScreen(app: "Wallet").buttons && screen.language == .spanish)
    #expect(screen.says(screen.question) == "Wallet quiere proporcionar documentos de identidad a sitios web.")
    #expect(screen.buttons.map(screen.says) == ["No permitir", "Permitir"])
    #expect(screen.says("an app's own text") == "an app's own text")
    #expect(try JSONCoding.decode(PromptScreen.self, from: JSONCoding.encode(screen)) == screen)
  }

  @Test("the sheet of a Mac lists the iPhones in the language")
  func iPhones() {
    let screen = ContinueScreen.invited(["one", "two", "three"], in: .simplifiedChinese)
    #expect(screen.text == "Continue on one or two or three.")
    #expect(screen.says(screen.text) == "在 one 或 two 或 three 上继续。")
  }

  @Test("an unknown language of a screen is an error")
  func unknownLanguage() {
    let json = #"{"local":{"language":"xx","texts":{}},"notice":"a"}"#
    #expect(throws: JSONError.self) { try JSONCoding.decode(DismissScreen.self, from: Array(json.utf8)) }
  }
}
