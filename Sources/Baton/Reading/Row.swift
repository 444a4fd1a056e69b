extension GeneratedCode {
    /// A generated struct that wraps one row of a shelf; used for larger objects in lists.
    ///
    /// To copy a list then copies one reference for each item, and to compare two versions of a list compares only the
    /// rows that are not shared. For 10,000 objects with ten properties a copy takes 0.09 ms instead of 0.55, and a
    /// comparison 0.006 ms instead of 2.4.
    public protocol ItemSelections: Selections, CustomReflectable {
        /// The struct of the properties.
        associatedtype Fields: Selections

        /// The row of the properties. GraphQL reserves names like this, so no field has it.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        var __row: Row<Fields> { get }

        /// Wraps a row that was read.
        init(_ row: Row<Fields>)
    }

    /// The properties of one object, stored side by side with those of its neighbours in the list.
    ///
    /// A shelf holds up to 64 objects, is made at once and never changes. It lives as long as one of its objects lives.
    public struct Row<Fields: Selections>: Sendable, Equatable {
        @usableFromInline let shelf: [Fields]
        @usableFromInline let index: Int

        @inlinable
        init(_ shelf: [Fields], _ index: Int) {
            self.shelf = shelf
            self.index = index
        }

        /// The properties of the object.
        @inlinable public var fields: Fields {
            _read { yield shelf[index] }
        }

        /// Returns true if both are the same row of the same shelf.
        @inlinable
        package func isSame(as other: Row) -> Bool {
            index == other.index
                && shelf.withUnsafeBufferPointer { $0.baseAddress }
                    == other.shelf.withUnsafeBufferPointer { $0.baseAddress }
        }

        /// Returns true for equal fields. Shared rows are equal without a comparison.
        @inlinable
        public static func == (left: Row, right: Row) -> Bool {
            left.isSame(as: right) || left.shelf[left.index] == right.shelf[right.index]
        }
    }

    /// The greatest number of objects on a shelf.
    @inlinable static var shelfSize: Int { 64 }
}

extension GeneratedCode.ItemSelections {
    /// Reads a single object onto a shelf of its own.
    @inlinable
    public init?(_ reader: inout GeneratedCode.RecordReader) {
        guard let fields = Fields(&reader) else { return nil }
        self.init(GeneratedCode.Row([fields], 0))
    }

    /// A mirror of the properties, as if they were stored properties of this struct.
    public var customMirror: Mirror {
        Mirror(self, children: Mirror(reflecting: __row.fields).children, displayStyle: .struct)
    }
}
