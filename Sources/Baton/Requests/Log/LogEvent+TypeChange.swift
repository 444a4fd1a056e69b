extension LogEvent {
    /// A log event: a record's type has changed, usually because two objects of different types have the same ID.
    public struct TypeChange: Sendable, Hashable {
        /// The record.
        public let dataID: DataID
        /// The earlier type of the record. If the record had it before the response, the fields of that type are
        /// removed. If an earlier place of the same response gave it, the fields stay.
        public let oldType: TypeName
        /// The record's current type.
        public let newType: TypeName
        /// The number of the publish that changed the type, as in ``LogEvent/Publish/number``.
        public let publish: Int
    }
}
