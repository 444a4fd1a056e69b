import BatonIR
import BatonSyntax

/// A change of connections or records that a directive on a field requests. The change is made when an answer has the
/// field.
///
/// The directive is not sent: `@appendEdge(connections: $connections)` becomes a mark of the normalization plan, and
/// the store makes the change.
package struct FieldMutation: Hashable, Sendable {
    package let name: String
    /// The data IDs of the connections; nil for `deleteRecord`.
    package let connections: Value?
    /// The name of the type of new edges; nil for a directive that adds no nodes.
    package let edgeType: Value?
    /// The condition under which the document requests the change. It is always true if the field is selected without a
    /// condition.
    package var condition = Condition.always

    /// The names of the directives that add edges, that add nodes, and that delete.
    static let edgeNames: Set<String> = ["appendEdge", "prependEdge"]
    static let nodeNames: Set<String> = ["appendNode", "prependNode"]
    static let deletingNames: Set<String> = ["deleteEdge", "deleteRecord"]
    private static let addingNames = edgeNames.union(nodeNames)
    static let names = addingNames.union(deletingNames)
    /// The names of the directives that change connections.
    package static let connectionNames = names.subtracting(["deleteRecord"])

    /// The directive of a field that has an effect: the first one for the field's kind. Directives that delete are for
    /// leaves, and directives that add are for objects.
    static func effective(of field: TypedField) -> Directive? {
        if field.directives.isEmpty { return nil }
        let fitting = field.selections.isEmpty ? deletingNames : addingNames
        return field.directives.first { fitting.contains($0.name.text) }
    }

    /// Makes the change for a field's directives; nil without such a directive.
    init?(of field: TypedField, under condition: Conjunction) {
        guard let directive = Self.effective(of: field) else { return nil }
        name = directive.name.text
        connections = name == "deleteRecord" ? nil : directive.argument("connections")
        edgeType = Self.nodeNames.contains(name) ? directive.argument("edgeTypeName") : nil
        self.condition = Condition(condition)
    }

    /// Whether both changes are the same, without regard to conditions.
    func isSameChange(as other: FieldMutation) -> Bool {
        name == other.name && connections == other.connections && edgeType == other.edgeType
    }

    /// The change of a field that is selected under a condition.
    func inside(_ condition: Condition) -> FieldMutation {
        var result = self
        if condition.implies(self.condition) { result.condition = .always }
        return result
    }
}
