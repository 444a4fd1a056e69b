/// The state of a handle at one moment, for callers and observers. It never changes, so it is handed out by a retain.
///
/// The class does not depend on the type of the data, because generic code requests metadata at every step (benchmarks
/// `small.deliver-us` and `fragments.vs-foundation`).
@usableFromInline
final class Reading: Sendable {
    /// A `QueryResult` without the type of its data.
    @usableFromInline
    enum Content: Sendable {
        case loading
        case failure(RelayError)
        /// The data; nil if there is none.
        case data(GeneratedCode.Row?)
        /// The data of many records, in the order of their references.
        case rows([GeneratedCode.Row?])
    }

    /// The reading of a handle that has not been used yet.
    static let nothing = Reading()

    let content: Content
    /// A number that grows with every change of the handle's result or status; never 0.
    let revision: Int
    /// The last change in the store: its revision and the number of its publish.
    let storeChange: StoreChange?

    private init() {
        content = .loading
        revision = 1
        storeChange = nil
    }

    /// Makes the reading after another one, or after `nothing` if `last` is nil. The content or the status has changed;
    /// `publish` is the number of the publish that caused the change, if any.
    init(after last: Reading?, _ content: Content, changedBy publish: Int?) {
        let revision = (last?.revision ?? 1) + 1
        self.content = content
        self.revision = revision
        if let publish {
            storeChange = StoreChange(revision: revision, publish: publish)
        } else {
            storeChange = last?.storeChange
        }
    }

    /// Returns the content with the type of its data.
    func result<Data: GeneratedCode.SelectionSet>(of type: Data.Type) -> QueryResult<Data> {
        switch content {
        case .loading: .loading
        case .failure(let error): .failure(error)
        // `map` is not used, because it would request more metadata.
        case .data(let row?): .success(Data(__row: row))
        case .data(nil), .rows: .success(nil)
        }
    }
}

/// A change in the store: the revision that shows it, and the number of its publish.
struct StoreChange: Sendable {
    let revision: Int
    let publish: Int
}

/// A handle without the type of its data, for a tracked frame that reads it.
protocol ReadingSource: Sendable {
    var environment: RelayEnvironment { get }
    var observers: Observers { get }
    /// The name of the operation or fragment, for the log.
    var component: String { get }
    /// The record of a fragment, for those who watch frames; nil for other handles.
    var subject: DataID? { get }
    /// Returns the newest state; reads the store again if the data has changed.
    func reading() -> Reading
}

extension ReadingSource {
    var subject: DataID? { nil }
}
