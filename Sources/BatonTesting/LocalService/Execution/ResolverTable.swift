import Baton
import BatonDiagnostics
import BatonSchema

/// The resolvers of a service, checked against its schema.
struct ResolverTable: Sendable {
    private let resolvers: LocalResolvers
    private let introspection: LocalResolvers

    /// A table without resolvers.
    static let none = ResolverTable()

    private init() { (resolvers, introspection) = (LocalResolvers(), LocalResolvers()) }

    /// Refuses resolvers for types and fields that the schema does not have.
    init(_ resolvers: LocalResolvers, schema: Schema) throws(LocalSchemaError) {
        self.resolvers = resolvers
        introspection = Introspection.resolvers(for: schema)
        let messages = Self.mistakes(in: resolvers, schema)
        guard messages.isEmpty else { throw LocalSchemaError(messages: messages) }
    }

    private static func mistakes(in resolvers: LocalResolvers, _ schema: Schema) -> [String] {
        var messages: [String] = []
        func question(_ name: String, _ names: [String]) -> String {
            Spelling.question(for: name, among: names).map { "; \($0)" } ?? ""
        }
        func find(_ name: String, _ role: String, _ isRight: (SchemaType) -> Bool) -> SchemaType? {
            let candidates = schema.types.filter { isRight($0) && !$0.isPredeclared }
            if let type = candidates.first(where: { $0.name == name }) { return type }
            messages.append("the schema has no \(role) '\(name)'\(question(name, candidates.map(\.name)))")
            return nil
        }
        for (typeName, fields) in resolvers.fields {
            let type = find(typeName, "object or interface type") { $0.kind == .object || $0.kind == .interface }
            guard let type else { continue }
            for field in fields.keys where type.field(named: field) == nil {
                let names = type.fields.map(\.name)
                messages.append("the type '\(typeName)' has no field '\(field)'\(question(field, names))")
            }
        }
        for name in Set(resolvers.typeNames.values.joined()) { _ = find(name, "object type") { $0.kind == .object } }
        for name in resolvers.typeResolvers.keys { _ = find(name, "interface or union", \.isAbstract) }
        for name in resolvers.scalars.keys { _ = find(name, "scalar") { $0.kind == .scalar } }
        return messages.sorted()
    }

    /// The resolver of the object type, or else the first resolver of one of its interfaces.
    func resolver(of field: String, on type: SchemaType, _ schema: Schema) -> LocalResolvers.Resolver? {
        if let resolver = resolvers.fields[type.name]?[field] ?? introspection.fields[type.name]?[field] {
            return resolver
        }
        for interface in type.interfaces {
            if let resolver = resolvers.fields[schema[interface].name]?[field] { return resolver }
        }
        return nil
    }

    /// The object type of a value of an abstract type. The type's resolver decides first, then the value's own name,
    /// then its Swift type.
    func typeName(of source: Any, for type: SchemaType, _ schema: Schema) throws -> String? {
        if let name = try resolvers.typeResolvers[type.name]?(source) { return name }
        if let name = ResolvedValue.typeName(of: source) { return name }
        let names = resolvers.typeNames[ObjectIdentifier(Swift.type(of: source))] ?? []
        let possible = names.filter { name in
            schema.type(named: name).map { schema.isPossible($0, for: type) } ?? false
        }
        return Set(possible).count == 1 ? possible.first : nil
    }

    /// The JSON of a leaf value.
    func serialize(_ value: Any, as type: SchemaType) throws(LocalError) -> JSONValue {
        if let serialize = resolvers.scalars[type.name] {
            do {
                if let json = try serialize(value) { return json }
            } catch {
                throw (error as? LocalError) ?? LocalError(String(describing: error))
            }
        }
        return try ResultCoercion.coerce(value, to: type)
    }
}
