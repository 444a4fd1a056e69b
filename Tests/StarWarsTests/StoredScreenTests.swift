import Baton
import BatonSQLite
import BatonTesting
import Foundation
import Testing

@testable import starwars

/// The application with a file: what was on the screen is there at the next start, without a server.
@MainActor @Suite(.enabled(if: SQLitePersistence.isAvailable, "there is no libsqlite3 on this machine"))
struct StoredScreenTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "starwars-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Runs the application once and returns its frame. A URL where nobody answers stands for a missing network.
    private func frame(isOffline: Bool) async throws -> (lines: [String], hasFailed: Bool) {
        let clock = ManualClock()
        let app = try App.make(
            url: isOffline ? "http://127.0.0.1:9/graphql" : nil, store: folder.appending(path: "store").path,
            clock: clock)
        var player = FramePlayer(app: app, clock: clock)
        let lines = await player.loadedFrame().split(separator: "\n").map(String.init)
        try await app.environment.flush()
        return (lines, app.log.fetchError != nil)
    }

    @Test func theLastScreenIsThereWithoutANetwork() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try await frame(isOffline: false)
        let second = try await frame(isOffline: true)
        #expect(!first.hasFailed && !second.hasFailed)
        #expect(first.lines.contains { $0.contains("A New Hope") }, "\(first.lines)")
        // The first line tells of the network, and the last two of the publishes of this run.
        #expect(first.lines.dropFirst().dropLast(2) == second.lines.dropFirst().dropLast(2))
    }
}
