/// Which findings of a verification refuse. Whatever the standard requires of both ends refuses under each of them.
public enum VerificationPolicy: String, Sendable, CaseIterable {
  /// Departures that are seen in the wild and do no harm are accepted, each with a finding.
  case standard
  /// Those refuse too.
  case strict
}
