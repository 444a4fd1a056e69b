extension GeneratedCode {
    /// The formats of generated code that this version of Baton reads.
    ///
    /// Each operation and fragment names the format in which it was written. Any other name than those below does not
    /// compile, and the error names the command that writes the code anew. This holds for a format that has ended, and
    /// for one of a newer compiler.
    @dynamicMemberLookup
    public struct Format: Sendable {
        /// The format since version 0.1.0.
        public static var v1: Format { Format() }

        /// Every format that this version does not read.
        @available(
            *, unavailable,
            message: """
                another version of Baton's compiler wrote this file; run 'swift run baton compile', which writes it for the \
                version that this package uses, or take the bundle of the plugin of that version
                """
        )
        public static subscript(dynamicMember format: String) -> Format { Format() }
    }
}
