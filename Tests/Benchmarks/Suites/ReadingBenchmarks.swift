import Baton

/// The cost of reading again: a handle shows a whole list, one item changes, and the handle returns its result.
struct ReadingBenchmarks {
    let options: Options

    func run(into report: inout Report) async throws {
        let sizes = options.quick ? [("", 1_000)] : [("", 10_000), (".1k", 1_000), (".100k", 100_000)]
        for (suffix, users) in sizes {
            let names = ["list-item.vs-read", "list-insert.vs-read", "list-item.us", "list-diff.us", "list-first.us"]
            let ids = names.map { $0 + suffix }
            guard ids.contains(where: options.wants) else { continue }
            let screen = try await WholeList(users: users)
            let runs = options.runs(users > 10_000 ? 15 : 40)
            try report.figure(
                ids[0], unit: "x", target: 6, better: .higher,
                "reading a list of \(users) against asking its handle after one item changed"
            ) {
                try ratio(runs: runs, of: screen.readAll) { try screen.ask(after: screen.rename) }
            }
            try report.figure(
                ids[1], unit: "x", better: .higher,
                "the same after an item was moved to the front of the list"
            ) {
                try ratio(runs: runs, of: screen.readAll) { try screen.ask(after: screen.promote) }
            }
            try report.figure(
                ids[2], unit: "us", better: .lower, "asking the handle of \(users) after one item changed"
            ) {
                Measurement(try (0..<runs).map { _ in try screen.ask(after: screen.rename) * 1e6 })
            }
            try report.figure(
                ids[3], unit: "us", better: .lower, "the changes of a list of \(users) after one item changed"
            ) {
                Measurement(try (0..<runs).map { _ in try screen.compare(after: screen.rename) * 1e6 })
            }
            guard users <= 10_000, options.wants(ids[4]) else { continue }
            var lists: [WholeList] = []
            for _ in 0..<options.runs(9) { lists.append(try await WholeList(users: users)) }
            try report.figure(
                ids[4], unit: "us", better: .lower, "asking the handle of \(users) after the first change of its list"
            ) {
                Measurement(try lists.map { try $0.ask(after: $0.rename) * 1e6 })
            }
        }
        try growth(into: &report)
    }

    private func growth(into report: inout Report) throws {
        let few = 1_000
        for (id, many) in [("read.growth-10k", options.quick ? 2_000 : 10_000), ("read.growth", 100_000)] {
            guard options.wants(id), !options.quick || many < 100_000 else { continue }
            let below = try StoredUsers(count: few)
            let above = try StoredUsers(count: many)
            try report.figure(
                id, unit: "x", better: .lower, "reading \(many) users against \(few), for each user"
            ) {
                try ratio(runs: options.runs(9), of: { try above.read() }) {
                    try (0..<many / few).reduce(0) { sum, _ in sum + (try below.read()) }
                }
            }
            guard many == 100_000 else { continue }
            let (lines, fewLines) = (UserLines(count: many), UserLines(count: few))
            report.figure(
                "read.growth-floor", unit: "x", better: .lower,
                "the same of a loop that does nothing but load the cache lines of \(many) users"
            ) {
                ratio(runs: options.runs(9), of: lines.load) {
                    (0..<many / few).reduce(0) { sum, _ in sum + fewLines.load() }
                }
            }
        }
    }
}

/// The memory that a read of the users visits, without a store. Each user has four consecutive cache lines, and the
/// places of five friends anywhere in a table with 16 bytes for each record.
struct UserLines {
    private let count: Int
    private let rows: [UInt64]
    private let places: [UInt64]
    private let friends: [UInt32]

    init(count: Int) {
        self.count = count
        rows = Array(repeating: 1, count: count * 32)
        places = Array(repeating: 1, count: count * 2 * 2)
        friends = (0..<count * 5).map { UInt32(($0 / 5 * 31 + ($0 % 5 + 1) * 7919) % count) }
    }

    /// The time to load one word of each line, in seconds.
    func load() -> Double {
        var sum: UInt64 = 0
        let duration = time {
            for user in 0..<count {
                for line in 0..<4 { sum &+= rows[user * 32 + line * 8] }
                for friend in 0..<5 { sum &+= places[Int(friends[user * 5 + friend]) * 4] }
            }
        }
        keep(sum)
        return duration
    }
}

/// A store with users that are read as a whole.
struct StoredUsers {
    let store = Store()
    let operation: BoundOperation
    let count: Int

    init(count: Int) throws {
        self.count = count
        operation = store.bind(UsersQuery())
        _ = store.publish(try store.normalize(UserPayload.body(users: count), for: operation), for: operation)
    }

    /// The time to read all users and to free the result, in seconds.
    func read(_ look: (ObjectList<UsersQuery.Data.User>) -> Void = { _ in }) throws -> Double {
        var found = 0
        let duration = time {
            let snapshot = store.read(UsersQuery.Data.self, at: operation.root, operation.reader)
            found = snapshot.data?.users.count ?? 0
            if let users = snapshot.data?.users { look(users) }
            keep(snapshot)
        }
        guard found == count else { throw BenchmarkFailure(what: "the users could not be read back") }
        return duration
    }
}

/// A handle that shows a list of users.
private final class WholeList {
    let environment: RelayEnvironment
    let handle: QueryHandle<UsersQuery>
    private let operation: BoundOperation
    private let count: Int
    private var changes = 0

    init(users: Int) async throws {
        count = users
        environment = RelayEnvironment(network: CannedUsers(body: UserPayload.body(users: users)))
        handle = QueryHandle<UsersQuery>(in: environment, fetchPolicy: .storeOrNetwork)
        _ = try await environment.fetch(UsersQuery())
        operation = environment.store.bind(UsersQuery())
        guard case .success(let data?) = handle.get(), data.users.count == users else {
            throw BenchmarkFailure(what: "the users could not be fetched")
        }
    }

    /// The time to read all users, in seconds.
    func readAll() throws -> Double {
        time { keep(environment.store.read(UsersQuery.Data.self, at: operation.root, operation.reader)) }
    }

    /// The time between a change and the handle's new result, including freeing the old result, in seconds.
    func ask(after change: () throws -> Void) throws -> Double {
        try change()
        return time { keep(handle.get()) }
    }

    /// The time to find the effect of a change on the list that the handle shows, in seconds.
    func compare(after change: () throws -> Void) throws -> Double {
        let old = handle.get().data?.users ?? []
        try change()
        let new = handle.get().data?.users ?? []
        var changed = 0
        let seconds = time { changed = ListChanges(from: old, to: new, id: \.id).changed.count }
        guard changed == 1 else { throw BenchmarkFailure(what: "\(changed) users have changed") }
        return seconds
    }

    func rename() throws {
        changes += 1
        let id = DataID(UserPayload.id((changes * 7919) % count))
        try environment.update { store in
            try store.get(id)?.setValue(.string("Name \(changes)"), forField: "name")
        }
    }

    func promote() throws {
        changes += 1
        try environment.update { store in
            guard var users = store.root.linkedRecords(forField: "users") else { return }
            users.insert(users.remove(at: (changes * 7919) % count), at: 0)
            try store.root.setLinkedRecords(users, forField: "users")
        }
    }
}

/// A network that answers every request with the same bytes.
struct CannedUsers: NetworkLayer {
    let body: [UInt8]

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        NetworkResponse(body: body)
    }
}
