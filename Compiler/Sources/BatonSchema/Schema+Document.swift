import BatonDiagnostics
import BatonSyntax

extension Schema {
    /// The schema as a document without predeclared definitions: the server's part, then the definitions of client
    /// schema extensions.
    package var document: Document {
        Document(definitions: serverDocument.definitions + clientDefinitions)
    }

    /// The server's part with its extensions merged: types in the order of definition, and directives by name.
    package var serverDocument: Document {
        if let server { return server.serverDocument }
        var definitions: [Definition] = []
        if let schema = schemaDefinition { definitions.append(.schema(schema)) }
        let declared = [directives.values, definitionDirectives.values].joined().filter { $0.origin == .schema }
        for directive in declared.sorted(by: { $0.name < $1.name }) {
            definitions.append(.directive(definition(of: directive)))
        }
        for type in types where !type.isPredeclared { definitions.append(.type(definition(of: type))) }
        return Document(definitions: definitions)
    }

    /// A schema definition if the root types do not have the default names; nil otherwise.
    private var schemaDefinition: SchemaDefinition? {
        let roots: [(OperationKind, SchemaType?, String)] = [
            (.query, queryType, "Query"), (.mutation, mutationType, "Mutation"),
            (.subscription, subscriptionType, "Subscription"),
        ]
        let isDefault = roots.allSatisfy { _, type, name in
            type.map { $0.name == name } ?? (self.type(named: name) == nil)
        }
        if isDefault, description == nil { return nil }
        return SchemaDefinition(
            description: description.map { StringValue($0) },
            operationTypes: roots.compactMap { kind, type, _ in
                type.map { RootOperationType(kind: kind, type: Name($0.name)) }
            }
        )
    }

    private func definition(of type: SchemaType) -> TypeDefinition {
        let interfaces = type.interfaces.map { Name(self[$0].name) }
        let body: TypeDefinition.Body
        switch type.kind {
        case .scalar: body = .scalar
        case .object: body = .object(interfaces: interfaces, fields: type.fields.map(definition(of:)))
        case .interface: body = .interface(interfaces: interfaces, fields: type.fields.map(definition(of:)))
        case .union: body = .union(members: type.members.map { Name(self[$0].name) })
        case .enum:
            body = .enum(
                values: type.enumValues.map {
                    EnumValueDefinition(
                        description: $0.description.map { StringValue($0) },
                        name: Name($0.name),
                        directives: $0.directives
                    )
                }
            )
        case .inputObject: body = .inputObject(fields: type.inputFields.map(definition(of:)))
        }
        return TypeDefinition(
            description: type.description.map { StringValue($0) },
            name: Name(type.name),
            directives: type.directives,
            body: body
        )
    }

    private func definition(of field: SchemaField) -> FieldDefinition {
        FieldDefinition(
            description: field.description.map { StringValue($0) },
            name: Name(field.name),
            arguments: field.arguments.map(definition(of:)),
            type: node(of: field.type),
            directives: field.directives
        )
    }

    private func definition(of value: SchemaInputValue) -> InputValueDefinition {
        InputValueDefinition(
            description: value.description.map { StringValue($0) },
            name: Name(value.name),
            type: node(of: value.type),
            defaultValue: value.defaultValue,
            directives: value.directives
        )
    }

    private func definition(of directive: SchemaDirective) -> DirectiveDefinition {
        DirectiveDefinition(
            description: directive.description.map { StringValue($0) },
            name: Name(directive.name),
            arguments: directive.arguments.map(definition(of:)),
            directives: directive.directives,
            isRepeatable: directive.isRepeatable,
            locations: DirectiveLocation.allCases.filter(directive.locations.contains).map { .init($0) }
        )
    }

    /// The syntax tree of a type reference.
    package func node(of reference: TypeReference) -> TypeNode {
        switch reference.shape {
        case .named(let id): .named(Name(self[id].name))
        case .list(let item): .list(node(of: item), span: Uncompared(wrappedValue: .none))
        case .nonNull(let inner): .nonNull(node(of: inner), span: Uncompared(wrappedValue: .none))
        }
    }
}
