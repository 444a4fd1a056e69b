// Initializers for a common mistake: the data of a parent is passed instead of a reference. Without them the compiler
// would only report that it cannot infer the fragment.

extension FragmentHandle {
    /// The data of a parent has no fields of the fragments that it spreads.
    @available(*, unavailable, message: "the fields of a fragment are masked: pass its reference, 'data.fragments.x'")
    public convenience init(_ data: (some GeneratedCode.SelectionSet)?, in environment: borrowing RelayEnvironment) {
        self.init(nil as FragmentReference<Fragment>?, in: environment)
    }
}

extension FragmentHandle where Fragment == GeneratedCode.NoFragment {
    /// The data of a parent has no fields of the fragments that it spreads.
    @available(*, unavailable, message: "the fields of a fragment are masked: pass its reference, 'data.fragments.x'")
    public convenience init(_ data: (some GeneratedCode.SelectionSet)?, in environment: borrowing RelayEnvironment) {
        self.init(nil as FragmentReference<Fragment>?, in: environment)
    }
}

extension GeneratedCode {
    /// The fragment of a handle whose type names no fragment.
    public enum NoFragment: GraphQLFragment {
        /// No fields.
        public struct Data: SelectionSet, Equatable {
            // swift-format-ignore: AlwaysUseLowerCamelCase
            /// The row of the object.
            public let __row: Row

            // swift-format-ignore: AlwaysUseLowerCamelCase
            /// Keeps the row.
            public init(__row: Row) { self.__row = __row }
        }

        /// A fragment without fields.
        public static let artifact = FragmentArtifact(name: "", typeCondition: "", reader: "{}")
    }
}
