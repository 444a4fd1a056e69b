extension MissingFieldHandler {
    /// A field that the store lacks, as a handler sees it.
    public struct Field: Sendable {
        /// The field's name in the schema.
        public let name: String
        /// The field's arguments, with variables replaced by values.
        public let arguments: [String: JSONValue]
        /// The field's type in GraphQL syntax: `[Film!]`.
        public let type: String
        /// The record that should hold the field.
        public let parent: StoreRecords.Record

        /// Returns another record of the store; nil if it is unknown or deleted.
        public func record(_ id: DataID) -> StoreRecords.Record? {
            parent.names.record(id, adding: false).flatMap { StoreRecords.Record($0, parent.records, parent.names) }
        }
    }
}
