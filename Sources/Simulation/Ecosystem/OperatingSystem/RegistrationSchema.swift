/// The tables of the registrations.
///
/// Types and key identifiers are stored once, and registrations refer to them by number. They are kept after their last
/// registration is removed: there are few, and most are used again.
enum RegistrationSchema {
  static let kind = DatabaseKind(
    name: "registrations of a device", letters: "PrRg",
    migrations: [DatabaseKind.Migration(identifier: "registrations", statements: tables + indexes)])

  // A registration without an end has an infinite invalidation, so that one order works for all. `isEntitled`,
  // `acceptsAnyReader` and the type of an authority repeat the content of other tables, because the indexes for the
  // selection need them. Dates are seconds since 2001-01-01T00:00:00Z, as in Foundation, so that they are read back
  // exactly.
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

  // In this order: registrations of a type by authority; registrations without an authority; and the longest valid
  // registration of an app, by type and by entitlement.
  private static let indexes = """
    CREATE INDEX registrationAuthorityByKey ON registrationAuthority (key, type);
    CREATE INDEX registrationOfAnyReader ON registration (type) WHERE acceptsAnyReader;
    CREATE INDEX registrationByType ON registration (app, type, invalidation DESC, documentIdentifier);
    CREATE INDEX registrationByEntitlement ON registration (app, isEntitled, invalidation DESC, documentIdentifier);
    """
}
