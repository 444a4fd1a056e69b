/// The newest version of some records, and the names in them: what a bound operation or a reference needs of its store.
protocol RecordSource: AnyObject, Sendable {
    /// The numbers of records, types, storage keys and shapes.
    var names: NameTable { get }
    /// The newest version.
    var records: Records { get }
}
