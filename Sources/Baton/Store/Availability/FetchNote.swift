/// A fetch that is noted when its response lands.
package struct FetchNote: Sendable {
    let record: FetchRecord
    /// True if the record has to say whether the response lacked selected fields. The search takes time linear in the
    /// operation's data.
    let looksForMissing: Bool
}
