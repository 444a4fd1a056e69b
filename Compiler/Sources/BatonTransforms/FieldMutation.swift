import BatonIR
import BatonSyntax

/// A change of connections or records that a directive on a field asks for, when an answer brings the field.
///
/// No server hears of it: `@appendEdge(connections: $connections)` becomes a mark of the normalization plan, and the
/// store does the rest.
package struct FieldMutation: Hashable, Sendable {
    /// The name of the directive.
    package let name: String
    /// The data IDs of the connections; nil for `deleteRecord`.
    package let connections: Value?
    /// The name of the type of new edges; nil unless nodes are added.
    package let edgeType: Value?
    /// The condition under which the document asks for the change; always if the field is selected under no other.
    package var condition = Condition.always

    /// The names of the directives that add edges, that add nodes, and that delete.
    static let edgeNames: Set<String> = ["appendEdge", "prependEdge"]
    static let nodeNames: Set<String> = ["appendNode", "prependNode"]
    static let deletingNames: Set<String> = ["deleteEdge", "deleteRecord"]
    static let names = edgeNames.union(nodeNames).union(deletingNames)

    /// The directive of a field that counts: of several for the field's kind the first one. What deletes is for leaves,
    /// and what adds is for objects.
    static func effective(of field: TypedField) -> Directive? {
        let fitting = field.selections.isEmpty ? deletingNames : edgeNames.union(nodeNames)
        return field.directives.first { fitting.contains($0.name.text) }
    }

    /// The change that a field's directives ask for; nil if there is none.
    init?(of field: TypedField, under condition: Conjunction) {
        guard let directive = Self.effective(of: field) else { return nil }
        name = directive.name.text
        connections = name == "deleteRecord" ? nil : directive.argument("connections")
        edgeType = Self.nodeNames.contains(name) ? directive.argument("edgeTypeName") : nil
        self.condition = Condition(condition)
    }

    /// Whether both are the same change, under whatever conditions.
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
