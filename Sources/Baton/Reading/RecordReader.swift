extension GeneratedCode {
    /// What a generated `Data` struct, and every struct nested in it, conforms to.
    public protocol Selections: Sendable, Equatable {
        /// Reads every property from the reader's record, by position in the reader plan; nil if a non-null property has no value.
        init?(_ reader: inout RecordReader)
    }

    /// Stands on one record and hands out the fields of one selection set, by position.
    public struct RecordReader {}
}
