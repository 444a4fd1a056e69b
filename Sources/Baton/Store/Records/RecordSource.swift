/// The newest version of some records, and their names: the part of a store that a reference needs.
protocol RecordSource: AnyObject, Sendable {
    /// The numbers of records, types, storage keys and shapes.
    var names: NameTable { get }
    /// The newest version.
    var records: Records { get }
}

/// The owner of a store.
protocol RecordOwner: AnyObject, Sendable {
    var source: any RecordSource { get }
}
