import TestSupport
import Testing

/// Requirements of tests. A test or suite whose requirement is missing is skipped; `make test` counts and names it with
/// the comment given here.
extension Trait where Self == ConditionTrait {
  /// Requires any of the known answers of other implementations: the test runs for each file that is there.
  public static var requiresVectors: Self {
    .enabled(if: Vectors.areHere, "requires the vectors of other implementations (make vectors)")
  }

  /// Requires some files of the known answers of other implementations.
  /// - Parameter names: The paths in their folder, without the extension of JSON files.
  public static func requiresVectors(_ names: String...) -> Self {
    .enabled(
      if: names.allSatisfy(Vectors.has),
      "requires \(names.joined(separator: ", ")) of the vectors of other implementations (make vectors)")
  }

  /// Requires every file of the known answers of other implementations.
  public static var requiresEveryVectorFile: Self {
    .enabled(
      if: Vectors.names.allSatisfy(Vectors.has),
      "requires every file of the vectors of other implementations (PRESENTMENT_VECTORS)")
  }

  /// Requires the known answers for requests across devices.
  public static var requiresHybridVectors: Self {
    .enabled(if: Vectors.hybridAreHere, "requires the vectors of requests across devices (PRESENTMENT_VECTORS)")
  }

  /// Requires the known answers for presentation in person.
  public static var requiresProximityVectors: Self {
    .enabled(if: Vectors.proximityAreHere, "requires the vectors of presentation in person (PRESENTMENT_VECTORS)")
  }

  /// Requires the known answers for OpenID4VP.
  public static var requiresOpenID4VPVectors: Self {
    .enabled(if: Vectors.openID4VPAreHere, "requires the vectors of OpenID4VP (PRESENTMENT_VECTORS)")
  }

  /// Requires zbarimg, which `make test` installs.
  public static var requiresBarcodeReader: Self {
    .enabled(if: BarcodeReader.isHere, "requires zbarimg, of the Debian package zbar-tools")
  }

  /// Requires the Python that `make test` installs.
  public static var requiresPython: Self {
    .enabled(if: Programs.hasPython, "requires the Python of make test (PRESENTMENT_PYTHON)")
  }

  /// Requires the schemas of JUnit's XML, which `make test` fetches.
  public static var requiresJUnitSchemas: Self {
    .enabled(if: !Programs.jUnitSchemas.isEmpty, "requires the schemas of JUnit that make test fetches (.build/junit)")
  }
}

extension Trait where Self == TimeLimitTrait {
  /// Ends a test that would wait forever. The tests with processes and sockets take less than two minutes together, and
  /// start at the same time: on a machine that is twenty times slower, the last of them ends after 40 minutes.
  public static var backstop: Self { .timeLimit(.minutes(60)) }
}
