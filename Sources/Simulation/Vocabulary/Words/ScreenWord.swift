import DevicePlatform
import HybridTransport
import IdentityDocumentServices
import NearbyDevices
import PassKit
import Proximity

/// The table of words: every text of a device's screens, with a column for each language. A name in braces is a place for a
/// value. The names of documents and elements are in ``ElementNames``.
///
/// The texts of websites, of requesting apps and of terminals are not in it: they are in the language of their makers.
public enum ScreenWord: String, Sendable, CaseIterable {
  // The controls.
  case accept, allow, anotherDevice, cancel, close, `continue`, decline, doNotAllow, notNow, share, useQRCode
  // The selector.
  case appSelector, chooseApp, noAppCanAnswer
  case websiteAsks, websiteAsksInVain, readerAsks, readerAsksInVain, readerNearby, anotherDeviceMeans
  case documentCount, severalOf
  case oneAppHidden, appsHidden, notShown, noneNotShown, nameAndText, wouldHelp
  // The reasons why an app is hidden, and what would help.
  case hiddenAppAuthorization, hiddenProtocol, hiddenRegistration, hiddenEntitlement, hiddenDocumentType
  case hiddenRegistrationValidity, hiddenUnsigned, hiddenUntrusted, hiddenForged, hiddenExpired, hiddenNotYetValid
  case hiddenIssuer, hiddenUseCase
  case helpAllow, helpProtocol, helpAddDocument, helpEntitlement, helpDocumentType, helpRegister, helpSign
  case helpSignValidly, helpIssuer, helpUseCase
  // The messages with which the system closes a selector or a view.
  case noneLeft, noLonger, noLongerOnDevice, didNotAnswer
  // The views of apps.
  case asksToSee, asksFor, documentFrom, consentOf, authorizationOf, verifyWithLicense, whatIsAskedFor
  case nameCertifiedBy, nameCertified, nameNotCertified
  case willBeStored, willNotBeStored, notInDocument, notGiven, storageLegend, askedFor, stored, yes, no
  case absentNotHeld, absentNotNeeded
  case intentNotStored, intentStored, intentStoredForDay, intentStoredForDays
  case shareWith, getsDetail, getsDetails, lacksDetail, lacksDetails, nothingBeforeShare
  case canGiveAnother, giveInstead, documentOf, problemOf
  case documentExpired, documentNotYetValid, documentRegistrationEnded, documentsNotHeld
  case countBelow, moreBelow, readToEndFirst
  // The owner's authentication.
  case authorizeWithFaceID, authorizeWithTouchID, authorizeWithPasscode, faceID, touchID, passcode
  case doubleClick, lookingForFace, notRecognized, done, lookToHandOver, enterPasscodeToHandOver
  case touchToHandOver
  case faceNotRecognized, faceLocked, faceOff, passcodeWrong, authenticationCancelled
  // The permission of an app.
  case allowTitle, promptQuestion, questionAbout
  // The browser.
  case browser, browserOn, shareWithSite, browserWarning, warningLowRisk, warningHighRisk, newTab, websites
  // Another device.
  case useYourPhone, turnOnBluetooth, scanWithPhone, phoneNear, phoneConnected, followOnPhone
  case notification, now, notificationTitle, nearbyModel, continueTitle, continueOn, continuingOn, either
  case declinedOnIPhone, noAppOnIPhone, codeForPhone
  // A reader nearby.
  case showCodeToReader, holdToReader, codeForReader
  // The home screen, Settings, the app store and the document apps.
  case noWebsiteAsks, scanCode, showMyCode, appsOnPhone, appsOnIPad, home, settings, appStore
  case phone, noAppAsked, noOtherApp, appHasNoDocuments, holds, holdsNothing
  case turnFaceIDOn, turnFaceIDOff, turnFlightModeOn, turnFlightModeOff, flightMode
  case install, update, remove, switchOn, switchOff, deleteDocument, getDocument, renewDocument
  // The end of a request.
  case sent, sentMeans, declined, ended, stopped, nothingLeftDevice, result

  /// The text in every language.
  public var translations: Translations {
    switch self {
    case .accept: .init("Accept", es: "Aceptar", zh: "接受")
    case .allow: .init(PromptScreen.allow, es: "Permitir", zh: "允许")
    case .anotherDevice: .init(SelectorScreen.anotherDeviceLabel, es: "Otro dispositivo", zh: "其他设备")
    case .cancel: .init(QRCodeScreen.cancel, es: "Cancelar", zh: "取消")
    case .close: .init("Close", es: "Cerrar", zh: "关闭")
    case .continue: .init(NotificationScreen.continue, es: "Continuar", zh: "继续")
    case .decline: .init(NotificationScreen.decline, es: "Rechazar", zh: "拒绝")
    case .doNotAllow: .init(PromptScreen.doNotAllow, es: "No permitir", zh: "不允许")
    case .notNow: .init("Not Now", es: "Ahora no", zh: "以后")
    case .share: .init("Share", es: "Compartir", zh: "共享")
    case .useQRCode: .init(ContinueScreen.useQRCode, es: "Usar código QR", zh: "使用二维码")

    case .appSelector: .init("App selector", es: "Selector de apps", zh: "App 选择器")
    case .chooseApp:
      .init(
        "Choose an app to verify your identity", es: "Elige una app para verificar tu identidad",
        zh: "选择用于验证身份的 App")
    case .noAppCanAnswer: .init("No app here can answer", es: "Ninguna app puede responder", zh: "没有 App 可以响应此请求")
    case .websiteAsks:
      .init(
        "The website asks for an identity document. It does not learn which apps you have.",
        es: "El sitio web pide un documento de identidad. No sabrá qué apps tienes.",
        zh: "该网站请求身份证件，但不会得知你有哪些 App。")
    case .websiteAsksInVain:
      .init(
        "The website asks for an identity document, and no app on this device can be offered.",
        es: "El sitio web pide un documento de identidad, pero ninguna app de este dispositivo está disponible.",
        zh: "该网站请求身份证件，但此设备上没有可用的 App。")
    case .readerAsks:
      .init(
        "The reader asks for an identity document. It does not learn which apps you have.",
        es: "El lector pide un documento de identidad. No sabrá qué apps tienes.",
        zh: "读取器请求身份证件，但不会得知你有哪些 App。")
    case .readerAsksInVain:
      .init(
        "The reader asks for an identity document, and no app on this device can be offered.",
        es: "El lector pide un documento de identidad, pero ninguna app de este dispositivo está disponible.",
        zh: "读取器请求身份证件，但此设备上没有可用的 App。")
    case .readerNearby: .init(InPersonRequest.origin, es: "Un lector cercano", zh: "附近的读取器")
    case .anotherDeviceMeans:
      .init("An iPhone near you, or a QR code", es: "Un iPhone cercano o un código QR", zh: "附近的 iPhone 或二维码")
    case .documentCount: .init("{count} documents", es: "{count} documentos", zh: "{count} 份证件")
    case .severalOf: .init("{documents} ({count})", es: "{documents} ({count})", zh: "{documents}（{count}）")
    case .oneAppHidden: .init("1 app is hidden. Why?", es: "Hay 1 app oculta. ¿Por qué?", zh: "有 1 个 App 未显示。为什么？")
    case .appsHidden:
      .init("{count} apps are hidden. Why?", es: "Hay {count} apps ocultas. ¿Por qué?", zh: "有 {count} 个 App 未显示。为什么？")
    case .notShown: .init("Not shown to the person:", es: "Apps ocultas:", zh: "未显示的 App：")
    case .noneNotShown: .init("nothing", es: "ninguna", zh: "无")
    case .nameAndText: .init("{name}: {text}", es: "{name}: {text}", zh: "{name}：{text}")
    case .wouldHelp: .init("What would help: {remedy}", es: "Solución: {remedy}", zh: "解决办法：{remedy}")

    case .hiddenAppAuthorization:
      .init(
        SelectorFinding(.appAuthorization).message, es: "no has permitido que la app proporcione documentos",
        zh: "你没有允许此 App 提供证件")
    case .hiddenProtocol:
      .init(
        SelectorFinding(.exchangeProtocol).message, es: "la app no responde a solicitudes con este protocolo",
        zh: "此 App 不响应使用此协议的请求")
    case .hiddenRegistration:
      .init(
        SelectorFinding(.registration).message, es: "la app no ha registrado ningún documento",
        zh: "此 App 没有注册任何证件")
    case .hiddenEntitlement:
      .init(
        SelectorFinding(.entitlement).message, es: "la autorización de la app no incluye el tipo de documento",
        zh: "此 App 的权限不包含此证件类型")
    case .hiddenDocumentType:
      .init(
        SelectorFinding(.documentType).message, es: "la app no tiene ningún documento del tipo solicitado",
        zh: "此 App 没有所请求类型的证件")
    case .hiddenRegistrationValidity:
      .init(SelectorFinding(.registrationValidity).message, es: "el registro del documento ha caducado", zh: "证件的注册已过期")
    case .hiddenUnsigned:
      .init(
        SelectorFinding(.reader, .unsigned).message, es: "la app exige una solicitud firmada, y esta no lo está",
        zh: "此 App 要求已签名的请求，而此请求没有签名")
    case .hiddenUntrusted:
      .init(
        SelectorFinding(.reader, .untrusted).message,
        es: "la solicitud no está firmada con un certificado de una autoridad de lectores en la que la app confíe",
        zh: "请求未使用此 App 信任的读取器机构签发的证书签名")
    case .hiddenForged:
      .init(
        SelectorFinding(.reader, .forged).message,
        es:
          "la solicitud nombra una autoridad en la que la app confía, pero esa autoridad no ha emitido su certificado",
        zh: "请求声称来自此 App 信任的机构，但其证书并非由该机构签发")
    case .hiddenExpired:
      .init(
        SelectorFinding(.reader, .expired).message,
        es: "el certificado de lector de una autoridad en la que la app confía ha caducado",
        zh: "此 App 信任的机构所签发的读取器证书已过期")
    case .hiddenNotYetValid:
      .init(
        SelectorFinding(.reader, .notYetValid).message,
        es: "el certificado de lector de una autoridad de confianza aún no es válido",
        zh: "受信任机构的读取器证书尚未生效")
    case .hiddenIssuer:
      .init(
        SelectorFinding(.issuer).message, es: "el sitio web no acepta la autoridad expedidora del documento de la app",
        zh: "该网站不接受此 App 中证件的签发机构")
    case .hiddenUseCase:
      .init(
        SelectorFinding(.useCase).message,
        es: "la app no puede presentar a la vez todos los documentos que necesita el sitio web",
        zh: "此 App 无法同时出示网站需要的所有证件")

    case .helpAllow: .init("allow {app} in Settings", es: "permitir {app} en Ajustes", zh: "在“设置”中允许 {app}")
    case .helpProtocol:
      .init(
        "ask in a protocol that {app} answers, too", es: "usar también un protocolo al que {app} responda",
        zh: "同时使用 {app} 支持的协议发出请求")
    case .helpAddDocument: .init("add a document to {app}", es: "añadir un documento a {app}", zh: "在 {app} 中添加证件")
    case .helpEntitlement:
      .init(
        "add {type} to the entitlement of {app}", es: "añadir el tipo «{type}» a la autorización de {app}",
        zh: "将“{type}”加入 {app} 的权限")
    case .helpDocumentType: .init("ask for {type}", es: "solicitar un documento del tipo «{type}»", zh: "请求“{type}”")
    case .helpRegister:
      .init(
        "let {app} register the document with a later date",
        es: "dejar que {app} registre el documento con una fecha de caducidad posterior", zh: "让 {app} 重新注册证件并设置更晚的失效日期"
      )
    case .helpSign:
      .init(
        "sign the request for an authority that {app} trusts",
        es: "firmar la solicitud con un certificado de una autoridad en la que {app} confíe",
        zh: "使用 {app} 信任的机构签发的证书对请求进行签名")
    case .helpSignValidly:
      .init(
        "sign the request with a valid certificate of an authority that {app} trusts",
        es: "firmar la solicitud con un certificado válido de una autoridad en la que {app} confíe",
        zh: "使用 {app} 信任的机构签发的有效证书对请求进行签名")
    case .helpIssuer:
      .init(
        "accept the issuer of the document, or name no issuers in the request",
        es: "aceptar la autoridad expedidora del documento o no indicar ninguna en la solicitud",
        zh: "接受该证件的签发机构，或在请求中不指定签发机构")
    case .helpUseCase:
      .init(
        "add the missing document to {app}, or make the use case optional",
        es: "añadir a {app} el documento que falta, o hacer opcional ese caso de uso",
        zh: "在 {app} 中添加缺少的证件，或将该用例设为可选")

    case .noneLeft:
      .init(
        PresentmentNotice.noneLeft.message, es: "Ya no hay ninguna app en este dispositivo que pueda responder.",
        zh: "此设备上已没有 App 可以响应。")
    case .noLonger:
      .init(
        "{app} can no longer answer: {reason}.", es: "{app} ya no puede responder: {reason}.",
        zh: "{app} 已无法响应：{reason}。")
    case .noLongerOnDevice:
      .init("the app is no longer on this device", es: "la app ya no está en este dispositivo", zh: "此 App 已不在此设备上")
    case .didNotAnswer: .init("{app} did not answer.", es: "{app} no ha respondido.", zh: "{app} 没有响应。")

    case .asksToSee:
      .init(
        "{requester} asks to see your ID", es: "{requester} pide ver tu documento de identidad",
        zh: "{requester} 请求查看你的身份证件")
    case .asksFor: .init("{asker} asks for:", es: "{asker} pide:", zh: "{asker} 请求：")
    case .documentFrom: .init("{document} from {issuer}", es: "{document} de {issuer}", zh: "{document}（{issuer}）")
    case .consentOf: .init("{app}: consent", es: "{app}: consentimiento", zh: "{app}：同意")
    case .authorizationOf: .init("{app}: authorization", es: "{app}: autorización", zh: "{app}：授权")
    case .verifyWithLicense:
      .init("Verify with your license?", es: "¿Verificar con tu permiso de conducir?", zh: "要使用你的驾驶执照进行验证吗？")
    case .whatIsAskedFor: .init("What is asked for", es: "Datos solicitados", zh: "所请求的内容")
    case .nameCertifiedBy:
      .init("{authority} certified this name", es: "{authority} ha certificado este nombre", zh: "此名称由 {authority} 认证")
    case .nameCertified: .init("The name is certified", es: "El nombre está certificado", zh: "此名称已认证")
    case .nameNotCertified: .init("This name is not certified", es: "Este nombre no está certificado", zh: "此名称未经认证")
    case .willBeStored: .init("Will be stored", es: "Datos que se guardarán", zh: "将会存储")
    case .willNotBeStored: .init("Will not be stored", es: "Datos que no se guardarán", zh: "不会存储")
    case .notInDocument: .init("Not in the document", es: "No está en el documento", zh: "证件中没有")
    case .notGiven: .init("Not given", es: "No se compartirá", zh: "不提供")
    case .storageLegend:
      .init("● will be stored   ○ will not be stored", es: "● se guardará   ○ no se guardará", zh: "● 将会存储   ○ 不会存储")
    case .askedFor: .init("Asked for", es: "Datos solicitados", zh: "所请求的内容")
    case .stored: .init("Stored", es: "Se guarda", zh: "是否存储")
    case .yes: .init("Yes", es: "Sí", zh: "是")
    case .no: .init("No", es: "No", zh: "否")
    case .absentNotHeld: .init("not in the document", es: "no está en el documento", zh: "证件中没有")
    case .absentNotNeeded: .init("not given", es: "no se compartirá", zh: "不提供")
    case .intentNotStored: .init("will not be stored", es: "no se guardará", zh: "不会存储")
    case .intentStored: .init("will be stored", es: "se guardará", zh: "将会存储")
    case .intentStoredForDay: .init("will be stored for 1 day", es: "se guardará durante 1 día", zh: "将存储 1 天")
    case .intentStoredForDays:
      .init("will be stored for {days} days", es: "se guardará durante {days} días", zh: "将存储 {days} 天")
    case .shareWith: .init("Share with {requester}?", es: "¿Compartir con {requester}?", zh: "要与 {requester} 共享吗？")
    case .getsDetail:
      .init(
        "It gets {count} detail and stores {kept} of them.", es: "Recibirá {count} dato y guardará {kept}.",
        zh: "对方将获得 {count} 项信息，并存储其中 {kept} 项。")
    case .getsDetails:
      .init(
        "It gets {count} details and stores {kept} of them.", es: "Recibirá {count} datos y guardará {kept}.",
        zh: "对方将获得 {count} 项信息，并存储其中 {kept} 项。")
    case .lacksDetail:
      .init(
        "It also asks for {count} detail that it does not get.", es: "También pide {count} dato que no recibirá.",
        zh: "对方还请求 {count} 项信息，但不会获得。")
    case .lacksDetails:
      .init(
        "It also asks for {count} details that it does not get.", es: "También pide {count} datos que no recibirá.",
        zh: "对方还请求 {count} 项信息，但不会获得。")
    case .nothingBeforeShare:
      .init(
        "Nothing is shared before you press Share.", es: "No se comparte nada antes de que pulses «Compartir».",
        zh: "按下“共享”之前不会共享任何内容。")
    case .canGiveAnother: .init("You can give another document", es: "Puedes compartir otro documento", zh: "你可以提供其他证件")
    case .giveInstead: .init("give {document} instead", es: "compartir {document} en su lugar", zh: "改为提供{document}")
    case .documentOf: .init("{document}, {issuer}", es: "{document}, {issuer}", zh: "{document}，{issuer}")
    case .problemOf:
      .init(
        "{document}, {issuer} ({problem})", es: "{document}, {issuer} ({problem})", zh: "{document}，{issuer}（{problem}）"
      )
    case .documentExpired:
      .init(ProviderFinding(.document, .expired).message, es: "el documento ha caducado", zh: "证件已过期")
    case .documentNotYetValid:
      .init(ProviderFinding(.document, .notYetValid).message, es: "el documento aún no es válido", zh: "证件尚未生效")
    case .documentRegistrationEnded:
      .init(
        ProviderFinding(.document, .registrationEnded).message, es: "el registro del documento ha caducado",
        zh: "证件的注册已过期")
    case .documentsNotHeld:
      .init(
        ProviderFinding(.document).message, es: "la app no tiene todos los documentos que necesita el sitio web",
        zh: "此 App 没有网站需要的全部证件")
    case .countBelow: .init("{count} more below", es: "{count} más abajo", zh: "下面还有 {count} 项")
    case .moreBelow: .init("More below", es: "Más abajo", zh: "下面还有更多内容")
    case .readToEndFirst:
      .init("Read the list to its end first.", es: "Lee primero la lista hasta el final.", zh: "请先将列表浏览到底。")

    case .authorizeWithFaceID: .init("Authorize with Face ID", es: "Autorizar con Face ID", zh: "使用面容 ID 授权")
    case .authorizeWithTouchID: .init("Authorize with Touch ID", es: "Autorizar con Touch ID", zh: "使用触控 ID 授权")
    case .authorizeWithPasscode: .init("Authorize with passcode", es: "Autorizar con el código", zh: "使用密码授权")
    case .faceID: .init(OwnerAuthentication.Method.faceID.label, es: "Face ID", zh: "面容 ID")
    case .touchID: .init("Touch ID", es: "Touch ID", zh: "触控 ID")
    case .passcode: .init(OwnerAuthentication.Method.passcode.label, es: "Código", zh: "密码")
    case .doubleClick: .init("Double-click", es: "Pulsa dos veces", zh: "连按两下")
    case .lookingForFace: .init("Looking for your face.", es: "Buscando tu rostro.", zh: "正在识别你的面容。")
    case .notRecognized: .init("Not recognized", es: "No reconocido", zh: "未能识别")
    case .done: .init("Done", es: "Listo", zh: "完成")
    case .lookToHandOver:
      .init(
        "Look at the phone to hand over your ID.", es: "Mira el dispositivo para compartir tu documento de identidad.",
        zh: "请注视设备以提供你的身份证件。")
    case .enterPasscodeToHandOver:
      .init(
        "Enter the passcode to hand over your ID.", es: "Introduce el código para compartir tu documento de identidad.",
        zh: "请输入密码以提供你的身份证件。")
    case .touchToHandOver:
      .init(
        "Touch the sensor to hand over your ID.",
        es: "Pon el dedo en el sensor para compartir tu documento de identidad.", zh: "请触摸传感器以提供你的身份证件。")
    case .faceNotRecognized:
      .init(
        OwnerAuthentication.Failure.faceNotRecognized.message,
        es: "No se ha reconocido el rostro. Inténtalo de nuevo o introduce el código.", zh: "无法识别面容。请重试，或输入密码。")
    case .faceLocked:
      .init(
        OwnerAuthentication.Failure.faceLocked.message,
        es: "Face ID está bloqueado tras demasiados intentos. Introduce el código.", zh: "尝试次数过多，面容 ID 已锁定。请输入密码。")
    case .faceOff:
      .init(
        OwnerAuthentication.Failure.faceOff.message, es: "Face ID está desactivado. Introduce el código.",
        zh: "面容 ID 已关闭。请输入密码。")
    case .passcodeWrong:
      .init(
        OwnerAuthentication.Failure.passcodeWrong.message, es: "Código incorrecto. Inténtalo de nuevo.", zh: "密码错误。请重试。"
      )
    case .authenticationCancelled:
      .init(
        OwnerAuthentication.Failure.cancelled.message,
        es: "Se ha cancelado la autenticación. No se ha compartido nada.",
        zh: "身份验证已取消。未共享任何内容。")

    case .allowTitle: .init("Allow {app}?", es: "¿Permitir {app}?", zh: "要允许 {app} 吗？")
    case .promptQuestion:
      .init(
        "{app} would like to provide identity documents to websites.",
        es: "{app} quiere proporcionar documentos de identidad a sitios web.", zh: "{app} 想要向网站提供身份证件。")
    case .questionAbout: .init("Question about {app}", es: "Pregunta sobre {app}", zh: "关于 {app} 的询问")

    case .browser: .init("Browser", es: "Navegador", zh: "浏览器")
    case .browserOn: .init("Browser on {device}", es: "Navegador en {device}", zh: "{device} 上的浏览器")
    case .shareWithSite:
      .init(
        "Share your ID with this site?", es: "¿Compartir tu documento de identidad con este sitio?",
        zh: "要与此网站共享你的身份证件吗？")
    case .browserWarning: .init("Warning of the browser", es: "Advertencia del navegador", zh: "浏览器警告")
    case .warningLowRisk:
      .init(
        "This site wants information from your ID. Share it only with a site that you trust.",
        es: "Este sitio quiere datos de tu documento de identidad. Compártelos solo con un sitio en el que confíes.",
        zh: "此网站想获取你身份证件中的信息。请只与你信任的网站共享。")
    case .warningHighRisk:
      .init(
        "This site may be dangerous, and wants information from your ID.",
        es: "Este sitio puede ser peligroso y quiere datos de tu documento de identidad.",
        zh: "此网站可能有危险，并想获取你身份证件中的信息。")
    case .newTab: .init("New tab", es: "Pestaña nueva", zh: "新标签页")
    case .websites: .init("Websites", es: "Sitios web", zh: "网站")

    case .useYourPhone: .init("Use your phone", es: "Usa tu teléfono", zh: "使用你的手机")
    case .turnOnBluetooth:
      .init("Turn on Bluetooth to use your phone.", es: "Activa Bluetooth para usar tu teléfono.", zh: "打开蓝牙以使用你的手机。")
    case .scanWithPhone:
      .init("Scan this QR code with your phone.", es: "Escanea este código QR con tu teléfono.", zh: "用你的手机扫描此二维码。")
    case .phoneNear:
      .init("Your phone is near. Connecting…", es: "Tu teléfono está cerca. Conectando…", zh: "你的手机就在附近。正在连接…")
    case .phoneConnected: .init("Connected with your phone.", es: "Conectado a tu teléfono.", zh: "已连接到你的手机。")
    case .followOnPhone:
      .init("Follow the steps on your phone.", es: "Sigue los pasos en tu teléfono.", zh: "请按照手机上的步骤操作。")
    case .notification: .init("Notification", es: "Notificación", zh: "通知")
    case .now: .init("now", es: "ahora", zh: "现在")
    case .notificationTitle:
      .init(
        "Verify your identity for {website}, on {mac}", es: "Verifica tu identidad para {website} en {mac}",
        zh: "在 {mac} 上为 {website} 验证你的身份")
    case .nearbyModel:
      .init(
        NearbyModel.label,
        es: "Un modelo de presentment: el protocolo de Apple con un iPhone cercano no es público.",
        zh: "由 presentment 模拟：Apple 与附近 iPhone 通信的协议并未公开。")
    case .continueTitle: .init("Continue on your iPhone", es: "Continúa en tu iPhone", zh: "在你的 iPhone 上继续")
    case .continueOn: .init("Continue on {device}.", es: "Continúa en {device}.", zh: "在 {device} 上继续。")
    case .continuingOn: .init("Continuing on {device}.", es: "Continuando en {device}.", zh: "正在 {device} 上继续。")
    case .either: .init("{one} or {other}", es: "{one} o {other}", zh: "{one} 或 {other}")
    case .declinedOnIPhone:
      .init(
        "Declined on the iPhone. You can use another device.",
        es: "Rechazado en el iPhone. Puedes usar otro dispositivo.",
        zh: "已在 iPhone 上拒绝。你可以使用其他设备。")
    case .noAppOnIPhone:
      .init(
        "No app on the iPhone can answer. You can use another device.",
        es: "Ninguna app del iPhone puede responder. Puedes usar otro dispositivo.",
        zh: "iPhone 上没有 App 可以响应。你可以使用其他设备。")
    case .codeForPhone: .init("QR code for the phone", es: "Código QR para el teléfono", zh: "供手机扫描的二维码")

    case .showCodeToReader: .init("Show this code to the reader", es: "Muestra este código al lector", zh: "向读取器出示此二维码")
    case .holdToReader:
      .init("Hold your device to the reader.", es: "Acerca tu dispositivo al lector.", zh: "请将设备靠近读取器。")
    case .codeForReader: .init("QR code for the reader", es: "Código QR para el lector", zh: "供读取器扫描的二维码")

    case .noWebsiteAsks:
      .init("No website is asking for anything.", es: "Ningún sitio web pide nada.", zh: "目前没有网站发出请求。")
    case .scanCode: .init("Scan the QR code", es: "Escanear el código QR", zh: "扫描二维码")
    case .showMyCode: .init("Show my code", es: "Mostrar mi código", zh: "显示我的二维码")
    case .appsOnPhone: .init("Apps on this phone", es: "Apps de este teléfono", zh: "这部手机上的 App")
    case .appsOnIPad: .init("Apps on this iPad", es: "Apps de este iPad", zh: "这台 iPad 上的 App")
    case .home: .init("Home", es: "Inicio", zh: "主屏幕")
    case .settings: .init("Settings", es: "Ajustes", zh: "设置")
    case .appStore: .init("App Store", es: "App Store", zh: "App Store")
    case .phone: .init("Phone", es: "Teléfono", zh: "手机")
    case .noAppAsked:
      .init(
        "No app has asked to provide documents.", es: "Ninguna app ha pedido permiso para proporcionar documentos.",
        zh: "没有 App 请求提供证件。")
    case .noOtherApp: .init("There is no other app.", es: "No hay ninguna otra app.", zh: "没有其他 App。")
    case .appHasNoDocuments: .init("This app has no documents.", es: "Esta app no tiene documentos.", zh: "此 App 没有证件。")
    case .holds: .init("Holds {documents}.", es: "Contiene {documents}.", zh: "包含 {documents}。")
    case .holdsNothing: .init("Holds no documents.", es: "No contiene documentos.", zh: "不包含证件。")

    case .turnFaceIDOn: .init("Turn Face ID on", es: "Activar Face ID", zh: "打开面容 ID")
    case .turnFaceIDOff: .init("Turn Face ID off", es: "Desactivar Face ID", zh: "关闭面容 ID")
    case .turnFlightModeOn: .init("Turn flight mode on", es: "Activar el modo avión", zh: "打开飞行模式")
    case .turnFlightModeOff: .init("Turn flight mode off", es: "Desactivar el modo avión", zh: "关闭飞行模式")
    case .flightMode: .init("Flight mode", es: "Modo avión", zh: "飞行模式")
    case .install: .init("Install {app}", es: "Instalar {app}", zh: "安装 {app}")
    case .update: .init("Update {app}", es: "Actualizar {app}", zh: "更新 {app}")
    case .remove: .init("Remove {app}", es: "Eliminar {app}", zh: "移除 {app}")
    case .switchOn: .init("Switch {app} on", es: "Activar {app}", zh: "打开 {app}")
    case .switchOff: .init("Switch {app} off", es: "Desactivar {app}", zh: "关闭 {app}")
    case .deleteDocument: .init("Delete {document}", es: "Eliminar {document}", zh: "删除 {document}")
    case .getDocument: .init("Get {document}", es: "Obtener {document}", zh: "获取 {document}")
    case .renewDocument: .init("Renew {document}", es: "Renovar {document}", zh: "续签 {document}")

    case .sent: .init("Sent", es: "Enviado", zh: "已发送")
    case .sentMeans:
      .init(
        "Your answer is sealed. Only the website’s server can open it.",
        es: "Tu respuesta va cifrada. Solo el servidor del sitio web puede abrirla.", zh: "你的回复已加密，只有该网站的服务器能够解密。")
    case .declined: .init("Declined", es: "Rechazado", zh: "已拒绝")
    case .ended: .init("Ended", es: "Finalizado", zh: "已结束")
    case .stopped: .init("Stopped", es: "Detenido", zh: "已停止")
    case .nothingLeftDevice:
      .init(
        "Nothing about you left this device.", es: "Ningún dato tuyo ha salido de este dispositivo.",
        zh: "你的任何信息都没有离开此设备。")
    case .result: .init("Result", es: "Resultado", zh: "结果")
    }
  }
}

extension ScreenWord {
  /// The texts that are the same in another language as in English, and are translated all the same.
  package static let unchanged: [Language: Set<ScreenWord>] = [
    .spanish: [.faceID, .touchID, .appStore, .no, .nameAndText, .severalOf, .documentOf, .problemOf],
    .simplifiedChinese: [.appStore],
  ]

  /// The controls with a name: the English label, which steps and messages have.
  private static let controls: [ScreenWord] = [
    .accept, .allow, .anotherDevice, .cancel, .close, .continue, .decline, .doNotAllow, .notNow, .share,
    .useQRCode,
  ]

  /// Returns the text of a control with a name; nil for one of an app of its own.
  package static func control(named name: String) -> ScreenText? {
    controls.first { $0.english == name }.map { ScreenText($0) }
  }
}

extension SelectorFinding {
  /// The reason why the finding hides an app, and the change that makes the app appear.
  var words: (hidden: ScreenWord, help: ScreenWord) {
    switch check {
    case .appAuthorization: (.hiddenAppAuthorization, .helpAllow)
    case .exchangeProtocol: (.hiddenProtocol, .helpProtocol)
    case .registration: (.hiddenRegistration, .helpAddDocument)
    case .entitlement: (.hiddenEntitlement, .helpEntitlement)
    case .documentType: (.hiddenDocumentType, .helpDocumentType)
    case .registrationValidity: (.hiddenRegistrationValidity, .helpRegister)
    case .reader:
      switch reason {
      case .unsigned: (.hiddenUnsigned, .helpSign)
      case .forged: (.hiddenForged, .helpSignValidly)
      case .expired: (.hiddenExpired, .helpSignValidly)
      case .notYetValid: (.hiddenNotYetValid, .helpSignValidly)
      case .untrusted, nil: (.hiddenUntrusted, .helpSignValidly)
      }
    case .issuer: (.hiddenIssuer, .helpIssuer)
    case .useCase: (.hiddenUseCase, .helpUseCase)
    }
  }
}

extension PresentmentNotice {
  /// The text for the person. An app's own reason for not answering is for developers.
  var text: ScreenText {
    switch kind {
    case .noneLeft: ScreenText(.noneLeft)
    case .noLonger(let app, let finding):
      ScreenText(
        .noLonger,
        ["app": .name(app), "reason": .text(ScreenText(finding?.words.hidden ?? .noLongerOnDevice))])
    case .didNotAnswer(let app): ScreenText(.didNotAnswer, ["app": .name(app)])
    }
  }
}

extension OwnerAuthentication.Method {
  /// The name for people.
  public var word: ScreenWord {
    switch self {
    case .faceID: .faceID
    case .passcode: .passcode
    }
  }
}

extension OwnerAuthentication.Failure {
  /// The text for the person.
  var text: ScreenText {
    switch self {
    case .faceNotRecognized: ScreenText(.faceNotRecognized)
    case .faceLocked: ScreenText(.faceLocked)
    case .faceOff: ScreenText(.faceOff)
    case .passcodeWrong: ScreenText(.passcodeWrong)
    case .cancelled: ScreenText(.authenticationCancelled)
    }
  }
}

extension ProviderFinding {
  /// The reason for the person not to give a document, if the finding is about one.
  var text: ScreenText? {
    guard check == .document else { return nil }
    return switch reason {
    case .expired: ScreenText(.documentExpired)
    case .notYetValid: ScreenText(.documentNotYetValid)
    case .registrationEnded: ScreenText(.documentRegistrationEnded)
    default: ScreenText(.documentsNotHeld)
    }
  }
}

extension AuthorizationScreen.Element.Absence {
  /// The reason in words.
  var text: ScreenText {
    switch self {
    case .notHeld: ScreenText(.absentNotHeld)
    case .notNeeded: ScreenText(.absentNotNeeded)
    }
  }
}

extension PKIdentityIntentToStore {
  /// The intention in words.
  var text: ScreenText {
    guard mayStoreElement else { return ScreenText(.intentNotStored) }
    return switch days {
    case nil: ScreenText(.intentStored)
    case 1?: ScreenText(.intentStoredForDay)
    case let days?: ScreenText(.intentStoredForDays, ["days": .name(String(days))])
    }
  }
}

extension ClientPlatformMachine.Progress {
  /// The progress in words, for the person.
  package var word: ScreenWord {
    switch self {
    case .bluetoothIsOff: .turnOnBluetooth
    case .showingQR: .scanWithPhone
    case .heardPhone: .phoneNear
    case .phoneConnected: .phoneConnected
    case .readyForRequest: .followOnPhone
    }
  }
}
