/// The owner of a store.
protocol RecordOwner: AnyObject, Sendable {
    var source: any RecordSource { get }
}
