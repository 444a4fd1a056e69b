/// The Swift names in the configuration for a type of the schema.
package struct TypeCustomization: Sendable, Hashable {
    /// The name of the type; nil for its name in the schema.
    package var name: String?
    /// The module that has the type already, so that no file is generated for it; nil if the type is generated.
    package var module: String?
    /// The names of enum cases, or of fields of an input object, by their names in the schema.
    package var members: [String: String]

    package init(name: String? = nil, module: String? = nil, members: [String: String] = [:]) {
        self.name = name
        self.module = module
        self.members = members
    }
}
