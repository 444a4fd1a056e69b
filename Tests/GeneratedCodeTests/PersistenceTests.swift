import Baton
import BatonSQLite
import BatonTesting
import Foundation
import Synchronization
import Testing

/// Environments over one file, one after the other: what a process finds of the one before.
@Suite(.enabled(if: SQLitePersistence.isAvailable, "there is no libsqlite3 on this machine"))
final class PersistenceTests {
    private let folder: URL
    private let network = CannedNetwork(BadAnswer.matrix)
    private let events = Events()

    private final class Events: Sendable {
        private let all = Mutex<[LogEvent.Persistence]>([])

        func note(_ event: LogEvent) {
            if case .persistence(let event) = event { all.withLock { $0.append(event) } }
        }

        var reads: Int { all.withLock { $0.count { if case .read = $0 { true } else { false } } } }
        var evicted: Int {
            all.withLock { $0.reduce(0) { if case .evicted(let parts) = $1 { $0 + parts } else { $0 } } }
        }
        var failures: [PersistenceError.Kind] {
            all.withLock { $0.compactMap { if case .failed(let error) = $0 { error.kind } else { nil } } }
        }
    }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "baton-persistence-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func environment(_ name: String = "store") -> RelayEnvironment {
        RelayEnvironment(
            network: network, persistence: SQLitePersistence(at: folder.appending(path: name)),
            log: { [events] in events.note($0) })
    }

    /// Fills the file as an earlier process.
    private func filled() async throws -> MatrixQuery.Data {
        let before = environment()
        let data = try #require(try await before.fetch(MatrixQuery()).data)
        try await before.flush()
        return data
    }

    /// All bytes of the file, its log and what else is beside it.
    private func bytes() throws -> Data {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .reduce(into: Data()) { $0 += try Data(contentsOf: $1) }
    }

    @Test func aQueryThatTheFileHasIsNotFetched() async throws {
        let expected = try await filled()
        let environment = environment()
        let handle = QueryHandle<MatrixQuery>(in: environment, fetchPolicy: .storeOrNetwork)
        #expect(handle.get().data == expected)
        await settle(environment)
        #expect(network.requestCount == 1)
    }

    /// A fetch key does not survive a restart: the first `get` decides by its policy, and the key counts from then on.
    @Test func aFetchKeyOfTheRunBeforeMeansNothing() async throws {
        let before = environment()
        let first = QueryHandle<MatrixQuery>(in: before, fetchPolicy: .storeAndNetwork)
        _ = first.get(fetchKey: 0)
        await settle(before)
        try await before.flush()
        let environment = environment()
        let handle = QueryHandle<MatrixQuery>(in: environment, fetchPolicy: .storeAndNetwork)
        #expect(handle.get(fetchKey: 0).data != nil)
        await settle(environment)
        #expect(network.requestCount == 2)
        _ = handle.get(fetchKey: 0)
        await settle(environment)
        #expect(network.requestCount == 2)
        _ = handle.get(fetchKey: 1)
        await settle(environment)
        #expect(network.requestCount == 3)
    }

    @Test func anInvalidationHoldsAfterARestart() async throws {
        let before = environment()
        _ = try await before.fetch(MatrixQuery())
        before.invalidate()
        try await before.flush()
        let environment = environment()
        guard case .stale = environment.check(MatrixQuery()) else {
            Issue.record("\(environment.check(MatrixQuery()))")
            return
        }
    }

    @Test func aResetReachesTheFile() async throws {
        _ = try await filled()
        let environment = environment()
        #expect(environment.check(MatrixQuery()).isAvailable)
        environment.reset()
        try await environment.flush()
        let after = self.environment()
        #expect(!after.check(MatrixQuery()).isAvailable)
        #expect(after.read(MatrixQuery()).data == nil)
    }

    @Test func whatWasReadAheadIsReadOnce() async throws {
        let expected = try await filled()
        let environment = environment()
        await environment.prewarm(MatrixQuery())
        let reads = events.reads
        #expect(reads > 0)
        #expect(environment.read(MatrixQuery()).data == expected)
        #expect(events.reads == reads)
    }

    /// An environment whose file cannot be opened works in memory, and says so.
    @Test func withoutItsFileAnEnvironmentWorksInMemory() async throws {
        let environment = environment("no/such/folder/store")
        #expect(events.failures == [.inputOutput])
        #expect(try await environment.fetch(MatrixQuery()).data != nil)
        #expect(environment.check(MatrixQuery()).isAvailable)
        await #expect(throws: PersistenceError.self) { try await environment.flush() }
        await environment.prewarm(MatrixQuery())
    }

    @Test func withoutAFileAFlushIsNothing() async throws {
        let environment = RelayEnvironment(network: network)
        _ = try await environment.fetch(MatrixQuery())
        try await environment.flush()
        await environment.prewarm(MatrixQuery())
        #expect(environment.check(MatrixQuery()).isAvailable)
    }

    /// Another account sees nothing, and nothing is left for it in the file.
    @Test func anotherAccountSeesNothing() async throws {
        func environment(of account: String) -> RelayEnvironment {
            RelayEnvironment(
                network: network, persistence: SQLitePersistence(at: folder.appending(path: "store"), account: account))
        }
        let first = environment(of: "ada")
        _ = try await first.fetch(MatrixQuery())
        try await first.flush()
        #expect(environment(of: "ada").check(MatrixQuery()).isAvailable)
        let other = environment(of: "bela")
        #expect(!other.check(MatrixQuery()).isAvailable)
        #expect(!environment(of: "ada").check(MatrixQuery()).isAvailable)
        _ = other
    }

    /// A file with a limit of its size loses what no handle shows, and what the environment retains is there after a
    /// restart.
    @Test func whatIsRetainedStaysWithinTheLimit() async throws {
        _ = SQLitePersistence(at: folder, sizeLimit: .min, ageLimit: .seconds(Int64.max))
        _ = SQLitePersistence(at: folder, sizeLimit: .max, ageLimit: .seconds(Int64.min))
        let events = Events()
        func environment() -> RelayEnvironment {
            RelayEnvironment(
                network: network,
                persistence: SQLitePersistence(at: folder.appending(path: "store"), sizeLimit: 400_000),
                log: { events.note($0) })
        }
        let before = environment()
        let expected = try #require(try await before.fetch(MatrixQuery()).data)
        let retention = before.retain(MatrixQuery())
        for _ in 0..<30 {
            try before.update { records in
                for number in 0..<50 {
                    let record = try records.createLocal(type: "Note")
                    try record.setValue(.string(String(repeating: "\(number % 10)", count: 500)), forField: "text")
                }
            }
            try await before.flush()
            before.collectGarbage()
        }
        #expect(events.evicted > 0)
        let after = environment()
        #expect(after.read(MatrixQuery()).data == expected)
        #expect(after.check(MatrixQuery()).isAvailable)
        withExtendedLifetime(retention) {}
    }
}
