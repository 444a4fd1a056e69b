import BatonSyntax

/// What a run that generates a part of a project knows of the other definitions.
///
/// The names of Swift types and the shared files depend on all definitions; everything else depends on a definition and
/// on the fragments that it reaches.
package struct StandingDefinitions: Sendable {
    /// An operation that the run does not read.
    package struct Operation: Hashable, Sendable {
        package var name: String
        package var kind: OperationKind
        /// Whether the request of the operation is a type of its own.
        package var isPreloadable: Bool

        package init(name: String, kind: OperationKind, isPreloadable: Bool) {
            self.name = name
            self.kind = kind
            self.isPreloadable = isPreloadable
        }
    }

    /// The names of the fragments, with those that connections make of their edges.
    package var fragments: [String] = []
    package var operations: [Operation] = []
    /// The names of the queries that `@refetchable` makes from the fragments.
    package var refetchQueries: [String] = []
    /// The names of the types of the schema that the files of these definitions use.
    package var usedTypes: Set<String> = []
    /// The names of the providers that the fragments name.
    package var providers: Set<String> = []

    package init() {}
}
