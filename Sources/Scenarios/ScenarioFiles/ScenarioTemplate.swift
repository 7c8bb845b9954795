import LocatedYAML

/// A new scenario file with comments, which passes when it is run.
public enum ScenarioTemplate {
  /// The text of the file.
  /// - Parameter title: The title of the scenario.
  public static func text(title: String) -> String {
    """
    # A scenario is a world, what happens in it, and what must come of it. Run it with: presentment run FILE
    scenario: \(YAMLValue.text(title).flow)
    # Why the expectations must hold; a failure shows this.
    because: the person agrees, so the site gets the elements that it asked for
    # The same seed gives the same bytes.
    seed: 1
    clock: 2025-09-15T17:00:00Z

    # A world of your own. It can also be a file: `world: NAME` is worlds/NAME.yaml.
    world:
      authorities:
        issuers: { dmv: { name: Harbor DMV, country: US, state: US-CA } }
        readers: { registry: { name: Business Registry } }
      websites:
        shop:
          origin: https://shop.example
          brand: { name: Harbor Shop }
          # The reader authorities that certify the site, and the issuers whose documents it accepts.
          signs-for: [registry]
          accepts-issuers: [dmv]
          # `retain` for what the site stores, `show` for what it only looks at.
          asks: { org.iso.18013.5.1.mDL: { org.iso.18013.5.1: { given_name: show, age_over_21: retain } } }
      devices:
        phone:
          apps:
            Wallet:
              trusts-readers: [registry]
              documents:
                - type: org.iso.18013.5.1.mDL
                  issuer: dmv
                  elements: { given_name: Ada, age_over_21: true }

    # Actions and expectations in order. An expectation looks at what happened since the action before it.
    steps:
      - person: { visits: shop, on: phone }
      - person: { taps: Verify Identity }
      - selector: { shows: [Wallet] }
      - person: { picks: Wallet }
      - released: never
        because: the app gets the request only after the person has agreed
      - consent: { requester: Harbor Shop, certified: true, asks: [given_name, age_over_21], retains: [age_over_21] }
      - person: { authorizes-with: face-id }
      - website: { verified: { given_name: Ada, age_over_21: true } }

    # Faults that act from the first step on; `presentment faults` lists them. Take the # away, and the run shows where
    # the altered response is noticed:
    # faults: [network.response-altered]

    """
  }
}
