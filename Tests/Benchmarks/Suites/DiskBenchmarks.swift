import Baton
import BatonSQLite
import Foundation

/// The cost of a file under the store: writing, a cold start, and what a publish pays for it.
struct DiskBenchmarks {
    let options: Options

    /// A folder of one figure.
    private final class Folder {
        private let url: URL
        private var count = 0

        init() throws {
            url = FileManager.default.temporaryDirectory.appending(path: "baton-disk-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(at: url) }

        func path() -> String {
            count += 1
            return url.appending(path: "\(count)").path
        }

        func remove(_ path: String) {
            for end in ["", "-wal", "-shm", "-lock"] { try? FileManager.default.removeItem(atPath: path + end) }
        }
    }

    func run(into report: inout Report) throws {
        guard SQLitePersistence.isAvailable else { return }
        let folder = try Folder()
        try writing(folder, into: &report)
        try starting(folder, into: &report)
        try publishing(folder, into: &report)
    }

    // MARK: - Writing

    private func writing(_ folder: Folder, into report: inout Report) throws {
        for (suffix, users) in options.quick ? [("", 1_000)] : [("", 10_000), (".100k", 50_000)] {
            let ids = ["disk.write-vs-texts", "disk.write-vs-fields", "disk.bytes-vs-texts"].map { $0 + suffix }
            guard ids.contains(where: options.wants) else { continue }
            let body = UserPayload.body(users: users)
            let records = NaiveFile.records(users: users, of: users)
            let runs = options.runs(users > 10_000 ? 3 : 7)
            func own() throws -> (seconds: Double, bytes: Double) {
                let path = folder.path()
                defer { folder.remove(path) }
                let disk = SQLiteDisk(path: path)
                let store = try Store(disk: disk)
                let operation = store.bind(UsersQuery(), retaining: true)
                _ = store.publish(try store.normalize(body, for: operation), for: operation)
                let seconds = try time { try store.writeToDisk() }
                try disk.moveLog()
                return (seconds, Self.size(of: path))
            }
            func naive(_ layout: NaiveFile.Layout) throws -> (seconds: Double, bytes: Double) {
                let path = folder.path()
                defer { folder.remove(path) }
                let file = try NaiveFile(path, layout)
                let seconds = try time { try file.write(records) }
                file.close()
                return (seconds, Self.size(of: path))
            }
            let what = "writing the \(2 * users) records of \(users) users behind a publish against"
            try report.figure(ids[0], unit: "x", target: 0.67, better: .lower, "\(what) a text for each record") {
                try ratio(runs: runs, of: { try own().seconds }, to: { try naive(.textOfRecord).seconds })
            }
            try report.figure(ids[1], unit: "x", target: 0.67, better: .lower, "\(what) a row for each field") {
                try ratio(runs: runs, of: { try own().seconds }, to: { try naive(.rowOfField).seconds })
            }
            try report.figure(ids[2], unit: "x", better: .lower, "the size of the file against a text for each record")
            {
                try ratio(runs: 1, of: { try own().bytes }, to: { try naive(.textOfRecord).bytes })
            }
        }
    }

    private static func size(of path: String) -> Double {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return Double(attributes?[.size] as? Int ?? 0)
    }

    // MARK: - Starting

    private func starting(_ folder: Folder, into report: inout Report) throws {
        for (suffix, users) in options.quick ? [(".1k", 500)] : [(".1k", 500), (".100k", 50_000)] {
            let id = "disk.first-screen-ms" + suffix
            guard options.wants(id) else { continue }
            let path = folder.path()
            let disk = SQLiteDisk(path: path)
            do {
                let store = try Store(disk: disk)
                let operation = store.bind(UsersQuery(), retaining: true)
                for count in [users, 50] {
                    let body = UserPayload.body(users: count)
                    _ = store.publish(try store.normalize(body, for: operation), for: operation)
                }
                try store.writeToDisk()
                disk.close()
            }
            let empty = folder.path()
            func start(_ path: String) throws -> Double {
                let disk = SQLiteDisk(path: path)
                defer { disk.close() }
                return try time {
                    let store = try Store(disk: disk)
                    keep(store.read(UsersQuery.Data.self, of: store.bind(UsersQuery())))
                }
            }
            try report.figure(
                id, unit: "ms", target: 10, better: .lower,
                "a start with 50 of \(2 * users) records on the screen, more than a start with an empty file"
            ) {
                _ = try (start(empty), start(path))
                return Measurement(
                    try (0..<options.runs(9)).map { _ in try (start(path) - start(empty)) * 1e3 })
            }
        }
    }

    // MARK: - Publishing

    private func publishing(_ folder: Folder, into report: inout Report) throws {
        for (suffix, users) in [("1", 1), ("50", 50), ("10k", 10_000)] {
            let id = "disk.publish-vs-memory." + suffix
            guard options.wants(id) else { continue }
            let path = folder.path()
            let disk = SQLiteDisk(path: path)
            let stores = [try Store(disk: disk), Store()]
            let operations = stores.map { $0.bind(UsersQuery(), retaining: true) }
            for (store, operation) in zip(stores, operations) {
                _ = store.publish(
                    try store.normalize(UserPayload.body(users: users), for: operation), for: operation)
            }
            try stores[0].writeToDisk()
            var round = 0
            // Every publish changes each user. Half of the writes are under way meanwhile.
            func publish(_ place: Int) throws -> Double {
                round += 1
                let form = UserPayload.body(users: users, isReversed: round & 2 == 0)
                let response = try stores[place].normalize(form, for: operations[place])
                return time { _ = stores[place].publish(response, for: operations[place]) }
            }
            try report.figure(
                id, unit: "x", target: 1.2, better: .lower,
                "publishing \(users) users with a file, which is written meanwhile, against memory alone"
            ) {
                try ratio(runs: options.runs(users > 1_000 ? 9 : 199), of: { try publish(0) }, to: { try publish(1) })
            }
            disk.close()
            folder.remove(path)
        }
    }
}
