import DevicePlatform
import Primitives

extension SelectorScreen {
  /// The texts of the selector in the language of the device, as the person reads them.
  public var shownTexts: [String] {
    let isEmpty = offered.isEmpty && anotherDevice == nil
    return [says(isEmpty ? .noAppCanAnswer : .chooseApp)] + offered.map(words(of:)).uniqued()
      + [notice, anotherDevice].compactMap { $0.map(says) } + [says(isEmpty ? .close : .cancel)]
  }
}

extension AuthorizationScreen {
  /// The texts of the view in the language of the device, as the person reads them.
  public var shownTexts: [String] {
    let heading = title.map(says) ?? says(.asksToSee, ["requester": requester])
    let storage: [ScreenWord] = [
      given.contains(where: \.isRetained) ? .willBeStored : nil,
      given.contains { !$0.isRetained } ? .willNotBeStored : nil,
    ].compactMap(\.self)
    let controls = buttons.map { OwnerAuthentication.Method(rawValue: $0).map { says($0.word) } ?? says($0) }
    return [heading] + (lines ?? []).map(says) + documents.map(words(of:)) + storage.map { says($0) }
      + elements.map { says($0.label) } + absent.map { says($0.storageText) } + [notice].compactMap { $0.map(says) }
      + controls
  }
}
