// What a call means from which a variable is missing. The compiler of Swift chooses these only where nothing else fits,
// and shows their sentence in place of the requirements of operations without variables.

extension GraphQLOperation {
    /// The operation has variables.
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "give an argument for each variable without a default, as in (id: id)"
    )
    public init() { preconditionFailure("nothing can call this") }
}

extension GeneratedCode.PreloadableQuery {
    /// The query has variables.
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "give an argument for each variable without a default, as in (id: id)"
    )
    public init() { preconditionFailure("nothing can call this") }
}
