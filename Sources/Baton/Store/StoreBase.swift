/// The records, names and fetches of a store at one moment, without its optimistic layers.
///
/// It is a value that shares its memory with the store. The store copies the pages and tables that it changes later.
package struct StoreBase: Sendable {
    let records: Records
    let names: NamesBase
    let fetches: OperationTable.Base
    let options: StoreOptions
    let now: @Sendable () -> Duration
}

extension Store {
    /// The current store, for stores over it. Takes time linear in the number of fetched operations, and in the records
    /// that optimistic layers cover.
    package var base: StoreBase {
        // The names are copied after the records, so that every record has its name. Meanwhile the hold keeps numbers
        // from being given to other records.
        let hold = NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        return StoreBase(
            records: records.withoutLayers.withOwnStamps.withoutFile, names: names.base, fetches: operations.base,
            options: options,
            now: now)
    }
}
