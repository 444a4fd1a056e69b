import Baton
import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// A part of a response that arrives later: a fragment with `@defer`, or the rest of a list with `@stream`.
struct LaterPart {
    let label: String?
    /// The place of the fragment's object, or of the list.
    let path: [JSONValue.PathComponent]
    /// The nesting of objects around the part.
    let depth: Int
    let content: Content

    enum Content {
        case fragment(Fragment)
        case items(Items)
    }

    /// The fields of a fragment on an object.
    struct Fragment {
        let selectionSet: SelectionSet
        let type: SchemaType
        let source: Any
    }

    /// The items of a list from an index on.
    struct Items {
        let values: [Any]
        let start: Int
        let type: TypeReference
        let field: FieldPlan
    }

    /// What tells whether two parts are the same, which several fragments have found.
    struct Identity: Hashable {
        let path: [JSONValue.PathComponent]
        let label: String?
        /// The place of the fragment in the document; nil for a list.
        let place: Range<Int>?
    }

    var identity: Identity {
        switch content {
        case .fragment(let fragment): Identity(path: path, label: label, place: fragment.selectionSet.span.range)
        case .items: Identity(path: path, label: label, place: nil)
        }
    }

    var isList: Bool {
        if case .items = content { true } else { false }
    }
}
