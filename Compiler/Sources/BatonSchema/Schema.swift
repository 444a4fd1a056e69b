import BatonDiagnostics
import BatonSyntax

/// The types and directives of documents; immutable and shared by all stages.
///
/// Types are found by name in a dictionary, and by `TypeID` in an array. Questions about possible types are answered
/// from precomputed sets.
package final class Schema: Sendable {
    /// All types, including predeclared ones; the index is the type's id.
    package let types: [SchemaType]
    /// The directives that documents and definitions may use.
    package let directives: [String: SchemaDirective]
    /// The server's directives that have the name of one of Relay's. Relay's directive is in `directives`, and counts
    /// in documents.
    package let definitionDirectives: [String: SchemaDirective]
    /// The schema without client schema extensions; nil if there are no extensions.
    package let server: Schema?
    /// The definitions of client schema extensions as they are written.
    package let clientDefinitions: [Definition]
    package let description: String?
    /// The names for connections and for the node interface.
    package let names: SchemaNames
    package let queryType: SchemaType?
    package let mutationType: SchemaType?
    package let subscriptionType: SchemaType?

    private let idsByName: [String: TypeID]
    /// For each type, the object types of its values: the type itself, implementations or members.
    private let possible: [TypeSet]
    /// For each object or interface, the interfaces that it declares to implement.
    private let implemented: [TypeSet]
    /// For each object or interface, the interfaces of `implemented` that it implements completely. An interface is
    /// left out if a field is missing, or if an object of the type does not declare the interface.
    private let replaced: [TypeSet]
    private let typenameField: SchemaField?
    private let clientIDField: SchemaField?
    private let schemaField: SchemaField?
    private let typeField: SchemaField?

    package init(
        types: [SchemaType],
        directives: [String: SchemaDirective],
        definitionDirectives: [String: SchemaDirective] = [:],
        description: String? = nil,
        rootTypes: [OperationKind: TypeID],
        server: Schema? = nil,
        clientDefinitions: [Definition] = [],
        names: SchemaNames = SchemaNames()
    ) {
        self.names = names
        self.types = types
        self.directives = directives
        self.definitionDirectives = definitionDirectives
        self.server = server
        self.clientDefinitions = clientDefinitions
        self.description = description
        func type(_ id: TypeID?) -> SchemaType? { id.map { types[Int($0.index)] } }
        queryType = type(rootTypes[.query])
        mutationType = type(rootTypes[.mutation])
        subscriptionType = type(rootTypes[.subscription])
        let idsByName = Dictionary(types.map { ($0.name, $0.id) }, uniquingKeysWith: { first, _ in first })
        self.idsByName = idsByName

        var possible = [[TypeID]](repeating: [], count: types.count)
        for type in types {
            switch type.kind {
            case .object:
                possible[Int(type.id.index)].append(type.id)
                for interface in type.interfaces { possible[Int(interface.index)].append(type.id) }
            case .union: possible[Int(type.id.index)] = type.members
            case .interface, .scalar, .enum, .inputObject: break
            }
        }
        let objects = possible.map { TypeSet($0) }
        self.possible = objects
        implemented = types.map { $0.interfaces.isEmpty ? .empty : TypeSet($0.interfaces) }
        replaced = types.map { type in
            let kept = type.interfaces.filter { interface in
                types[Int(interface.index)].fields.allSatisfy { type.field(named: $0.name) != nil }
                    && objects[Int(type.id.index)].allSatisfy(objects[Int(interface.index)].contains)
            }
            return kept.isEmpty ? .empty : TypeSet(kept)
        }

        func reference(_ name: String) -> TypeReference? { idsByName[name].map { TypeReference($0) } }
        typenameField = reference("String")?.required.map { SchemaField(name: "__typename", type: $0) }
        clientIDField = reference("ID")?.required.map {
            SchemaField(name: SchemaField.dataIDName, type: $0, isClientOnly: true)
        }
        schemaField = reference("__Schema")?.required.map { SchemaField(name: "__schema", type: $0) }
        let nameType = reference("String")?.required
        typeField = reference("__Type").flatMap { type in
            nameType.map {
                SchemaField(name: "__type", type: type, arguments: [SchemaInputValue(name: "name", type: $0)])
            }
        }
    }

    package subscript(id: TypeID) -> SchemaType { types[Int(id.index)] }

    package func type(named name: String) -> SchemaType? {
        idsByName[name].map { types[Int($0.index)] }
    }

    package func namedType(of reference: TypeReference) -> SchemaType { self[reference.named] }

    package func directive(named name: String) -> SchemaDirective? { directives[name] }

    /// The root type for operations of a kind; nil if the schema has none.
    package func rootType(for kind: OperationKind) -> SchemaType? {
        switch kind {
        case .query: queryType
        case .mutation: mutationType
        case .subscription: subscriptionType
        }
    }

    /// Whether a type is the root type for operations of a kind.
    package func isRoot(_ type: SchemaType) -> Bool {
        type === queryType || type === mutationType || type === subscriptionType
    }

    /// The field with a name that documents can select on a type: the type's own fields, `__typename` on composite
    /// types, `__schema` and `__type` on the query type, and Relay's `__id`. The store has the value of `__id`, which
    /// is never sent to a server.
    package func field(named name: String, on type: SchemaType) -> SchemaField? {
        if let field = type.field(named: name) { return field }
        switch name {
        case "__typename": return type.isComposite ? typenameField : nil
        case SchemaField.dataIDName: return type.isComposite ? clientIDField : nil
        case "__schema": return type === queryType ? schemaField : nil
        case "__type": return type === queryType ? typeField : nil
        default: return nil
        }
    }

    /// The interface of globally identified objects: it is named `Node` and has a field `id`, unless the configuration
    /// has other names.
    package var nodeInterface: SchemaType? {
        guard let type = type(named: names.nodeInterface), type.kind == .interface,
            type.field(named: names.nodeInterfaceIDField) != nil
        else { return nil }
        return type
    }

    /// The text of a type reference, such as `[Film!]!`.
    package func describe(_ reference: TypeReference) -> String {
        reference.description(naming: self[reference.named].name)
    }

    /// The reference of a written type; nil if its name is unknown or it is nested too deep.
    package func resolve(_ node: TypeNode) -> TypeReference? {
        switch node {
        case .named(let name): idsByName[name.text].map { TypeReference($0) }
        case .list(let item, _): resolve(item)?.listed
        case .nonNull(let item, _): resolve(item)?.required
        }
    }

    // MARK: - Relations

    /// The object types that a value of a type can have, in the order of definition.
    package func possibleTypes(of type: SchemaType) -> [SchemaType] {
        possible[Int(type.id.index)].map { self[$0] }
    }

    /// Whether an object type is a possible type of a composite type.
    package func isPossible(_ object: SchemaType, for type: SchemaType) -> Bool {
        possible[Int(type.id.index)].contains(object.id)
    }

    /// Whether an object can have both types, so that a fragment on one type can apply to the other.
    package func overlap(_ left: SchemaType, _ right: SchemaType) -> Bool {
        left === right || possible[Int(left.id.index)].intersects(possible[Int(right.id.index)])
    }

    /// Whether a type declares to implement an interface.
    package func implements(_ type: SchemaType, _ interface: SchemaType) -> Bool {
        implemented[Int(type.id.index)].contains(interface.id)
    }

    /// Whether every value of one named type is also a value of the other one, with all its fields. The type is then
    /// the same, an implementation or a member.
    ///
    /// A schema may be accepted even though a type lacks a field of its interface, or an object does not declare the
    /// interface of its interface. Such a type is not a subtype: a type condition must stay, so that fields that the
    /// type lacks are not selected on it.
    package func isSubtype(_ type: SchemaType, of other: SchemaType) -> Bool {
        if type === other { return true }
        switch other.kind {
        case .interface: return replaced[Int(type.id.index)].contains(other.id)
        case .union: return type.kind == .object && isPossible(type, for: other)
        default: return false
        }
    }

    /// Whether a value of one type fits where the other type is expected, as the types declare it. Lists and non-null
    /// types are covariant.
    ///
    /// Specification: https://spec.graphql.org/September2025/#IsValidImplementationFieldType()
    package func isSubtype(_ type: TypeReference, of other: TypeReference) -> Bool {
        switch (type.shape, other.shape) {
        case (.nonNull(let inner), .nonNull(let otherInner)): isSubtype(inner, of: otherInner)
        case (.nonNull(let inner), _): isSubtype(inner, of: other)
        case (.list(let item), .list(let otherItem)): isSubtype(item, of: otherItem)
        case (.named(let name), .named(let otherName)):
            isSubtype(self[name], of: self[otherName]) || implements(self[name], self[otherName])
        default: false
        }
    }
}
