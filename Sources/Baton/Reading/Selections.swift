extension GeneratedCode {
    /// A generated `Data` struct, or a struct nested in it: an object of a read result.
    ///
    /// The struct has no storage but the row. Each property looks up its value in the row when it is asked for, which
    /// takes a few nanoseconds; scalars of the application are not converted again. A property never fails, because the
    /// read has made sure that every non-null property has a value.
    public protocol Selections: NullableListElement, Equatable, CustomReflectable {
        /// The row of the object. GraphQL reserves names like this, so no field has it.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        var __row: Row { get }

        /// Wraps the row of an object that was read with the struct's selections.
        init(__row: Row)
    }

    /// The generated struct of the fragments that are spread in a selection set.
    public protocol Spreads: Sendable, Equatable {
        /// The row of the object in which the fragments are spread.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        var __row: Row { get }

        /// Wraps the row of the object.
        init(__row: Row)
    }
}

extension GeneratedCode.Selections {
    /// Compares what is selected. The same row of the same block is equal at once.
    public static func == (left: Self, right: Self) -> Bool { left.__row.isEqual(to: right.__row) }

    /// A mirror of the fields by their response keys.
    public var customMirror: Mirror { __row.mirror(of: self) }
}

extension GeneratedCode.Spreads {
    /// Compares the references.
    public static func == (left: Self, right: Self) -> Bool { left.__row.hasEqualSpreads(to: right.__row) }
}
