import TestSupport
import Testing

/// Requirements of tests. A test or suite whose requirement is missing is skipped; `make test` counts and names it with
/// the comment given here.
extension Trait where Self == ConditionTrait {
  /// Requires the known answers of other implementations.
  public static var requiresVectors: Self {
    .enabled(if: Vectors.areHere, "requires the vectors of other implementations (PRESENTMENT_VECTORS)")
  }

  /// Requires the Python that `make test` installs.
  public static var requiresPython: Self {
    .enabled(if: Programs.hasPython, "requires the Python of make test (PRESENTMENT_PYTHON)")
  }
}
