enum SourceSample {
  /// The scenario of the design, word for word.
  static let design = """
    scenario: Rent a spaceship with an ID in Wallet
    because: the headline flow of the whole system
    seed: 7
    clock: 2025-09-15T17:00:00Z
    world: spaceport                    # scenarios/worlds/spaceport.yaml, or written inline
    steps:
      - person: { visits: spaceship-rentals, on: kellys-iphone }
      - person: { taps: Verify Identity }
      - selector: { shows: [Wallet, Local Driving Authority], hides: { Other Wallet: selector.reader/untrusted } }
      - person: { picks: Wallet }
      - consent:
          requester: Spaceship Rentals
          asks: [given_name, family_name, age_over_21, portrait, driving_privileges]
          retains: [given_name, family_name]
      - person: { authorizes-with: face-id }
      - website: { verified: { given_name: Kelly, age_over_21: true } }

    """
}
