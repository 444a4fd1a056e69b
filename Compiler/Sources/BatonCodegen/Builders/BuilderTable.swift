import BatonIR
import BatonSchema
import BatonSyntax
import BatonTransforms

/// The part of a schema that builders execute operations against: what plans select, and what a world looks at to know
/// entities and connections.
///
/// The cost is that of the plans, and then linear in the part.
struct BuilderTable {
    private let schema: Schema
    /// The types of the part.
    private var types: Set<TypeID> = []
    /// The fields of objects and interfaces, by type and name.
    private var fields: [TypeID: [String: SchemaField]] = [:]
    private var pending: [TypeID] = []

    init(_ schema: Schema) { self.schema = schema }

    // MARK: - What plans use

    /// Adds what a plan selects. The depth limit of `Flatten` bounds the recursion.
    mutating func add(_ plan: SelectionPlan) {
        add(plan.type)
        for item in plan.items {
            switch item {
            case .field(let field):
                if field.isClient || field.definition.name.hasPrefix("__") { continue }
                add(field.definition, of: plan.type)
                if let inner = field.selections { add(inner) }
            case .inline(let inline): if !inline.isClient { add(inline.selections) }
            case .spread: continue
            }
        }
    }

    /// Adds a type that variables have.
    mutating func add(_ reference: TypeReference) { add(schema.namedType(of: reference)) }

    private mutating func add(_ type: SchemaType) {
        if !type.isClientOnly, types.insert(type.id).inserted { pending.append(type.id) }
    }

    private mutating func add(_ field: SchemaField, of type: SchemaType) {
        if field.isClientOnly || fields[type.id]?[field.name] != nil { return }
        fields[type.id, default: [:]][field.name] = field
        add(field.type)
        for argument in field.arguments { add(argument.type) }
    }

    /// Adds what the types need: their object types and interfaces, the fields of these, and those that a world knows.
    private mutating func complete() {
        var count = -1
        while count != size {
            count = size
            while let id = pending.popLast() {
                let type = schema[id]
                for field in type.inputFields { add(field.type) }
                if type.isAbstract { for object in schema.possibleTypes(of: type) { add(object) } }
                for interface in type.interfaces { add(schema[interface]) }
                for field in type.fields where Self.isKnown(field, of: type, schema) { add(field, of: type) }
            }
            // A field of an interface is one of its implementations too.
            for id in types.sorted() {
                let type = schema[id]
                for interface in type.interfaces {
                    for name in (fields[interface] ?? [:]).keys.sorted() {
                        if let own = type.field(named: name) { add(own, of: type) }
                    }
                }
                if type.isAbstract || type.kind == .object, (fields[id] ?? [:]).isEmpty {
                    let first = type.fields.first { schema.namedType(of: $0.type).isLeaf } ?? type.fields.first
                    if let first { add(first, of: type) }
                }
            }
        }
    }

    /// The number of types and fields so far.
    private var size: Int { types.count + fields.values.reduce(0) { $0 + $1.count } }

    /// Whether a world knows objects by a field.
    private static func isKnown(_ field: SchemaField, of type: SchemaType, _ schema: Schema) -> Bool {
        switch field.name {
        case "id", "hasNextPage": return true
        case "pageInfo", "edges", "nodes":
            return type.field(named: "pageInfo").map {
                schema.namedType(of: $0.type).field(named: "hasNextPage") != nil
            } ?? false
        case "node", "cursor": return type.field(named: "cursor") != nil && type.field(named: "node") != nil
        default: return false
        }
    }

    // MARK: - Text

    /// The locations in documents that are executed.
    private static let executable: Set<DirectiveLocation> = [
        .query, .mutation, .subscription, .field, .fragmentDefinition, .fragmentSpread, .inlineFragment,
        .variableDefinition,
    ]

    /// The table in the schema definition language, without descriptions.
    mutating func text() -> String {
        if let query = schema.queryType { add(query) }
        complete()
        var definitions: [Definition] = []
        let roots = [OperationKind.query, .mutation, .subscription].compactMap { kind in
            schema.rootType(for: kind).flatMap { type in
                types.contains(type.id) ? RootOperationType(kind: kind, type: Name(type.name)) : nil
            }
        }
        definitions.append(.schema(SchemaDefinition(operationTypes: roots)))
        let directives = schema.directives.values.filter { $0.origin == .schema }
        for directive in directives.sorted(by: { $0.name < $1.name }) {
            let used = directive.locations.intersection(Self.executable)
            let locations = DirectiveLocation.allCases.filter(used.contains)
            if locations.isEmpty { continue }
            for argument in directive.arguments { add(argument.type) }
            complete()
            definitions.append(
                .directive(
                    DirectiveDefinition(
                        name: Name(directive.name), arguments: directive.arguments.map(definition(of:)),
                        isRepeatable: directive.isRepeatable, locations: locations.map { .init($0) })))
        }
        for id in types.sorted() where !schema[id].isPredeclared {
            definitions.append(.type(definition(of: schema[id])))
        }
        return Printer.print(Document(definitions: definitions), .compact)
    }

    /// The object types, interfaces and unions of a table whose text was made, with their fields of the schema.
    var composites: [(type: SchemaType, fields: [SchemaField])] {
        types.sorted().map { schema[$0] }.filter { $0.isComposite && !$0.isPredeclared }.map { type in
            (type, type.fields.filter { fields[type.id]?[$0.name] != nil })
        }
    }

    private func definition(of type: SchemaType) -> TypeDefinition {
        let interfaces = type.interfaces.filter(types.contains).map { Name(schema[$0].name) }
        let own = fields[type.id] ?? [:]
        // Fields of the compiler come after those of the schema.
        let made = own.values.filter { type.field(named: $0.name) == nil }.sorted { $0.name < $1.name }
        let selected = (type.fields.filter { own[$0.name] != nil } + made).map(definition(of:))
        let body: TypeDefinition.Body =
            switch type.kind {
            case .scalar: .scalar
            case .object: .object(interfaces: interfaces, fields: selected)
            case .interface: .interface(interfaces: interfaces, fields: selected)
            case .union: .union(members: type.members.filter(types.contains).map { Name(schema[$0].name) })
            case .enum: .enum(values: type.enumValues.map { EnumValueDefinition(name: Name($0.name)) })
            case .inputObject: .inputObject(fields: type.inputFields.map(definition(of:)))
            }
        return TypeDefinition(
            name: Name(type.name), directives: type.isOneOf ? [Directive(name: Name("oneOf"), arguments: [])] : [],
            body: body)
    }

    private func definition(of field: SchemaField) -> FieldDefinition {
        FieldDefinition(
            name: Name(field.name), arguments: field.arguments.map(definition(of:)), type: schema.node(of: field.type))
    }

    private func definition(of value: SchemaInputValue) -> InputValueDefinition {
        InputValueDefinition(
            name: Name(value.name), type: schema.node(of: value.type), defaultValue: value.defaultValue)
    }
}
