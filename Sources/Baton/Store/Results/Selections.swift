extension GeneratedCode {
    /// The protocols that a generated `Data` struct and each struct nested in it conform to.
    public typealias Selections = SelectionSet & Equatable

    /// A generated `Data` struct, or a struct nested in it: an object of a read result.
    ///
    /// The struct has no storage but the row. Each property looks up its value in the row at each access, which takes a
    /// few nanoseconds; converted scalars are not converted again. A property never fails, because the read has made
    /// sure that every non-null property has a value.
    ///
    /// Each protocol to which a struct conforms costs an application some 100 bytes per struct. A protocol that refines
    /// one of the standard library costs 250 bytes more, because Swift completes such a conformance when the program
    /// runs. Therefore this protocol does not refine `Equatable`, and the row has the mirror of the fields.
    public protocol SelectionSet: ListElement {
        /// The row of the object. GraphQL reserves names like this, so no field has it.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        var __row: Row { get }
    }
}

extension GeneratedCode.SelectionSet {
    /// Compares the selected fields. Two structs with the same row of the same block are equal without a comparison.
    public static func == (left: Self, right: Self) -> Bool { left.__row.isEqual(to: right.__row) }

    /// The name of the object's type. At the root of an operation, generated code knows the name.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public var __typename: String { __row.typename }

    /// A reference for each fragment that is spread in the selection set.
    public var fragments: GeneratedCode.FragmentReferences<Self> { GeneratedCode.FragmentReferences(__row: __row) }
}
