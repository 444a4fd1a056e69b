import Baton
import BatonSchema
import BatonSyntax

/// A server's response to an operation by the specification: the selections of all fragments are merged, and errors
/// have made values null.
struct SourceAnswer {
    indirect enum Node {
        case null(isError: Bool)
        case leaf(JSONValue)
        case list([Node])
        case object(World.Object, [String: Field])

        /// The contents of the value's field in a store, where objects are records of their own.
        fileprivate var kept: String {
            switch self {
            case .null(let isError): isError ? "e" : "n"
            case .leaf: "v"
            case .list(let items): "[" + items.map(\.kept).joined() + "]"
            case .object: "o"
            }
        }

        /// Whether the value or an item of a list is null because of an error.
        var hasError: Bool {
            switch self {
            case .null(let isError): isError
            case .list(let items): items.contains(where: \.hasError)
            case .leaf, .object: false
            }
        }
    }

    struct Field {
        /// A text that identifies the field and its arguments, on any object.
        let key: String
        let node: Node
    }

    /// The error of a value that cannot be null.
    private struct Raised: Error {}

    /// The documents do not determine which of several data a store shows.
    struct Ambiguity: Error {}

    private let document: SourceDocument
    private var kept: [String: String] = [:]

    /// Throws `Ambiguity` if an error reaches the root. Throws it also if a field is null in one place, because of an
    /// error in the selections there, and has a value in another place. A store keeps only one of these two values.
    static func make(_ document: SourceDocument, _ set: SelectionSet) throws(Ambiguity) -> Node {
        var answer = SourceAnswer(document: document)
        let root: Node
        do throws(Raised) {
            root = try answer.object(World.Object(identity: "Q", typeName: "Query"), [(set, [:])])
        } catch {
            throw Ambiguity()
        }
        try answer.note(root)
        return root
    }

    private init(document: SourceDocument) { self.document = document }

    private mutating func note(_ node: Node) throws(Ambiguity) {
        switch node {
        case .null, .leaf: break
        case .list(let items): for item in items { try note(item) }
        case .object(_, let fields):
            for field in fields.values {
                let known = kept.updateValue(field.node.kept, forKey: field.key)
                if let known, known != field.node.kept { throw Ambiguity() }
                try note(field.node)
            }
        }
    }

    private func object(_ object: World.Object, _ sets: [SourceDocument.ScopedSet]) throws(Raised) -> Node {
        let world = document.world
        guard let type = world.schema.type(named: object.typeName) else { return .null(isError: false) }
        var collected = SourceDocument.Collected()
        for set in sets { document.collect(set, type, isReader: false, &collected) }
        var fields: [String: Field] = [:]
        for (key, occurrences) in collected.fields {
            let first = occurrences[0]
            if first.field.name.text == "__typename" {
                fields[key] = Field(key: "\(object.identity).__typename", node: .leaf(.string(object.typeName)))
                continue
            }
            guard let field = world.schema.field(named: first.field.name.text, on: type) else { continue }
            let arguments = document.arguments(of: first, field)
            let inner = occurrences.compactMap { occurrence in
                occurrence.field.selectionSet.map { ($0, occurrence.scope) }
            }
            let value = world.value(of: field, on: object, arguments)
            fields[key] = Field(
                key: World.key(of: field, on: object, arguments), node: try complete(value, field.type, inner))
        }
        return .object(object, fields)
    }

    /// The value of a field or of a list item. An error moves up to the nearest place that can be null.
    private func complete(
        _ value: World.Value, _ type: TypeReference, _ sets: [SourceDocument.ScopedSet]
    ) throws(Raised) -> Node {
        do throws(Raised) {
            switch value {
            case .null: return .null(isError: false)
            case .error: throw Raised()
            case .leaf(let json): return .leaf(json)
            case .object(let object): return try self.object(object, sets)
            case .list(let items):
                var nodes: [Node] = []
                for item in items { nodes.append(try complete(item, type.item ?? type, sets)) }
                return .list(nodes)
            }
        } catch {
            if type.isNonNull { throw error }
            return .null(isError: true)
        }
    }
}
