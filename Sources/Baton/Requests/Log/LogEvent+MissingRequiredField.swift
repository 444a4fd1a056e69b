extension LogEvent {
    /// A log event, once for each read: a required field has no value.
    public struct MissingRequiredField: Sendable, Hashable {
        /// The name of the operation or fragment whose document requires the field.
        public let component: String
        /// The path of the field, from the root of the operation or fragment.
        public let path: [JSONValue.PathComponent]
        /// The name of the operation that fetched the data.
        public let operationName: String
    }
}
