extension FieldHandler {
    /// The handled field of a response, for its handler.
    public struct Field {
        /// The field of the response. Its `record` has the field; its `storageKey` includes the arguments.
        public let source: RecordField
        /// The field of the same record that the handler writes and that readers read instead.
        public let target: RecordField
        /// The values of the field's arguments, with variables replaced.
        public let arguments: [String: JSONValue]
        /// The arguments that are part of the target's key.
        public let filters: [String: JSONValue]
    }
}
