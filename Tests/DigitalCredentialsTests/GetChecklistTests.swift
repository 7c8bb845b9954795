import DigitalCredentials
import Testing

@Suite("get(): options, signal and mediation")
struct GetChecklistTests {
  static let drawings: [Drawing] = [
    Drawing(
      "GET-01",
      """
      get 1 no-act < {"digital":{"requests":[{"protocol":"org-iso-mdoc","data":null}]}}  => reject 1 TypeError
      get 2 no-act < {"digital":{"requests":[{"protocol":"org-iso-mdoc","data":""}]}}    => reject 2 TypeError
      get 3 no-act < {"digital":{"requests":[{"protocol":"org-iso-mdoc","data":123}]}}   => reject 3 TypeError
      get 4 no-act < {"digital":{"requests":[{"protocol":"org-iso-mdoc","data":true}]}}  => reject 4 TypeError
      get 5 no-act < {"digital":{"requests":[{"protocol":"org-iso-mdoc","data":false}]}} => reject 5 TypeError
      """),
    Drawing(
      "GET-02",
      """
      get 1 no-act < null                       => reject 1 NotSupportedError browser.credential-type/missing
      get 2 no-act < {}                         => reject 2 NotSupportedError
      get 3 no-act < {"x":"y"}                  => reject 3 NotSupportedError
      get 4 no-act < {"mediation":"required"}   => reject 4 NotSupportedError
      get 5 inner no-act < {}                   => reject 5 NotSupportedError
      get 6 < {"publicKey":{}}                  => reject 6 NotSupportedError browser.credential-type/missing
      """),
    Drawing(
      "GET-03",
      """
      get 1 no-act < {"digital":{}}              => reject 1 TypeError browser.options/missing-member
      get 2 no-act < {"digital":{"requests":[]}} => reject 2 TypeError browser.requests/empty
      """),
    Drawing(
      "GET-04", "get 1 inner no-act < {\"digital\":{\"requests\":[]}} => reject 1 TypeError browser.requests/empty"),
    Drawing(
      "GET-04", .safariMain2026,
      "get 1 inner no-act unfocused < {\"digital\":{\"requests\":[]}} => reject 1 NotAllowedError browser.attention"),
    Drawing(
      "GET-05", "get 1 frame no-act < {\"digital\":{\"requests\":[]}} => reject 1 TypeError browser.requests/empty"),
    Drawing(
      "GET-06",
      """
      get 1 no-act aborted < {}                          => reject 1 AbortError browser.signal
      get 2 no-act aborted < {"digital":{"requests":[]}} => reject 2 AbortError browser.signal
      """),
    Drawing("GET-07", "get 1 inner aborted < {\"digital\":{\"requests\":[]}} => reject 1 AbortError"),
    Drawing(
      "GET-08",
      """
      get 1 frame aborted < null                        => reject 1 AbortError
      get 2 frame aborted < {}                          => reject 2 AbortError
      get 3 frame aborted < {"digital":{"requests":[]}} => reject 3 AbortError
      """),
    Drawing(
      "GET-09",
      """
      get 1   => consume 1, present 1
      abort 1 => dismiss 1, reject 1 AbortError browser.signal
      """),
    Drawing(
      "GET-10",
      """
      get 1 frame => consume 1, present 1
      abort 1     => dismiss 1, reject 1 AbortError
      """),
    Drawing(
      "GET-11",
      """
      get 1 < {"mediation":"silent","digital":{"requests":[$mdoc]}}      => consume 1, present 1
      abort 1 Error                                                      => dismiss 1, reject 1 Error
      get 2 < {"mediation":"optional","digital":{"requests":[$mdoc]}}    => consume 2, present 2
      abort 2 Error                                                      => dismiss 2, reject 2 Error
      get 3 < {"mediation":"required","digital":{"requests":[$mdoc]}}    => consume 3, present 3
      abort 3 Error                                                      => dismiss 3, reject 3 Error
      get 4 < {"mediation":"conditional","digital":{"requests":[$mdoc]}} => consume 4, present 4
      abort 4 Error                                                      => dismiss 4, reject 4 Error
      """),
    Drawing(
      "GET-12", .safariMain2026,
      """
      get 1 < {"mediation":"conditional","digital":{"requests":[$mdoc]}} \
      => reject 1 TypeError browser.mediation
      """),
    Drawing("GET-14", "get 1 < {\"digital\":{}} => reject 1 TypeError browser.options/missing-member"),
    Drawing(
      "GET-15",
      """
      get 1 < {"digital":{"requests":[{"protocol":"bogus","data":1},$openid]}} => reject 1 TypeError
      """),
    Drawing("GET-16", "get 1 < {\"digital\":{\"requests\":[{},{}]}} => reject 1 TypeError"),
    Drawing(
      "GET-17",
      """
      get 1 < {"digital":{"requests":[$mdoc,{"protocol":"bogus","data":1},$mdoc]}} => reject 1 TypeError
      """),
    Drawing(
      "GET-18",
      """
      get 1 < {"digital":{"requests":[{"protocol":"x","data":1},$mdoc,{"protocol":"x","data":1}]}} \
      => reject 1 TypeError
      """),
    Drawing(
      "GET-19",
      """
      get 1   => consume 1, present 1
      abort 1 => dismiss 1, reject 1 AbortError
      get 2   => consume 2, present 2
      """),
    Drawing(
      "mixed credential types",
      """
      get 1 < {"publicKey":{},"digital":{"requests":[$mdoc]}} \
      => reject 1 NotSupportedError browser.credential-type/mixed
      get 2 < {"password":false,"digital":{"requests":[$mdoc]}} => consume 2, present 2
      """),
    Drawing("no chooser", "get 1 no-act no-chooser => resolve 1 null"),
  ]

  @Test("Draws checklist section 1", arguments: drawings)
  func get(drawing: Drawing) throws {
    try drawing.run()
  }
}
