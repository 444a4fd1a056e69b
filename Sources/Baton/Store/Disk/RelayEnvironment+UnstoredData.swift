extension RelayEnvironment {
    /// What the file of an environment never gets.
    ///
    /// The compiler makes one of the names under `unstored` in `baton.json`, each of which it has looked up in the
    /// schema:
    ///
    ///     SQLitePersistence(at: url, unstored: .configured)
    ///
    /// In a file with another list, everything is dropped at its opening. After a restart what was left out is missing,
    /// and the fetch policy of a query decides as always. What a local update or an optimistic layer copies into other
    /// fields is stored there.
    public struct UnstoredData: Sendable, Hashable {
        /// The names of object types. Their records are left out, with everything in them that has no identity of its
        /// own, the edges of connections that lead to them, and the links and whole lists that do.
        public var types: Set<String>
        /// Fields as `User.email`. They are left out with everything below them that has no identity of its own, and so
        /// are the lists of their connections. A field of the root, such as `Query.viewer`, is left out of roots of
        /// every kind, and a root leaves out the fields of all types by their names.
        public var fields: Set<String>
        /// The names of operations. The fields that a response to one has brought last are left out, and removed where
        /// an earlier response had brought them.
        public var operations: Set<String>

        /// Names what is left out. A name that the schema does not have leaves out nothing.
        public init(types: Set<String> = [], fields: Set<String> = [], operations: Set<String> = []) {
            self.types = types
            self.fields = fields
            self.operations = operations
        }

        /// True if nothing is left out.
        package var isEmpty: Bool { types.isEmpty && fields.isEmpty && operations.isEmpty }

        /// All names, in an order that depends on the names alone.
        package var text: String {
            (types.map { "type \($0)" } + fields.map { "field \($0)" } + operations.map { "operation \($0)" })
                .sorted().joined(separator: "\n")
        }

        /// The error for a field without a type; nil if there is none. Such a file is not opened, because the field
        /// would be stored.
        package var mistake: PersistenceError? {
            let wrong = fields.sorted().first { field in
                let parts = field.split(separator: ".", omittingEmptySubsequences: false)
                return parts.count != 2 || parts.contains("")
            }
            return wrong.map { PersistenceError("'\($0)' in 'unstored' is no field, which has the form 'Type.field'") }
        }
    }
}
