import BatonIR
import BatonSchema
import BatonTransforms

// The members of one struct. A property is computed: it reads the item at its position in the plan from the row.

extension SelectionsGenerator {
    /// The row, and the initializer from a row if Swift's own initializer is not visible enough.
    var rowMembers: [SwiftDeclaration] {
        let head = SwiftHead(modifiers: options.modifiers)
        let type = SwiftType.named("GeneratedCode.Row")
        let row = SwiftDeclaration.variable(SwiftVariable(head, isConstant: true, "__row", type))
        if options.access == .internal { return [row] }
        let body = [SwiftStatement.assignment(.member(.selfReference, "__row"), .name("__row"))]
        return [row, .function(SwiftFunction(head, .initializer, [SwiftParameter("__row", type)], body: body))]
    }

    /// The property `__typename` of a root, whose record has no type of the schema. For other types, the row has the
    /// name.
    func typename(of type: SchemaType) -> [SwiftDeclaration] {
        leaves.schema.isRoot(type) ? [computed("__typename", .named("String"), .string(type.name))] : []
    }

    /// The property of a field. `structure` is the name of the struct for its objects.
    func property(
        _ name: String,
        _ field: SelectionPlan.Field,
        _ structure: String?,
        at position: Int
    ) -> SwiftDeclaration {
        let reference = field.type
        let (_, isRequired) = valueType(field, structure)
        let row = field.nullability.catches == nil ? SwiftExpression.name("__row") : .closureArgument
        var value: SwiftExpression
        if structure != nil {
            value = read(reference.isList ? "objects" : "object", isRequired: isRequired, row, at: position)
        } else {
            value = read(reference, leaves.leaf(field.definition, reference), isRequired: isRequired, row, at: position)
        }
        value = caught(field.nullability.catches, value, at: position)
        let (ownType, isPresent) = propertyType(field, structure)
        return computed(
            name,
            isPresent ? ownType : .optional(ownType),
            value,
            documentation: options.comment(ofSelected: field.definition),
            deprecation: field.definition.deprecation
        )
    }

    /// The type of a field's property without an outermost optional, and whether the property is not optional.
    func propertyType(_ field: SelectionPlan.Field, _ structure: String?) -> (type: SwiftType, isRequired: Bool) {
        let (type, isRequired) = valueType(field, structure)
        return switch field.nullability.catches {
        case .result: (.generic("FieldResult", [isRequired ? type : .optional(type)]), true)
        case .null: (type, false)
        case nil: (type, isRequired)
        }
    }

    /// The type of a field's value without an outermost optional and without `@catch`, and whether the value is not
    /// optional.
    private func valueType(_ field: SelectionPlan.Field, _ structure: String?) -> (type: SwiftType, isRequired: Bool) {
        let reference = field.type
        let isPresent = reference.isNonNull && field.nullability.catches != .null || field.nullability.required != nil
        let isRequired = isPresent && field.condition.isAlways
        guard let structure else {
            let leaf = leaves.leaf(field.definition, reference)
            return (LeafTypes.unwrapped(reference, innermost: leaf.type), isRequired)
        }
        let type = LeafTypes.unwrapped(reference, innermost: .named(structure)) { .generic("ObjectList", [$0]) }
        return (type, isRequired)
    }

    /// The property of an inline fragment; `structure` is the name of its struct.
    func property(
        _ name: String, _ inline: SelectionPlan.Inline, _ structure: String, at position: Int
    ) -> SwiftDeclaration {
        let row = inline.catches == nil ? SwiftExpression.name("__row") : .closureArgument
        let value = read(inline.isRequired ? "object" : "inlineFragment", isRequired: true, row, at: position)
        return computed(name, propertyType(inline, structure), caught(inline.catches, value, at: position))
    }

    /// The type of the property of an inline fragment.
    func propertyType(_ inline: SelectionPlan.Inline, _ structure: String) -> SwiftType {
        let type = inline.isRequired ? SwiftType.named(structure) : .optional(.named(structure))
        return inline.catches == .result ? .generic("FieldResult", [type]) : type
    }

    /// An expression such as `__row.result(3) { value }` for a value whose errors are caught.
    private func caught(_ target: CatchTarget?, _ value: SwiftExpression, at position: Int) -> SwiftExpression {
        guard let target else { return value }
        let arguments = [
            SwiftArgument(nil, .integer(position)), SwiftArgument(nil, .closure(value), isTrailing: true),
        ]
        return .call(.member(.name("__row"), target == .result ? "result" : "unlessCaught"), arguments)
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

    /// An expression such as `__row.object(3)`. The type of the property determines the result.
    func read(_ method: String, isRequired: Bool, _ row: SwiftExpression, at position: Int) -> SwiftExpression {
        let name = isRequired ? method : Self.optional(method)
        return .call(.member(row, name), [SwiftArgument(nil, .integer(position))])
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

    private static func optional(_ method: String) -> String { "optional" + SwiftName.uppercasingFirst(method) }
}
