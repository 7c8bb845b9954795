extension Action {
  /// The label of the control for an action in Settings, in the app store or in a document app; nil for any other action.
  package var controlLabel: ScreenText? {
    switch self {
    case .person(let action): action.touched?.controlLabel
    case .app(.provision(let document), _): ScreenText(.getDocument, ["document": .name(document)])
    case .app(.renew(let document), _): ScreenText(.renewDocument, ["document": .name(document)])
    default: nil
    }
  }
}

extension Action.ByPerson {
  /// The touch of the action, on any device.
  fileprivate var touched: Action.Touch? {
    switch self {
    case .on(_, let action): action.touched
    case .touch(let touch): touch
    default: nil
    }
  }
}

extension Action.Touch {
  fileprivate var controlLabel: ScreenText? {
    switch self {
    case .install(let app): ScreenText(.install, ["app": .name(app)])
    case .update(let app): ScreenText(.update, ["app": .name(app)])
    case .remove(let app): ScreenText(.remove, ["app": .name(app)])
    case .switchApp(let app, let isOn): ScreenText(isOn ? .switchOn : .switchOff, ["app": .name(app)])
    case .turn(.faceID, let isOn): ScreenText(isOn ? .turnFaceIDOn : .turnFaceIDOff)
    case .turn(.flightMode, let isOn): ScreenText(isOn ? .turnFlightModeOn : .turnFlightModeOff)
    case .delete(let document, _): ScreenText(.deleteDocument, ["document": .name(document)])
    default: nil
    }
  }
}
