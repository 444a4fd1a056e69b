extension GeneratedCode {
    /// A generated enum for an input object of the schema of which exactly one field is given (`@oneOf`): a case for
    /// each field, with its value. It is `Hashable`.
    public protocol OneOfInput: GeneratedCode.Input {
        /// The field that is given.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        var __fields: GeneratedCode.InputFields { get }
    }
}

extension GeneratedCode.OneOfInput {
    /// Compares the given fields, also those that are nested too deep to be sent.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public static func == (left: Self, right: Self) -> Bool { left.__fields == right.__fields }

    /// Hashes the given field.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public func hash(into hasher: inout Hasher) { __fields.hash(into: &hasher) }

    /// A hash value for this process.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public var hashValue: Int { __fields.hashValue }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// An object with the field that is given.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public var __input: GeneratedCode.InputValue { .init(.one(OneInput(self))) }
}
