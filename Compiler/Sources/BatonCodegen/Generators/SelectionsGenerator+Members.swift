import BatonTransforms

// The properties of one struct, and its initializer.

extension SelectionsGenerator {
    func declarations(_ content: Content) -> [SwiftDeclaration] {
        let head = SwiftHead(modifiers: options.modifiers)
        var result = [typename(content)]
        for property in content.properties {
            let shown = self.head(of: property)
            guard let storage = property.storage else {
                result.append(.variable(SwiftVariable(shown, isConstant: true, property.name, property.type)))
                continue
            }
            result.append(
                .variable(SwiftVariable(SwiftHead(modifiers: ["private"]), isConstant: true, storage, property.type))
            )
            let value = [SwiftStatement.expression(.name(storage))]
            result.append(
                .variable(SwiftVariable(shown, isConstant: false, property.name, property.type, getter: value))
            )
        }
        if content.hasFragments {
            result.append(.variable(SwiftVariable(head, isConstant: true, "fragments", .named("Fragments"))))
        }
        return result
    }

    func head(of property: Property) -> SwiftHead {
        SwiftHead(
            documentation: property.documentation, deprecation: property.deprecation, modifiers: options.modifiers)
    }

    /// The property `__typename`; stored if the type is abstract.
    private func typename(_ content: Content) -> SwiftDeclaration {
        let head = SwiftHead(modifiers: options.modifiers)
        if content.type.isAbstract {
            return .variable(SwiftVariable(head, isConstant: true, "__typename", .named("String")))
        }
        let name = [SwiftStatement.expression(.string(content.type.name))]
        return .variable(SwiftVariable(head, isConstant: false, "__typename", .named("String"), getter: name))
    }

    /// The initializer. It reads all values up to the last required one into constants before it stores any property.
    ///
    /// If a required value is missing, the initializer returns nil. Swift would otherwise copy the stored properties,
    /// and destroy the copy.
    func initializer(_ content: Content, storesAsNamed: Bool = false) -> SwiftDeclaration {
        let reader = content.reader
        var values: [SwiftStatement] = []
        var body: [SwiftStatement] = []
        let lastRequired = content.properties.lastIndex { $0.isRequired } ?? -1
        if content.type.isAbstract {
            let name = SwiftExpression.call(.member(.name(reader), "typename"))
            body.append(.assignment(.member(.selfReference, "__typename"), name))
        }
        for (index, property) in content.properties.enumerated() {
            let storage = storesAsNamed ? property.name : property.storage ?? property.name
            let target = SwiftExpression.member(.selfReference, storage)
            if property.isRequired {
                values.append(.guardLet(property.name, property.value))
            } else if index < lastRequired {
                values.append(.constant(property.name, property.value))
            }
            body.append(.assignment(target, index <= lastRequired ? .name(property.name) : property.value))
        }
        if content.hasFragments {
            let fragments = SwiftExpression.call(.name("Fragments"), [SwiftArgument(nil, .inoutReference(reader))])
            body.append(.assignment(.member(.selfReference, "fragments"), fragments))
        }
        return .function(
            SwiftFunction(
                SwiftHead(modifiers: options.modifiers),
                .failableInitializer,
                [Self.readerParameter(reader)],
                body: values + body
            )
        )
    }
}
