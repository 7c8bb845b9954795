/// The tables of the registrations.
///
/// Names of types and key identifiers stand once each, and a registration names them by number. They stay when the last
/// registration that names them goes: there are few of them, and most come again.
enum RegistrationSchema {
  static let kind = DatabaseKind(
    name: "registrations of a device", letters: "PrRg",
    migrations: [DatabaseKind.Migration(identifier: "registrations", statements: tables + indexes)])

  // A registration that lasts for ever has an infinite invalidation, so that one order serves all. `isEntitled` and
  // `acceptsAnyReader` say again what other tables say, and so does the type of an authority: selection needs them in
  // its indexes. Dates are seconds since 2001-01-01T00:00:00Z, as Foundation keeps them, to come back exactly.
  private static let tables = """
    CREATE TABLE app (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, status TEXT NOT NULL
    );
    CREATE TABLE documentType (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE
    );
    CREATE TABLE keyIdentifier (
      id INTEGER PRIMARY KEY, bytes BLOB NOT NULL UNIQUE
    );
    CREATE TABLE entitlement (
      app INTEGER NOT NULL REFERENCES app ON DELETE CASCADE,
      type INTEGER NOT NULL REFERENCES documentType,
      PRIMARY KEY (app, type)
    ) WITHOUT ROWID;
    CREATE TABLE registration (
      id INTEGER PRIMARY KEY,
      app INTEGER NOT NULL REFERENCES app ON DELETE CASCADE,
      type INTEGER NOT NULL REFERENCES documentType,
      documentIdentifier TEXT NOT NULL,
      invalidation REAL NOT NULL,
      isEntitled INTEGER NOT NULL,
      acceptsAnyReader INTEGER NOT NULL,
      UNIQUE (app, documentIdentifier)
    );
    CREATE TABLE registrationAuthority (
      registration INTEGER NOT NULL REFERENCES registration ON DELETE CASCADE,
      position INTEGER NOT NULL,
      key INTEGER NOT NULL REFERENCES keyIdentifier,
      type INTEGER NOT NULL REFERENCES documentType,
      PRIMARY KEY (registration, position)
    ) WITHOUT ROWID;
    CREATE TABLE registrationIssuer (
      registration INTEGER NOT NULL REFERENCES registration ON DELETE CASCADE,
      position INTEGER NOT NULL,
      key INTEGER NOT NULL REFERENCES keyIdentifier,
      PRIMARY KEY (registration, position)
    ) WITHOUT ROWID;
    """

  // In this order: which registrations of a type name an authority; which name none; and which of an app's lasts
  // longest, among those of a type and among those whose type the entitlement lists or does not.
  private static let indexes = """
    CREATE INDEX registrationAuthorityByKey ON registrationAuthority (key, type);
    CREATE INDEX registrationOfAnyReader ON registration (type) WHERE acceptsAnyReader;
    CREATE INDEX registrationByType ON registration (app, type, invalidation DESC, documentIdentifier);
    CREATE INDEX registrationByEntitlement ON registration (app, isEntitled, invalidation DESC, documentIdentifier);
    """
}
