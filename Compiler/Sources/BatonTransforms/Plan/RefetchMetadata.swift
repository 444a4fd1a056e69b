import BatonIR
import BatonSchema
import BatonSyntax

/// The metadata with which a runtime fetches a fragment with `@refetchable` again.
package struct RefetchMetadata: Sendable, Hashable {
    package let query: String
    /// The response keys from the root of the query to the fragment.
    package let path: [String]
    /// The field of the fragment and the variable of the query that identify the object; nil if the query has only one
    /// such object.
    package let identifier: Identifier?
    /// The connection of the fragment; nil unless there is exactly one.
    package var connection: ConnectionMetadata?

    package struct Identifier: Sendable, Hashable {
        package let field: String
        package let variable: String
    }
}

extension RefetchMetadata {
    /// The metadata of fragments, by their names.
    static func all(of program: Program) -> [String: RefetchMetadata] {
        var result: [String: RefetchMetadata] = [:]
        for fragment in program.fragments {
            guard var metadata = GenerateRefetchQueries.metadata(of: fragment, in: program.schema) else { continue }
            let connections = ConnectionMetadata.all(in: fragment.selections)
            if connections.count == 1 { metadata.connection = connections.first }
            result[fragment.name] = metadata
        }
        return result
    }
}
