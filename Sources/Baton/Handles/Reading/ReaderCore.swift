/// The shell of a handle, as the loop uses it.
protocol ReaderCore: StoreSubscriber {
    associatedtype Target: Sendable
    var environment: RelayEnvironment { get }
    /// The name of the operation or fragment, for the log.
    var component: String { get }
    /// Returns the next step before the handle's state is known.
    func next(at changes: Int) -> ReaderStep<Target>
    /// Binds a target; returns nil if it belongs to another environment.
    func bind(_ target: Target) -> BoundFragment?
    /// Shows a failure, because the target cannot be read.
    func refuse(_ task: ReaderTask<Target>)
    /// Reads, and uses the result unless the handle has moved on meanwhile.
    func take(_ task: ReaderTask<Target>, at place: BoundFragment) -> TakenRead
    /// Counts a change and notifies the observers.
    func mark()
}
