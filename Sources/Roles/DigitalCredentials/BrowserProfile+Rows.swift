extension BrowserProfile {
  /// The standard's text of August 2026; the default.
  public static let spec2026 = BrowserProfile(
    name: "spec-2026-08",
    allowedProtocols: DigitalCredentialPresentationProtocol.allCases,
    presentedOrigin: .topLevel,
    refusesConditionalMediation: false,
    malformedData: .rejectsCall,
    nothingValid: .rejectsCall,
    exceptionNames: [:],
    checks: MediatorCheck.standardOrder)

  /// WebKit's main branch in the summer of 2026: OpenID4VP is off, malformed requests are dropped one by one.
  public static let safariMain2026 = spec2026.changed(name: "safari-main-2026") { profile in
    profile.allowedProtocols = [.mobileDocument]
    profile.refusesConditionalMediation = true
    profile.malformedData = .dropsRequest
    profile.checks = MediatorCheck.webKitOrder
    profile.exceptionNames = [.platformCancelled: .operationError, .responseEmpty: .typeError]
  }

  /// Safari 26.0: the names from before May 2026, and a chooser that may open empty.
  public static let safari26 = safariMain2026.changed(name: "safari-26.0") { profile in
    profile.nothingValid = .presentsNothing
    profile.exceptionNames = [
      .requestInProgress: .invalidStateError,
      .userCancelled: .abortError,
      .platformCancelled: .abortError,
      .platformNothingCanAnswer: .abortError,
      .platformUnknownError: .unknownError,
      .responseEmpty: .typeError,
    ]
  }

  /// Chromium in 2026: the frame's own origin, and one name for everything that a wallet or its transport does.
  public static let chromium2026 = spec2026.changed(name: "chromium-2026") { profile in
    profile.presentedOrigin = .callingDocument
    profile.malformedData = .isLeftToPlatform
    profile.exceptionNames = [
      .opaqueOrigin: .notAllowedError,
      .userCancelled: .networkError,
      .platformCancelled: .networkError,
      .platformInvalidRequest: .networkError,
      .platformRequestInProgress: .notAllowedError,
      .platformNotEntitled: .networkError,
      .platformNothingCanAnswer: .networkError,
      .platformNoAnswer: .networkError,
      .platformUnknownError: .networkError,
    ]
  }

  /// Every profile, the default first.
  public static let all: [BrowserProfile] = [spec2026, safari26, safariMain2026, chromium2026]

  /// The profile with a name, such as `safari-26.0`; nil when there is none.
  public static func named(_ name: String) -> BrowserProfile? {
    all.first { $0.name == name }
  }

  private func changed(name: String, _ change: (inout BrowserProfile) -> Void) -> BrowserProfile {
    var profile = self
    profile.name = name
    change(&profile)
    return profile
  }
}
