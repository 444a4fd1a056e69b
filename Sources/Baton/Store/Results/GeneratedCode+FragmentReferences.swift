extension GeneratedCode {
    /// The references of the fragments that are spread in a selection set.
    ///
    /// Generated code adds a property for each spread, in an extension for the struct of the set.
    public struct FragmentReferences<__Selections: GeneratedCode.SelectionSet>: Sendable, Equatable {
        /// The row of the object in which the fragments are spread.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        public let __row: GeneratedCode.Row

        /// Compares the references.
        public static func == (left: Self, right: Self) -> Bool { left.__row.hasEqualSpreads(to: right.__row) }
    }
}
