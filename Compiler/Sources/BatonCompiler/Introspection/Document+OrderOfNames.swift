import BatonSyntax

extension Document {
    /// A document of definitions of a type system, with everything in the order of names: the schema, then directives,
    /// then types, and in each of them its parts. The definition of the schema is left out where it says nothing.
    var inOrderOfNames: Document {
        var schema: [Definition] = []
        var directives: [DirectiveDefinition] = []
        var types: [TypeDefinition] = []
        for definition in definitions {
            switch definition {
            case .schema(let found): if !saysNothing(found) { schema.append(.schema(found)) }
            case .directive(let directive): directives.append(directive.inOrderOfNames)
            case .type(let type): types.append(type.inOrderOfNames)
            case .operation, .fragment: break
            }
        }
        directives.sort { $0.name.text < $1.name.text }
        types.sort { $0.name.text < $1.name.text }
        return Document(definitions: schema + directives.map(Definition.directive) + types.map(Definition.type))
    }

    private var types: [TypeDefinition] {
        definitions.compactMap { if case .type(let type) = $0 { type } else { nil } }
    }

    /// The name of the type of queries; nil if there is none.
    var queryTypeName: String? {
        for case .schema(let schema) in definitions {
            return schema.operationTypes.first { $0.kind == .query }?.type.text
        }
        return types.first { $0.name.text == "Query" }?.name.text
    }

    private func saysNothing(_ schema: SchemaDefinition) -> Bool {
        let names = Set(types.map(\.name.text))
        let defaults: [(OperationKind, String)] = [
            (.query, "Query"), (.mutation, "Mutation"), (.subscription, "Subscription"),
        ]
        return schema.description == nil
            && defaults.allSatisfy { kind, name in
                let type = schema.operationTypes.first { $0.kind == kind }?.type.text
                return type == name || type == nil && !names.contains(name)
            }
    }

    /// The names of types that are used and not defined, sorted.
    var undefinedTypes: [String] {
        var known: Set = ["Int", "Float", "String", "Boolean", "ID"]
        var used: Set<String> = []
        func use(_ values: [InputValueDefinition]) {
            for value in values { used.insert(value.type.innermost.text) }
        }
        for definition in definitions {
            switch definition {
            case .schema(let schema): used.formUnion(schema.operationTypes.map(\.type.text))
            case .directive(let directive): use(directive.arguments)
            case .type(let type):
                known.insert(type.name.text)
                switch type.body {
                case .scalar, .enum: break
                case .union(let members): used.formUnion(members.map(\.text))
                case .inputObject(let fields): use(fields)
                case .object(let interfaces, let fields), .interface(let interfaces, let fields):
                    used.formUnion(interfaces.map(\.text))
                    for field in fields {
                        used.insert(field.type.innermost.text)
                        use(field.arguments)
                    }
                }
            case .operation, .fragment: break
            }
        }
        // A type of the introspection itself is in no answer.
        return used.subtracting(known).filter { !$0.hasPrefix("__") }.sorted()
    }
}

extension DirectiveDefinition {
    fileprivate var inOrderOfNames: DirectiveDefinition {
        var sorted = self
        sorted.arguments = arguments.inOrderOfNames
        sorted.locations = locations.sorted { $0.location.rawValue < $1.location.rawValue }
        return sorted
    }
}

extension TypeDefinition {
    fileprivate var inOrderOfNames: TypeDefinition {
        func names(_ names: [Name]) -> [Name] { names.sorted { $0.text < $1.text } }
        func fields(_ fields: [FieldDefinition]) -> [FieldDefinition] {
            fields.sorted { $0.name.text < $1.name.text }.map { field in
                var sorted = field
                sorted.arguments = field.arguments.inOrderOfNames
                return sorted
            }
        }
        var sorted = self
        switch body {
        case .scalar: break
        case .object(let interfaces, let own): sorted.body = .object(interfaces: names(interfaces), fields: fields(own))
        case .interface(let interfaces, let own):
            sorted.body = .interface(interfaces: names(interfaces), fields: fields(own))
        case .union(let members): sorted.body = .union(members: names(members))
        case .enum(let values): sorted.body = .enum(values: values.sorted { $0.name.text < $1.name.text })
        case .inputObject(let own): sorted.body = .inputObject(fields: own.inOrderOfNames)
        }
        return sorted
    }
}

extension [InputValueDefinition] {
    fileprivate var inOrderOfNames: [InputValueDefinition] {
        sorted { $0.name.text < $1.name.text }.map { value in
            var sorted = value
            sorted.defaultValue = value.defaultValue?.inOrderOfNames
            return sorted
        }
    }
}

extension Value {
    /// The value with the fields of its objects in the order of names. The parser limits how deep values are nested.
    var inOrderOfNames: Value {
        switch self {
        case .list(let list): return .list(ListValue(list.values.map(\.inOrderOfNames)))
        case .object(let object):
            let fields = object.fields.map { ObjectField(name: $0.name, value: $0.value.inOrderOfNames) }
            return .object(ObjectValue(fields.sorted { $0.name.text < $1.name.text }))
        case .variable, .int, .float, .string, .boolean, .null, .enum: return self
        }
    }
}
