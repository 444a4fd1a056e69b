import BatonSchema

/// Generates the builders of the types of the schema, with which overrides of a world are written: one for each object
/// type, interface and union of the table. A builder has the fields that the documents use.
struct TypeBuilderGenerator {
    let schema: Schema
    let names: BuilderTypes
    let leaves: LeafTypes
    let options: GenerationOptions
    /// The names of the enums that have a Swift type.
    let enums: Set<String>
    /// The object types, interfaces and unions of the table, with their fields there.
    let types: [(type: SchemaType, fields: [SchemaField])]

    func file() -> GeneratedFile {
        var imports = ImportCollector(options: options)
        let known = Set(types.map(\.type.id))
        var members: [SwiftDeclaration] = []
        for (type, fields) in types { members.append(.type(structure(type, fields, known, &imports))) }
        let namespace = SwiftExtension(.named(BuilderNames.namespace), members: members)
        return SwiftFile.generated(
            BuilderNames.namespace + "+Types", source: nil,
            imports: BuilderGenerator.imports(options, imports.imports), [.extension(namespace)])
    }

    private func structure(
        _ type: SchemaType, _ fields: [SchemaField], _ known: Set<TypeID>, _ imports: inout ImportCollector
    ) -> SwiftTypeDeclaration {
        let parts = BuilderMembers(leaves: leaves, options: options)
        var scope = NameScope(reserved: ReservedNames.selectionProperties, [BuilderTypes.choice, "entity"])
        var members: [SwiftDeclaration] = []
        if type.kind != .union {
            members.append(
                .variable(
                    SwiftVariable(
                        SwiftHead(modifiers: options.modifiers + ["static"]), isConstant: true, "__type",
                        .named("String"), value: .string(type.name))))
        }
        let possible = schema.possibleTypes(of: type).filter { type.isAbstract && known.contains($0.id) }
        if type.isAbstract {
            members.append(parts.choice(names.choice(of: type)))
            members.append(.type(choice(among: possible)))
        }
        for field in fields {
            let named = schema.namedType(of: field.type)
            if named.isComposite {
                members.append(
                    parts.field(scope.claim(field.name), field.name, field, names.builder(of: named)))
            } else if named.kind != .enum || enums.contains(named.name) {
                imports.use(leaves.leaf(field), publicly: true)
                members.append(parts.field(scope.claim(field.name), field.name, field, nil))
            }
        }
        for object in possible {
            members.append(
                parts.part(scope.claim("as" + names.name(object)), names.builder(of: object), on: object))
        }
        return parts.structure(names.name(type), role(of: type), members)
    }

    /// What an override can be about: one entity, all objects of a type, or neither.
    private func role(of type: SchemaType) -> String {
        let isEntity = type.kind == .object && type.field(named: "id") != nil && !schema.isRoot(type)
        return isEntity ? "EntityBuilder" : type.kind == .union ? "TypeBuilder" : "FieldsBuilder"
    }

    private func choice(among possible: [SchemaType]) -> SwiftTypeDeclaration {
        var scope = NameScope(reserved: ["self", "_"])
        let cases = possible.map { object in
            SwiftEnumCase(
                scope.claim(SwiftName.enumCase(options.types[object.name]?.name ?? object.name)),
                rawValue: object.name)
        }
        let inheritance: [SwiftType] = cases.isEmpty ? [.named("Sendable")] : [.named("String"), .named("Sendable")]
        return SwiftTypeDeclaration(
            SwiftHead(modifiers: options.modifiers), .enum, BuilderTypes.choice, inheritance,
            members: [.enumCases(SwiftHead(), cases)])
    }
}
