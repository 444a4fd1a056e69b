import BatonIR
import BatonSyntax

/// A handle of a field: beside the field, the store keeps a value that a handler makes from the field.
///
/// A connection is a handle: of `films(first: 10, genre: $genre) @connection(key: "List_films")` the store keeps all
/// pages under `__List_films_connection(genre)`.
package struct FieldHandle: Hashable, Sendable {
    /// The name of the handler, such as `connection`.
    package let handler: String
    package let key: String
    /// The names of the arguments that distinguish copies of the handle, in document order.
    package let filters: [String]
    /// A variable or a string that distinguishes copies of the handle, in addition to the filters; nil without one.
    package let dynamicKey: Value?

    /// Makes the handle for a field's directives; nil without such a directive.
    init?(of field: TypedField) {
        guard !field.directives.isEmpty, let directive = field.connection,
            case .string(let key)? = directive.argument("key")
        else { return nil }
        self.key = key.text
        if case .string(let handler)? = directive.argument("handler") {
            self.handler = handler.text
        } else {
            handler = "connection"
        }
        dynamicKey = directive.argument("dynamicKey_UNSTABLE").flatMap { $0.isNull ? nil : $0 }
        if case .list(let list)? = directive.argument("filters") {
            filters = list.values.compactMap { value in
                if case .string(let name) = value { name.text } else { nil }
            }
        } else {
            filters = field.arguments.map(\.name.text).filter { !Self.pageArguments.contains($0) }
        }
    }

    /// The arguments that choose a page of a connection.
    static let pageArguments: Set<String> = ["first", "last", "after", "before"]
}
