/// The types of the fields that plans select, by the type of the object that has the field.
struct FieldTypes: Sendable {
    /// A type under which readers read a field.
    struct Known: Sendable {
        let type: SelectionPlan.FieldType
        /// The conversion of a mapped scalar; nil for other types.
        let decoder: GeneratedCode.ScalarDecoder?
    }

    /// The types that plans give to a field in objects of one type.
    struct Parent: Sendable {
        let name: String
        /// False if it is known to be an object type.
        fileprivate(set) var isAbstract: Bool
        fileprivate(set) var types: [Known]
    }

    /// The parents of each field, by the field's name.
    private var parents: [String: [Parent]] = [:]

    /// True if no plan was added.
    var isEmpty: Bool { parents.isEmpty }

    /// Returns the types of the objects in which plans select a field, with the types of the field there.
    func parents(of field: String) -> [Parent] { parents[field] ?? [] }

    /// The number of types of all fields.
    private(set) var count = 0

    /// Adds the fields of a plan. If the type of the root is unknown, its own fields are left out.
    mutating func add(
        _ plan: SelectionPlan, root: String?, isAbstract: Bool = false, _ scalars: [GeneratedCode.ScalarDecoder]
    ) {
        var open = [(items: plan.items, parent: root, isAbstract: isAbstract)]
        while let (items, parent, isAbstract) = open.popLast() {
            for item in items {
                switch item.kind {
                case .field(let field):
                    if let parent {
                        add(field.name, field.type, of: parent, isAbstract, scalars)
                        // The copy that a handler keeps of the field is read as the field itself.
                        if let handle = item.marks.handle {
                            let key = handle.key.isEmpty ? field.name : handle.key
                            add("__\(key)_\(handle.name)", field.type, of: parent, isAbstract, scalars)
                        }
                    }
                    switch field.type.named {
                    case .object(let name, _): open.append((field.selections, name, false))
                    case .abstract(let name, _, _): open.append((field.selections, name, true))
                    default: break
                    }
                case .inline(let condition?, let items): open.append((items, condition.type, condition.isAbstract))
                case .inline(nil, let items): open.append((items, parent, isAbstract))
                case .spread: break
                }
            }
        }
    }

    private mutating func add(
        _ field: String, _ type: SelectionPlan.FieldType, of parent: String, _ isAbstract: Bool,
        _ scalars: [GeneratedCode.ScalarDecoder]
    ) {
        var decoder: GeneratedCode.ScalarDecoder?
        if case .mappedScalar(let name) = type.named { decoder = scalars.first { $0.name == name } }
        let known = Known(type: type, decoder: decoder)
        guard let place = parents[field]?.firstIndex(where: { $0.name == parent }) else {
            parents[field, default: []].append(Parent(name: parent, isAbstract: isAbstract, types: [known]))
            count += 1
            return
        }
        if !isAbstract { parents[field]?[place].isAbstract = false }
        if parents[field]?[place].types.contains(where: { $0.type == type }) == true { return }
        parents[field]?[place].types.append(known)
        count += 1
    }
}

extension SelectionPlan.FieldType: CustomStringConvertible {
    /// The type as a schema writes it: `[String!]`.
    package var description: String {
        switch self {
        case .named(let name): name.name
        case .list(let item): "[\(item)]"
        case .nonNull(let inner): "\(inner)!"
        }
    }
}

extension SelectionPlan.NamedType {
    /// The name of the type in the schema.
    package var name: String {
        switch self {
        case .int: "Int"
        case .float: "Float"
        case .string: "String"
        case .boolean: "Boolean"
        case .id: "ID"
        case .enumeration(let name), .mappedScalar(let name), .unmappedScalar(let name): name
        case .object(let name, _), .abstract(let name, _, _): name
        }
    }
}
