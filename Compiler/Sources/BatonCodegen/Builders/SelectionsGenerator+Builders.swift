import BatonSchema
import BatonTransforms

// The builder of a struct: a property for each item of its set. The properties can be set and not read, because a
// builder notes edits and holds no values. Those of objects and lists are read to edit what is in them.

extension SelectionsGenerator {
    /// The builder of a struct with a name. `properties` are the names of the struct's properties, `types` the
    /// qualified names of the structs of objects, by position, and `nested` the builders of the structs nested in it.
    ///
    /// All builders of a definition are nested in one type, `FilmQuery.Builder`. Extensions of the structs themselves
    /// would be more than a module can have: Swift keeps those of all types with one name, such as `Data`, in one entry
    /// of at most 64 KB, and loses what does not fit.
    mutating func builder(
        _ plan: SelectionPlan, _ name: String, properties: [String], types: [String?], _ scope: NameScope,
        nested: [SwiftTypeDeclaration]
    ) -> SwiftTypeDeclaration {
        var scope = scope
        let head = SwiftHead(modifiers: options.modifiers)
        let edits = SwiftType.named("GeneratedCode.Edits")
        let lead: [SwiftDeclaration] = [
            .variable(SwiftVariable(head, isConstant: false, "__edits", edits)),
            .function(
                SwiftFunction(
                    head, .initializer, [SwiftParameter("__edits", edits)],
                    body: [.assignment(.member(.selfReference, "__edits"), .name("__edits"))])),
        ]
        var members: [SwiftDeclaration] = []
        if plan.type.isAbstract {
            chosenTypes.insert(plan.type.id)
            members.append(
                setOnly(
                    "__typename", .named(BuilderNames.namespace + "." + options.conditionName(plan.type)),
                    "choose", [.member(.name("newValue"), "rawValue")]))
        }
        for (position, item) in plan.items.enumerated() {
            switch item {
            case .field(let field):
                if field.definition.isDataID || field.isClient { continue }
                members.append(property(properties[position], field, types[position]))
            case .inline(let inline):
                guard let type = types[position], !inline.isClient else { continue }
                members.append(
                    part(properties[position], builderName(type), on: inline.hasTypeCondition ? inline.type : nil))
            case .spread(let spread):
                let fragment = names.fragment(spread.fragment)
                if spread.isClient || withoutBuilders.contains(spread.fragment) { continue }
                let wanted = spread.alias ?? SwiftName.lowercasingFirst(fragment)
                let isTaken = nested.contains { $0.name == wanted }
                let name = scope.claim(isTaken ? wanted + "Fragment" : wanted)
                members.append(part(name, fragment + "." + BuilderNames.nestedType, on: spread.typeCondition))
            }
        }
        return SwiftTypeDeclaration(
            SwiftHead(modifiers: options.topLevelModifiers), .struct, name, [.named("GeneratedCode.EditBuilder")],
            lead: lead, members: members + nested.map { .type($0) })
    }

    /// The qualified name of the builder of a struct with a qualified name.
    private func builderName(_ structure: String) -> String {
        let data = definition + ".Data"
        guard structure.hasPrefix(data) else { return structure }
        return definition + "." + BuilderNames.nestedType + structure.dropFirst(data.count)
    }

    /// The property of a field. The type is that of the response, whatever a reader makes of its nulls.
    private func property(_ name: String, _ field: SelectionPlan.Field, _ structure: String?) -> SwiftDeclaration {
        let reference = field.definition.type
        let key = SwiftExpression.string(field.responseKey)
        guard let structure else {
            let leaf = leaves.leaf(field.definition, reference)
            var type = LeafTypes.unwrapped(reference, innermost: leaf.type)
            if !reference.isNonNull { type = .optional(type) }
            var value = SwiftExpression.name("newValue")
            if case .mapped(_, let mapping) = leaf { value = InputMembers.sent(value, reference, mapping) }
            return setOnly(name, type, "set", [key, value])
        }
        let type = Self.builderType(reference, builderName(structure))
        let index = [SwiftArgument(reference.isNonNull ? nil : "nullable", key)]
        return edited(name, reference.isNonNull ? type : .unwrapped(type), index)
    }

    /// The property of an inline fragment or a spread, whose edits are those of the same object.
    private func part(_ name: String, _ builder: String, on type: SchemaType?) -> SwiftDeclaration {
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
    private static func builderType(_ reference: TypeReference, _ builder: String) -> SwiftType {
        guard let item = reference.item else { return .named(builder) }
        let list = item.isNonNull ? "GeneratedCode.ListBuilder" : "GeneratedCode.NullableListBuilder"
        return .generic(list, [builderType(item, builder)])
    }
}
