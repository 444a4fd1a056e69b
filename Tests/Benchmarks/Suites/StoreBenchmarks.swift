import Baton
import Foundation

/// Reading from records to typed data, compared with the toolchain's own JSON parser on the same bytes.
struct StoreBenchmarks {
    let options: Options
    private let count: Int
    private let data: Data

    init(options: Options) {
        self.options = options
        count = options.quick ? 1_000 : 10_000
        data = Data(UserPayload.body(users: count))
    }

    func run(into report: inout Report) throws {
        try report.figure(
            "read.vs-foundation", unit: "x", target: 150, better: .higher,
            "typed read of everything, against JSONSerialization"
        ) {
            let users = try StoredUsers(count: count)
            return try ratio(runs: options.runs(15), of: parseWithFoundation, to: { try users.read() })
        }
        try report.figure(
            "read.touch-vs-foundation", unit: "x", better: .higher,
            "the same, and every field of the result looked at, against JSONSerialization"
        ) {
            let users = try StoredUsers(count: count)
            return try ratio(runs: options.runs(15), of: parseWithFoundation) { try users.read { touch($0) } }
        }
        try report.figure(
            "read.plain-touch-vs-foundation", unit: "x", better: .higher,
            "every field of plain structs looked at, which are there already, against JSONSerialization"
        ) {
            let users = try PlainUser.all(count)
            return try ratio(runs: options.runs(15), of: parseWithFoundation) { time { touch(users) } }
        }
        try report.figure(
            "read.first-frame-vs-foundation", unit: "x", better: .higher,
            "the same, and every field of 50 users looked at, against JSONSerialization"
        ) {
            let users = try StoredUsers(count: count)
            return try ratio(runs: options.runs(15), of: parseWithFoundation) {
                try users.read { touch($0.prefix(50)) }
            }
        }
        try report.figure("read.ms", unit: "ms", better: .lower, "typed read of everything") {
            let users = try StoredUsers(count: count)
            return try repeated(options.runs(15)) { try users.read() * 1e3 }
        }
    }

    private func parseWithFoundation() throws -> Double {
        try time { keep(try JSONSerialization.jsonObject(with: data)) }
    }

    private func repeated(_ runs: Int, _ measure: () throws -> Double) rethrows -> Measurement {
        _ = try measure()
        return Measurement(try (0..<runs).map { _ in try measure() })
    }
}

/// Looks at every field of some users.
@inline(never)
private func touch(_ users: some Sequence<UsersQuery.Data.User>) {
    var sum = 0
    for user in users {
        sum &+= user.id.utf8.count &+ user.name.utf8.count &+ user.email.utf8.count &+ user.age
        sum &+= Int(user.score) &+ (user.active ? 1 : 0) &+ (user.role == .admin ? 1 : 0)
        sum &+= user.biography?.utf8.count ?? 0
        if let company = user.company {
            sum &+= company.id.utf8.count &+ company.name.utf8.count &+ (company.city?.utf8.count ?? 0)
        }
        for friend in user.friends { sum &+= friend.id.utf8.count }
    }
    keep(sum)
}

/// A user as a plain struct. Reading such a user has the lowest possible cost.
private struct PlainUser {
    struct Company {
        let id: String
        let name: String
        let city: String?
    }

    let id: String
    let name: String
    let email: String
    let age: Int
    let score: Double
    let active: Bool
    let isAdmin: Bool
    let biography: String?
    let company: Company?
    let friends: [String]

    /// Copies users out of a store; no text is shared with it.
    static func all(_ count: Int) throws -> [PlainUser] {
        var users: [PlainUser] = []
        _ = try StoredUsers(count: count).read { found in users = found.map(PlainUser.init) }
        return users
    }

    private init(_ user: UsersQuery.Data.User) {
        func copy(_ text: String) -> String { String(decoding: Array(text.utf8), as: UTF8.self) }
        (id, name, email) = (copy(user.id), copy(user.name), copy(user.email))
        (age, score, active, isAdmin) = (user.age, user.score, user.active, user.role == .admin)
        biography = user.biography.map(copy)
        company = user.company.map { Company(id: copy($0.id), name: copy($0.name), city: $0.city.map(copy)) }
        friends = user.friends.map { copy($0.id) }
    }
}

/// Looks at every field of plain users.
@inline(never)
private func touch(_ users: [PlainUser]) {
    var sum = 0
    for user in users {
        sum &+= user.id.utf8.count &+ user.name.utf8.count &+ user.email.utf8.count &+ user.age
        sum &+= Int(user.score) &+ (user.active ? 1 : 0) &+ (user.isAdmin ? 1 : 0)
        sum &+= user.biography?.utf8.count ?? 0
        if let company = user.company {
            sum &+= company.id.utf8.count &+ company.name.utf8.count &+ (company.city?.utf8.count ?? 0)
        }
        for friend in user.friends { sum &+= friend.utf8.count }
    }
    keep(sum)
}

/// A precondition of a measurement failed.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let what: String
    var description: String { what }
}

/// Keeps the optimizer from removing the work that made `value`.
@inline(never)
func keep<Value>(_ value: Value) {}
