/// What a handle has at one moment, for those who ask and those who observe; immutable, so that it is handed out by a
/// retain.
final class Reading<Data: Sendable>: Sendable {
    let result: QueryResult<Data>
    /// Grows whenever the result or the status of the handle has changed; never 0.
    let revision: Int
    /// The revision at which a change in the store was last seen, and the number of its publish.
    let storeChange: StoreChange?

    /// What a handle has before it was asked for anything.
    init() {
        result = .loading
        revision = 1
        storeChange = nil
    }

    /// What comes after a reading, or without one after that of a handle that was asked for nothing yet: something else
    /// to show, or another status, because of a publish if one is given.
    @inline(__always)
    init(after last: Reading?, _ result: QueryResult<Data>, changedBy publish: Int? = nil) {
        let revision = (last?.revision ?? 1) + 1
        self.result = result
        self.revision = revision
        if let publish {
            storeChange = StoreChange(revision: revision, publish: publish)
        } else {
            storeChange = last?.storeChange
        }
    }

    /// The same with something else to show, or another status.
    func next(_ result: QueryResult<Data>) -> Reading {
        Reading(after: self, result)
    }

    /// The same with something else to show because of a publish.
    func next(_ result: QueryResult<Data>, changedBy publish: Int) -> Reading {
        Reading(after: self, result, changedBy: publish)
    }
}

/// A change in the store that a handle has seen: the revision that shows it, and the number of its publish.
struct StoreChange: Sendable {
    let revision: Int
    let publish: Int
}
