import BatonIR
import BatonSchema
import BatonSyntax

/// The metadata with which a runtime fetches another page of a connection.
package struct ConnectionMetadata: Sendable, Hashable {
    /// The response keys from the fragment to the connection; nil if there is a list between them.
    package let path: [String]?
    /// The variables that choose a page after the present one, and a page before it. A direction without variables is
    /// nil.
    package let forward: PageVariables?
    package let backward: PageVariables?

    package struct PageVariables: Sendable, Hashable {
        package let count: String
        package let cursor: String?
    }

    /// The connections among selections, in document order, without those in other fragments.
    static func all(in selections: [TypedSelection]) -> [ConnectionMetadata] {
        var found: [ConnectionMetadata] = []
        collect(selections, path: [], into: &found)
        return found
    }

    /// The parser's nesting limit bounds the recursion.
    private static func collect(
        _ selections: [TypedSelection], path: [String]?, into found: inout [ConnectionMetadata]
    ) {
        for selection in selections {
            switch selection {
            case .field(let field):
                let own = path.flatMap { field.definition.type.isList ? nil : $0 + [field.responseKey] }
                if field.connection != nil { found.append(ConnectionMetadata(of: field, path: own)) }
                collect(field.selections, path: own, into: &found)
            case .inlineFragment(let inline): collect(inline.selections, path: path, into: &found)
            case .spread: break
            }
        }
    }

    private init(of field: TypedField, path: [String]?) {
        func variable(_ name: String) -> String? {
            guard case .variable(let variable)? = field.arguments.first(where: { $0.name.text == name })?.value else {
                return nil
            }
            return variable.name
        }
        func page(_ count: String, _ cursor: String) -> PageVariables? {
            variable(count).map { PageVariables(count: $0, cursor: variable(cursor)) }
        }
        self.path = path
        forward = page("first", "after")
        backward = page("last", "before")
    }
}
