import BatonDiagnostics
import BatonSchema

/// Generates a struct for an input object. Fields that are nullable or have a default can be left out.
struct InputObjectGenerator {
    private let name: String
    private let leaves: LeafTypes
    private let options: GenerationOptions
    private(set) var diagnostics: [Diagnostic] = []

    init(name: String, leaves: LeafTypes, options: GenerationOptions) {
        self.name = name
        self.leaves = leaves
        self.options = options
    }

    mutating func file(for type: SchemaType, path: String?) -> GeneratedFile {
        let members = InputMembers(
            type.inputFields.map { field in
                InputMembers.Member(
                    graphQLName: field.name,
                    reference: field.type,
                    isRequired: field.isRequired,
                    documentation: field.description,
                    deprecation: field.deprecation,
                    span: field.span,
                    name: options.memberName(field.name, of: type) ?? ""
                )
            },
            reserved: [],
            leaves: leaves,
            options: options
        )
        diagnostics += members.diagnostics
        let declaration = SwiftTypeDeclaration(
            SwiftHead(documentation: options.comment(type.description), modifiers: options.topLevelModifiers),
            .struct,
            name,
            [.named("GeneratedCode.InputObject"), .named("Hashable")],
            lead: [members.storage],
            members: members.properties + [members.wrapper, members.initializer]
        )
        var imports = ImportCollector(options: options)
        for leaf in members.leafTypes { imports.use(leaf, publicly: true) }
        return SwiftFile.generated(name, source: path, imports: imports.imports, [.type(declaration)])
    }
}
