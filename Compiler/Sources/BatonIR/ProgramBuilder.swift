import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// Resolves validated documents against the schema.
///
/// A name that cannot be resolved is left out without a diagnostic, because validation has reported it.
package struct ProgramBuilder {
    private let schema: Schema
    private var operations: [Operation] = []
    private var fragments: [Fragment] = []

    package init(schema: Schema) {
        self.schema = schema
    }

    /// Adds the definitions of one document; artifacts show `path`.
    package mutating func add(_ document: Document, path: String) {
        for definition in document.definitions {
            switch definition {
            case .operation(let operation): add(operation, path: path)
            case .fragment(let fragment): add(fragment, path: path)
            case .schema, .type, .directive: break
            }
        }
    }

    package func build() -> Program {
        Program(schema: schema, operations: operations, fragments: fragments)
    }

    private mutating func add(_ definition: OperationDefinition, path: String) {
        guard let name = definition.name, let type = schema.rootType(for: definition.kind) else { return }
        let variables = definition.variables.compactMap { variable in
            schema.resolve(variable.type).map { type in
                OperationVariable(
                    name: variable.name.text,
                    type: type,
                    defaultValue: variable.defaultValue,
                    directives: variable.directives,
                    description: variable.description?.text,
                    span: variable.name.span
                )
            }
        }
        operations.append(
            Operation(
                name: name.text,
                kind: definition.kind,
                type: type,
                variables: variables,
                directives: definition.directives,
                selections: selections(of: definition.selectionSet, on: type),
                description: definition.description?.text,
                path: path,
                span: name.span
            )
        )
    }

    private mutating func add(_ definition: FragmentDefinition, path: String) {
        guard let type = schema.type(named: definition.typeCondition.text), type.isComposite else { return }
        fragments.append(
            Fragment(
                name: definition.name.text,
                type: type,
                arguments: arguments(of: definition),
                directives: definition.directives,
                selections: selections(of: definition.selectionSet, on: type),
                description: definition.description?.text,
                path: path,
                span: definition.name.span
            )
        )
    }

    /// Reads `@argumentDefinitions(name: {type: "Int!", defaultValue: 10})`.
    private func arguments(of definition: FragmentDefinition) -> [FragmentArgument] {
        let declarations = definition.directives.first { $0.name.text == "argumentDefinitions" }?.arguments ?? []
        return declarations.compactMap { declaration in
            guard case .object(let object) = declaration.value else { return nil }
            func value(_ name: String) -> Value? { object.fields.first { $0.name.text == name }?.value }
            let typeText: String
            switch value("type") {
            case .string(let string): typeText = string.text
            case .enum(let name): typeText = name.text
            default: return nil
            }
            guard let type = Parser.parseType(typeText).flatMap(schema.resolve) else { return nil }
            var provider: String?
            if case .string(let name) = value("provider") { provider = name.text }
            return FragmentArgument(
                name: declaration.name.text, type: type, defaultValue: value("defaultValue"), provider: provider,
                span: declaration.name.span)
        }
    }

    /// The parser's nesting limit bounds the recursion.
    private func selections(of set: SelectionSet, on type: SchemaType) -> [TypedSelection] {
        set.selections.compactMap { selection in
            switch selection {
            case .field(let field): self.field(field, on: type)
            case .fragmentSpread(let spread):
                .spread(
                    TypedSpread(fragment: spread.name.text, directives: spread.directives, span: spread.name.span)
                )
            case .inlineFragment(let inline): inlineFragment(inline, on: type)
            }
        }
    }

    private func field(_ field: Field, on type: SchemaType) -> TypedSelection? {
        guard let definition = schema.field(named: field.name.text, on: type) else { return nil }
        let fieldType = schema.namedType(of: definition.type)
        return .field(
            TypedField(
                responseKey: field.responseKey.text,
                definition: definition,
                arguments: field.arguments,
                directives: field.directives,
                selections: field.selectionSet.map { selections(of: $0, on: fieldType) } ?? [],
                span: field.responseKey.span
            )
        )
    }

    private func inlineFragment(_ inline: InlineFragment, on type: SchemaType) -> TypedSelection? {
        var condition: SchemaType?
        if let name = inline.typeCondition {
            guard let named = schema.type(named: name.text), named.isComposite else { return nil }
            condition = named
        }
        return .inlineFragment(
            TypedInlineFragment(
                type: condition,
                directives: inline.directives,
                selections: selections(of: inline.selectionSet, on: condition ?? type),
                span: inline.span
            )
        )
    }
}
