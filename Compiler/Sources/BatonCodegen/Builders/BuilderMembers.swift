import BatonSchema

/// The parts of a builder: its properties can be set and not read, because a builder notes edits and holds no values.
/// Those of objects and lists are read to edit what is in them.
struct BuilderMembers {
    let leaves: LeafTypes
    let options: GenerationOptions

    /// The struct of a builder. `role` is the protocol in `GeneratedCode` that it conforms to.
    func structure(_ name: String, _ role: String, _ members: [SwiftDeclaration]) -> SwiftTypeDeclaration {
        let head = SwiftHead(modifiers: options.modifiers)
        let edits = SwiftType.named("GeneratedCode.Edits")
        let lead: [SwiftDeclaration] = [
            .variable(SwiftVariable(head, isConstant: false, "__edits", edits)),
            .function(
                SwiftFunction(
                    head, .initializer, [SwiftParameter("__edits", edits)],
                    body: [.assignment(.member(.selfReference, "__edits"), .name("__edits"))])),
        ]
        return SwiftTypeDeclaration(
            SwiftHead(modifiers: options.topLevelModifiers), .struct, name, [.named("GeneratedCode." + role)],
            lead: lead, members: members)
    }

    /// The property that chooses the object type among those of an enum.
    func choice(_ enumeration: String) -> SwiftDeclaration {
        setOnly("__typename", .named(enumeration), "choose", [.member(.name("newValue"), "rawValue")])
    }

    /// The property of a field. The type is that of the response, whatever a reader makes of its nulls. `builder` is
    /// the name of the builder of its objects.
    func field(_ name: String, _ key: String, _ field: SchemaField, _ builder: String?) -> SwiftDeclaration {
        let reference = field.type
        let key = SwiftExpression.string(key)
        guard let builder else {
            let leaf = leaves.leaf(field, reference)
            var type = LeafTypes.unwrapped(reference, innermost: leaf.type)
            if !reference.isNonNull { type = .optional(type) }
            var value = SwiftExpression.name("newValue")
            if case .mapped(_, let mapping) = leaf { value = InputMembers.sent(value, reference, mapping) }
            return setOnly(name, type, "set", [key, value])
        }
        let type = Self.type(reference, builder)
        let index = [SwiftArgument(reference.isNonNull ? nil : "nullable", key)]
        return edited(name, reference.isNonNull ? type : .unwrapped(type), index)
    }

    /// The property of an inline fragment or a spread, whose edits are those of the same object.
    func part(_ name: String, _ builder: String, on type: SchemaType?) -> SwiftDeclaration {
        edited(name, .named(builder), [SwiftArgument("on", .string(type?.name ?? ""))])
    }

    private func edited(_ name: String, _ type: SwiftType, _ index: [SwiftArgument]) -> SwiftDeclaration {
        let value = SwiftExpression.subscript(.name("__edits"), index)
        return .variable(
            SwiftVariable(
                SwiftHead(modifiers: options.modifiers), isConstant: false, name, type, getter: [.expression(value)],
                setter: [.assignment(value, .name("newValue"))]))
    }

    private func setOnly(
        _ name: String, _ type: SwiftType, _ method: String, _ arguments: [SwiftExpression]
    ) -> SwiftDeclaration {
        var variable = SwiftVariable(
            SwiftHead(modifiers: options.modifiers), isConstant: false, name, type,
            getter: [.expression(.call(.name("GeneratedCode.setOnly")))],
            setter: [
                .expression(.call(.member(.name("__edits"), method), arguments.map { SwiftArgument(nil, $0) }))
            ])
        variable.isSetOnly = true
        return .variable(variable)
    }

    /// The builder of an object, or of a list of objects.
    private static func type(_ reference: TypeReference, _ builder: String) -> SwiftType {
        guard let item = reference.item else { return .named(builder) }
        let list = item.isNonNull ? "GeneratedCode.ListBuilder" : "GeneratedCode.NullableListBuilder"
        return .generic(list, [type(item, builder)])
    }
}
