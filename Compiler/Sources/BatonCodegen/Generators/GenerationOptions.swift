/// The settings of the configuration for generated Swift.
package struct GenerationOptions: Sendable {
    package var access: AccessLevel
    /// The mappings by the name of the scalar in the schema.
    package var scalars: [String: ScalarMapping]

    package init(access: AccessLevel = .internal, scalars: [String: ScalarMapping] = [:]) {
        self.access = access
        self.scalars = scalars
    }

    /// The modifiers of a member declaration.
    var modifiers: [String] { access == .internal ? [] : [access.rawValue] }

    /// The modifiers of a declaration at the top level or in an extension.
    var topLevelModifiers: [String] { modifiers + ["nonisolated"] }
}

/// A file that the compiler writes.
package struct GeneratedFile: Sendable, Hashable {
    /// The name without a folder.
    package let name: String
    package let text: String

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}
