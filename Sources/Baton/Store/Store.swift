/// The records of an environment, each once, with who reads them and when they were fetched.
///
/// Every method may be called from any thread.
package final class Store: Sendable {
    package init(dataID: DataIDFunction? = nil) {}

    /// The newest version.
    package var epoch: Epoch { 0 }

    // MARK: - Binding

    /// Prepares an operation. Equal queries and variables give the same object while it is in use.
    package func bind<Operation: GraphQLOperation>(_ operation: Operation) -> BoundOperation { fatalError() }
    /// Prepares a fragment; nil if the reference came from another store.
    package func bind<Fragment: GraphQLFragment>(_ reference: FragmentReference<Fragment>) -> BoundFragment? { nil }
    /// The text that identifies a record.
    package func dataID(of record: RecordID) -> DataID { "" }

    // MARK: - Writing

    /// Reads the body of an answer beside the store, which it does not change.
    package func normalize(
        _ body: [UInt8], for operation: BoundOperation
    ) throws(ResponseError) -> StagedResponse { fatalError() }
    /// Merges an answer into the newest version, together with what an updater does on top of it, and tells whose fields changed.
    package func publish(
        _ response: StagedResponse, for operation: BoundOperation,
        updating body: ((RecordSourceProxy) throws -> Void)? = nil
    ) rethrows -> PublishSummary { fatalError() }
    /// Runs a local update and publishes what it did; publishes nothing if it throws.
    package func update<Result>(_ body: (RecordSourceProxy) throws -> Result) rethrows -> (Result, PublishSummary) {
        fatalError()
    }
    /// Makes everything stale that was fetched before.
    package func invalidate() {}

    // MARK: - Reading

    /// Reads a selection set at a record, in the newest version. Without tracking there are no dependencies.
    package func read<Data: GeneratedCode.Selections>(
        _ type: Data.Type, at root: RecordID, _ selections: BoundSelections, tracking: Bool = true
    ) -> Snapshot<Data> { fatalError() }
    /// Says how much of an operation is there.
    package func check(_ operation: BoundOperation) -> Availability { .stale }
    /// Says whether the store, or a record that the operation reads, was invalidated after that version.
    package func wasInvalidated(_ operation: BoundOperation, since epoch: Epoch) -> Bool { false }

    // MARK: - Subscriptions

    /// Tells the subscriber, which is held weakly, of every change of what was read; at once if it has changed since the read.
    package func subscribe(
        _ subscriber: any StoreSubscriber, to dependencies: Dependencies, replacing: SubscriptionID? = nil
    ) -> SubscriptionID { fatalError() }
    /// Ends a subscription; does nothing if it has ended.
    package func unsubscribe(_ id: SubscriptionID) {}

    // MARK: - Operations

    /// Keeps what the operation selects; balanced by `release`.
    package func retain(_ operation: BoundOperation) {}
    /// Takes back one `retain`.
    package func release(_ operation: BoundOperation) {}
    /// Notes that an answer for the operation is in. `began` is the version when the request began, now if it is nil.
    package func noteFetch(
        of operation: BoundOperation, key: (any Hashable & Sendable)?, at time: Duration, began: Epoch? = nil
    ) {}
    /// When and under which key the operation was last fetched; nil if it never was.
    package func lastFetch(of operation: BoundOperation) -> FetchRecord? { nil }
}
