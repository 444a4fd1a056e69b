import BatonIR
import BatonSchema
import BatonTransforms

// The members of one struct. A property is computed: it asks the row for the item at its position in the plan.

extension SelectionsGenerator {
    /// The row, and the initializer with it where Swift does not make one that is visible enough.
    var rowMembers: [SwiftDeclaration] {
        let head = SwiftHead(modifiers: options.modifiers)
        let type = SwiftType.named("GeneratedCode.Row")
        let row = SwiftDeclaration.variable(SwiftVariable(head, isConstant: true, "__row", type))
        if options.access == .internal { return [row] }
        let body = [SwiftStatement.assignment(.member(.selfReference, "__row"), .name("__row"))]
        return [row, .function(SwiftFunction(head, .initializer, [SwiftParameter("__row", type)], body: body))]
    }

    /// The property `__typename`. The row knows the type of an object only where it can differ.
    func typename(of type: SchemaType) -> SwiftDeclaration {
        let value = type.isAbstract ? SwiftExpression.member(.name("__row"), "typename") : .string(type.name)
        return computed("__typename", .named("String"), value)
    }

    /// The property `fragments`.
    var fragmentsProperty: SwiftDeclaration {
        let row = SwiftArgument("__row", .name("__row"))
        return computed("fragments", .named("Fragments"), .call(.name("Fragments"), [row]))
    }

    /// The property of a field; `structure` is the name of the struct of its objects.
    func property(
        _ name: String,
        _ field: SelectionPlan.Field,
        _ structure: String?,
        at position: Int
    ) -> SwiftDeclaration {
        let reference = field.definition.type
        let isRequired = reference.isNonNull && field.condition.isAlways
        let type: SwiftType
        let value: SwiftExpression
        if let structure {
            type = LeafTypes.unwrapped(reference, innermost: .named(structure)) { .generic("ObjectList", [$0]) }
            value = read(reference.isList ? "objects" : "object", isRequired: isRequired, at: position)
        } else {
            let leaf = leaves.leaf(reference)
            type = LeafTypes.unwrapped(reference, innermost: leaf.type)
            value = read(reference, leaf, isRequired: isRequired, .name("__row"), at: position)
        }
        return computed(
            name,
            isRequired ? type : .optional(type),
            value,
            documentation: field.definition.description.map(Self.summary),
            deprecation: field.definition.deprecation
        )
    }

    func property(_ name: String, ofInlineFragment structure: String, at position: Int) -> SwiftDeclaration {
        computed(name, .optional(.named(structure)), read("inlineFragment", isRequired: true, at: position))
    }

    func computed(
        _ name: String,
        _ type: SwiftType,
        _ value: SwiftExpression,
        documentation: String? = nil,
        deprecation: String? = nil
    ) -> SwiftDeclaration {
        let head = SwiftHead(documentation: documentation, deprecation: deprecation, modifiers: options.modifiers)
        return .variable(SwiftVariable(head, isConstant: false, name, type, getter: [.expression(value)]))
    }

    /// An expression such as `__row.object(3)`; the type of the property decides what it returns.
    func read(_ method: String, isRequired: Bool, at position: Int) -> SwiftExpression {
        let name = isRequired ? method : Self.optional(method)
        return .call(.member(.name("__row"), name), [SwiftArgument(nil, .integer(position))])
    }

    /// An expression such as `__row.list(2) { $0.optionalInt() }`; only the outermost call has the position.
    private func read(
        _ reference: TypeReference,
        _ leaf: LeafTypes.Leaf,
        isRequired: Bool,
        _ row: SwiftExpression,
        at position: Int?
    ) -> SwiftExpression {
        var arguments = position.map { [SwiftArgument(nil, .integer($0))] } ?? []
        var method = leaf.method
        if let item = reference.item {
            let inner = read(item, leaf, isRequired: item.isNonNull, .closureArgument, at: nil)
            arguments.append(SwiftArgument(nil, .closure(inner), isTrailing: true))
            method = "list"
        } else if case .mapped(_, let mapping) = leaf {
            arguments.append(SwiftArgument(nil, .metatype(.named(mapping.conversionType))))
        }
        return .call(.member(row, isRequired ? method : Self.optional(method)), arguments)
    }

    /// The first paragraph of a description. The schema has the rest; here it would occur in every selection of the
    /// field.
    private static func summary(of description: String) -> String {
        let lines = description.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let paragraph = lines.drop { $0.allSatisfy(\.isWhitespace) }.prefix { !$0.allSatisfy(\.isWhitespace) }
        return paragraph.joined(separator: "\n")
    }

    private static func optional(_ method: String) -> String { "optional" + SwiftName.uppercasingFirst(method) }
}
