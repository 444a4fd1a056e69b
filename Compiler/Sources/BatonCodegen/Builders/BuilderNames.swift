/// The names that builders add.
package enum BuilderNames {
    /// The type in each struct of a result.
    static let nestedType = "Builder"
    /// The namespace of what the builders of a project share.
    package static let namespace = "BuilderSchema"
    /// The table of the schema in the namespace.
    static let table = "table"
    /// The response key of the object that a fragment is spread in.
    static let object = "made"
}
