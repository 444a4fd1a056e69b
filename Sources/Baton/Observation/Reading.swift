/// What a handle has at one moment, for those who ask and those who observe; immutable, so that it is handed out by a
/// retain.
///
/// It does not depend on the type of the data: in code for any type each step asks the runtime for metadata (benchmarks
/// `small.deliver-us` and `fragments.vs-foundation`).
final class Reading: Sendable {
    /// A `QueryResult` without the type of its data.
    enum Content: Sendable {
        case loading
        case failure(RelayError)
        /// A `ReadData`; nil if there is none.
        case data((any AnyObject & Sendable)?)
    }

    /// What a handle has before it was asked for anything.
    static let nothing = Reading()

    let content: Content
    /// Grows whenever the result or the status of the handle has changed; never 0.
    let revision: Int
    /// The revision at which a change in the store was last seen, and the number of its publish.
    let storeChange: StoreChange?

    private init() {
        content = .loading
        revision = 1
        storeChange = nil
    }

    /// What comes after a reading, or without one after `nothing`: something else to show, or another status, because
    /// of a publish if one is given.
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

    /// The same for those who know the type.
    func result<Data: Sendable>(of type: Data.Type) -> QueryResult<Data> {
        switch content {
        case .loading: .loading
        case .failure(let error): .failure(error)
        case .data(let data): .success((data as? ReadData<Data>)?.data)
        }
    }
}

/// Data that was read; an object, so that it is kept by those who do not know its type.
final class ReadData<Data: Sendable>: Sendable {
    let data: Data

    init(_ data: Data) { self.data = data }
}

/// A change in the store that a handle has seen: the revision that shows it, and the number of its publish.
struct StoreChange: Sendable {
    let revision: Int
    let publish: Int
}
