/// An answer that was read completely and is not in the store yet.
package struct StagedResponse: Sendable {
    /// What stood under `data`.
    package enum DataPresence: Sendable, Hashable {
        /// There was no such member.
        case absent
        /// It was null.
        case null
        /// It was an object.
        case object
    }

    let records: StagedRecords
    package let presence: DataPresence
    package let errors: [GraphQLError]
    package let extensions: JSONValue?
    /// Where the root fields are to be read once it is published.
    package let root: RecordID
}
