import Baton

/// Results that a screen holds while all data change.
enum HeldResults: String, CaseIterable {
    /// A list of 10,000 users, read again after each change.
    case list
    /// One user, read again after it has changed.
    case row
    /// One user of the list of 10,000, after the user has changed.
    case item

    /// The number of held results.
    static let count = 1_000

    var what: String {
        switch self {
        case .list: "a list of 10000 users, read after each change of one user"
        case .row: "a fragment of one user, read after each change of the user"
        case .item: "one user of a list of 10000, read after each change of the user"
        }
    }

    /// Renames users one after the other, and passes the result after each change.
    func read(in store: Store, _ operation: BoundOperation, _ hold: (any Sendable) -> Void) throws {
        var last = store.read(UsersQuery.Data.self, at: operation.root, operation.reader)
        let rows = store.bind(UserRowsQuery())
        let references =
            store.read(UserRowsQuery.Data.self, at: rows.root, rows.reader).data?.users
            .map(\.fragments.userRow_user) ?? []
        for number in 0..<Self.count {
            let user = number * 7919 % 10_000
            try store.update { source in
                try source.get(DataID(UserPayload.id(user)))?.setValue(.string("Name \(number)"), forField: "name")
            }
            switch self {
            case .list, .item:
                last = store.read(
                    UsersQuery.Data.self, at: operation.root, operation.reader, after: last.dependencies)
                guard let users = last.data?.users, users.count == 10_000 else {
                    throw BenchmarkFailure(what: "the users could not be read back")
                }
                if self == .list { hold(users) } else { hold(users[user]) }
            case .row:
                guard let place = store.bind(references[user]),
                    let data = store.read(UserRow_user.Data.self, at: place.record, place.selections).data
                else { throw BenchmarkFailure(what: "a user could not be read back") }
                hold(data)
            }
        }
    }
}
