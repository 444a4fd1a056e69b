import BatonSchema

/// The settings of the configuration for generated Swift.
package struct GenerationOptions: Sendable {
    package var access: AccessLevel
    /// The mappings by the name of the scalar in the schema.
    package var scalars: [String: ScalarMapping]
    /// The types of providers, by the name of the provider in documents.
    package var providers: [String: ProviderMapping] = [:]
    /// The names of types of the schema, by their names in the schema.
    package var types: [String: TypeCustomization] = [:]
    /// The modules of types that are not generated in this project, by their Swift names; set by `CodeGenerator`.
    var modules: [String: String] = [:]
    /// The layout of the texts of requests.
    package var layout = OperationTextPrinter.Layout.lines
    /// The hash function for the ids of texts; nil if texts have no id.
    package var textHash: TextHash?
    /// Whether a request has its text in addition to the id.
    package var includesTexts = true
    package var documentation: DocumentationScope
    /// What no file on disk is to have.
    package var unstored = UnstoredNames()
    /// Whether structs of results are hashable.
    package var hashable: Bool
    /// Whether there are builders of results, which are generated into files of their own.
    package var builders = false
    /// The module of the generated code, which builders in another module import; nil if they are in the same module.
    package var module: String?

    package init(
        access: AccessLevel = .internal, scalars: [String: ScalarMapping] = [:],
        documentation: DocumentationScope = .summaries, hashable: Bool = false
    ) {
        self.access = access
        self.scalars = scalars
        self.documentation = documentation
        self.hashable = hashable
    }

    /// The type of a provider, from the configuration or else from its name; nil if the name gives none.
    func provider(named name: String) -> ProviderMapping? { providers[name] ?? ProviderMapping(ofProvider: name) }

    /// The name of a type within the names that are generated for a type condition on it.
    func conditionName(_ type: SchemaType) -> String { types[type.name]?.name ?? SwiftName.uppercasingFirst(type.name) }

    /// The name of an enum case or of a field of an input object; nil without a configured one.
    func memberName(_ member: String, of type: SchemaType) -> String? { types[type.name]?.members[member] }

    /// The comment for a declaration that is generated once.
    func comment(_ description: String?) -> String? {
        switch documentation {
        case .none: nil
        case .summaries: description.map(Self.summary)
        case .all: description
        }
    }

    /// The comment for a selected field, which is repeated in every selection of the field.
    func comment(ofSelected field: SchemaField) -> String? {
        documentation == .all ? field.description.map(Self.summary) : nil
    }

    /// The first paragraph of a description.
    private static func summary(of description: String) -> String {
        let lines = description.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let paragraph = lines.drop { $0.allSatisfy(\.isWhitespace) }.prefix { !$0.allSatisfy(\.isWhitespace) }
        return paragraph.joined(separator: "\n")
    }

    /// The modifiers of a member declaration.
    var modifiers: [String] { access == .internal ? [] : [access.rawValue] }

    /// The modifiers of a declaration at the top level or in an extension.
    var topLevelModifiers: [String] { modifiers + ["nonisolated"] }
}

/// The descriptions of the schema and of the documents that become comments of generated code.
package enum DocumentationScope: String, Sendable, CaseIterable {
    case none
    /// The first paragraph for declarations that are generated once: operations, fragments, variables, enums and input
    /// objects.
    case summaries
    /// The whole text for declarations that are generated once, and the first paragraph for each selected field.
    case all
}

/// A file that the compiler writes.
package struct GeneratedFile: Sendable, Hashable {
    /// The name without a folder.
    package let name: String
    package let text: String
    /// What the file was generated for; nil for what definitions share.
    package private(set) var owner: Owner?
    /// The number of structs with fragment spreads, of which a module has room for some (``ModuleSize``).
    package let references: Int

    package init(name: String, text: String, references: Int = 0) {
        self.name = name
        self.text = text
        self.references = references
    }

    /// A definition, by the name that it has after all transforms.
    package enum Owner: Hashable, Sendable {
        case operation(String)
        case fragment(String)
    }

    func owned(by owner: Owner) -> GeneratedFile {
        var file = self
        file.owner = owner
        return file
    }
}
