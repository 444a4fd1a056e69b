extension GeneratedCode {
    /// A generated struct for an input object of the schema. It is `Hashable`.
    public protocol InputObject: GeneratedCode.Input {
        /// The fields in the order of the schema.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        var __fields: GeneratedCode.InputFields { get }

        /// Wraps the fields of an object of this type.
        init(__fields: GeneratedCode.InputFields)
    }
}

extension GeneratedCode.InputObject {
    /// Compares the fields, also those that are nested too deep to be sent.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public static func == (left: Self, right: Self) -> Bool { left.__fields == right.__fields }

    /// Hashes the fields.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public func hash(into hasher: inout Hasher) { __fields.hash(into: &hasher) }

    /// A hash value for this process.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public var hashValue: Int { __fields.hashValue }
}

extension GeneratedCode.InputObject {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// An object of the fields that were not left out.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public var __input: GeneratedCode.InputValue { .init(.object(__fields)) }
}
