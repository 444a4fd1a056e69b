import BatonSchema
import BatonTransforms

// The nodes of a connection, in addition to its edges.

/// The positions of the two fields in a set with `edges { node }`.
struct ConnectionShape {
    /// The position of `edges` in the set.
    let edges: Int
    /// The position of `node` in the set of the edges.
    let node: Int

    /// The shape of a set; nil if it is not a connection, or if `@catch` turns one of the fields into another type.
    init?(of plan: SelectionPlan, _ names: SchemaNames) {
        guard let edges = plan.position(of: names.edges), let inner = plan.field(at: edges)?.selections,
            plan.field(at: edges)?.type.listDepth == 1, let node = inner.position(of: names.node),
            inner.field(at: node)?.type.isList == false, inner.field(at: node)?.selections != nil
        else { return nil }
        self.edges = edges
        self.node = node
    }
}

extension SelectionPlan {
    /// The position of a field without an alias and without caught errors in its place.
    fileprivate func position(of name: String) -> Int? {
        items.firstIndex { item in
            guard case .field(let field) = item else { return false }
            return field.responseKey == name && field.definition.name == name && field.nullability.catches != .result
        }
    }

    fileprivate func field(at position: Int) -> Field? {
        if case .field(let field) = items[position] { field } else { nil }
    }
}

extension SelectionsGenerator {
    /// The property `nodes` of a set that is a connection. Nil for other sets, and if another member has this name.
    ///
    /// `edge` is the name of the struct for the edges, and `path` the place of that struct.
    func nodes(_ shape: ConnectionShape?, edge: String?, in path: String, _ scope: NameScope) -> SwiftDeclaration? {
        guard let shape, let edge, let node = nodeTypes[path + "." + edge], scope.isFree("nodes") else { return nil }
        let value = SwiftExpression.call(
            .member(.name("__row"), "nodes"), [.init(nil, .integer(shape.edges)), .init(nil, .integer(shape.node))])
        return computed("nodes", .generic("NodeList", [.named(edge + "." + node)]), value)
    }
}
