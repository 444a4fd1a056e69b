// The details of events that have few.

extension LogEvent {
    /// The result of a check of the store, for the log.
    public struct Check: Sendable {
        /// The operation's name as the document spells it.
        public let operationName: String
        /// What the store holds of the operation's data.
        public let availability: Availability
    }

    /// A log event: no component learns of a change of the frame, because the frame's ``TrackedChange`` was released
    /// unused.
    public struct DroppedChange: Sendable, Hashable {
        /// The name of the first operation or fragment that the frame has read.
        public let component: String
    }

    /// A response that was dropped from a sequence of events, for the log.
    public struct DroppedEvent: Sendable, Hashable {
        /// The subscription's name as the document spells it.
        public let operationName: String
    }

    /// A log event: a response breaks a specification but was read.
    public struct IrregularResponse: Sendable, Hashable {
        /// The operation's name as the document spells it.
        public let operationName: String
        /// The number of the request, as in ``NetworkRequest/id``.
        public let request: Int
        /// The irregularities of the response.
        public let irregularities: [LogEvent.Irregularity]
    }

    /// A read that found less data than it selects, for the log.
    public struct MissingData: Sendable, Hashable {
        /// The name of the operation or fragment that was read.
        public let component: String
        /// The name of the operation that fetched the data.
        public let operationName: String
        /// The place of the first missing field.
        public let location: FieldLocation
    }

    /// A log event, once for each read: a required field has no value.
    public struct MissingRequiredField: Sendable, Hashable {
        /// The name of the operation or fragment whose document requires the field.
        public let component: String
        /// The path of the field, from the root of the operation or fragment.
        public let path: [JSONValue.PathComponent]
        /// The name of the operation that fetched the data.
        public let operationName: String
    }

    /// A log event, once for each read: the result is larger than the store allows.
    public struct ResultTooLarge: Sendable, Hashable {
        /// The name of the operation or fragment.
        public let component: String
        /// The greatest size in bytes: ``StoreOptions/resultSize``.
        public let limit: Int
        /// The name of the operation that fetched the data.
        public let operationName: String
    }

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

    /// A log event: an update threw.
    public struct UpdateFailure: Sendable {
        /// The source of the update.
        public let source: LogEvent.Publish.Source
        /// The error that the update threw.
        public let error: any Error
        /// True if the store refused a change; false if the application's code failed.
        public var isRefused: Bool { error is UpdateError }
    }
}
