import BatonSchema

/// Generates a constant with the names of connections that `schemaConfig` gives, for the options of the store.
struct ConnectionNamesGenerator {
    let schema: Schema
    let options: GenerationOptions

    /// The file; nil if the names are those of the specification.
    func file() -> GeneratedFile? {
        let (names, defaults) = (schema.names, SchemaNames())
        let given: [(label: String, name: String, usual: String)] = [
            ("edges", names.edges, defaults.edges), ("node", names.node, defaults.node),
            ("cursor", names.cursor, defaults.cursor), ("pageInfo", names.pageInfo, defaults.pageInfo),
            ("pageInfoType", pageInfoType ?? "PageInfo", "PageInfo"),
            ("endCursor", names.endCursor, defaults.endCursor),
            ("startCursor", names.startCursor, defaults.startCursor),
            ("hasNextPage", names.hasNextPage, defaults.hasNextPage),
            ("hasPreviousPage", names.hasPreviousPage, defaults.hasPreviousPage),
        ]
        let other = given.filter { $0.name != $0.usual }
        if other.allSatisfy({ $0.label == "pageInfoType" }) { return nil }
        let constant = SwiftVariable(
            SwiftHead(
                documentation: "The schema's names, for `StoreOptions(connectionNames:)`.",
                modifiers: options.topLevelModifiers + ["static"]),
            isConstant: true, "ofSchema", nil,
            value: .call(
                .name("StoreOptions.ConnectionNames"), other.map { SwiftArgument($0.label, .string($0.name)) },
                layout: .block))
        return SwiftFile.generated(
            "ConnectionNames", source: nil, imports: [SwiftImport.baton(options.access)],
            [.extension(SwiftExtension(.named("StoreOptions.ConnectionNames"), members: [.variable(constant)]))])
    }

    /// The type of the page info; nil if connections have several.
    private var pageInfoType: String? {
        let types = schema.types.compactMap { type -> String? in
            guard type.field(named: schema.names.edges) != nil, let info = type.field(named: schema.names.pageInfo)
            else { return nil }
            return schema.namedType(of: info.type).name
        }
        return Set(types).count == 1 ? types.first : nil
    }
}
