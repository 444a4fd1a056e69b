import Baton
import BatonSQLite
import Foundation
import Testing

@testable import GitHub

/// The program with a file: what was on the screen is there at the next start, without a network.
@MainActor @Suite(.enabled(if: SQLitePersistence.isAvailable, "there is no libsqlite3 on this machine"))
final class StoredScreenTests {
    private let folder: URL
    private let token = "ghp_0123456789abcdefghijklmnopqrstuvwxyz"

    /// No answer arrives, and after a while that is an error.
    private struct Unreachable: NetworkInterceptor {
        struct Failure: Error {}

        func intercept(_ request: NetworkRequest, next: @escaping Next, deliver: @escaping Deliver) async throws {
            try await next(request) { _ in }
            throw Failure()
        }
    }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "baton-github-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func persistence(of token: String? = nil) throws -> SQLitePersistence {
        let path = folder.appending(path: "store").path
        return try #require(try Options(["--store", path], ["GITHUB_TOKEN": token ?? self.token]).persistence)
    }

    private func program(isOffline: Bool, of token: String? = nil) throws -> ProgramTests {
        guard isOffline else { return try ProgramTests(faults: "latency=100", persistence: persistence(of: token)) }
        return try ProgramTests(
            faults: "latency=100", persistence: persistence(of: token), log: { _ in }, interceptors: Unreachable())
    }

    /// Uses the program once with a network, and returns its last frame: a list, and an item beside it.
    private func use() async throws -> [String] {
        let program = try program(isOffline: false)
        let lines = await program.wait(width: 160, height: 40)
        try await program.session.environment.flush()
        return lines
    }

    private func shows(_ text: String, _ lines: [String]) -> Bool { lines.contains { $0.contains(text) } }

    @Test func theLastScreenIsThereWithoutANetwork() async throws {
        let last = try await use()
        #expect(shows("#250", last) && shows("A restart helps for a few minutes", last))
        let program = try program(isOffline: true)
        let first = await program.frame(160, 40)
        // The last two lines tell of the network and of the keys.
        #expect(first.dropLast(2) == last.dropLast(2))
        let later = await program.wait(width: 160, height: 40)
        #expect(shows("OFFLINE", later) && shows("#250", later) && shows("A restart helps for a few minutes", later))
    }

    /// What is kept is for one token alone.
    @Test func anotherTokenSeesNothing() async throws {
        _ = try await use()
        let lines = try await program(isOffline: true, of: "ghp_another").frame(160, 40)
        #expect(!shows("#250", lines))
    }

    /// A token is in no byte of the file, its log, and what else is beside it.
    @Test func theTokenIsNotInTheFile() async throws {
        _ = try await use()
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let bytes = try files.reduce(into: Data()) { $0 += try Data(contentsOf: $1) }
        #expect(bytes.range(of: Data("harbor".utf8)) != nil)
        #expect(bytes.range(of: Data(token.utf8)) == nil && bytes.range(of: Data(token.suffix(12).utf8)) == nil)
    }
}
