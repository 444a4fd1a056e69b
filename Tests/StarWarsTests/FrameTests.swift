import BatonTesting
import Foundation
import Testing

@testable import starwars

/// Plays the scripts beside this file against the embedded service.
@Suite
struct FrameTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Scripts")

    private static func names(_ suffix: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(suffix) }
            .map { String($0.dropLast(suffix.count)) }.sorted()
    }

    @Test(arguments: try names(".keys"))
    func scriptGivesTheRecordedFrames(name: String) async throws {
        let script = try KeyScript(
            parsing: String(contentsOf: Self.folder.appending(path: name + ".keys"), encoding: .utf8))
        try Snapshot(try await Self.play(script)).expect(file: "Scripts/\(name).frames")
    }

    @Test
    func everyRecordingHasItsScript() throws {
        #expect(try Self.names(".frames") == Self.names(".keys"))
    }

    /// Many sessions run at once on all processors, and do not disturb each other.
    @Test
    func framesAreTheSameUnderLoad() async throws {
        let script = try KeyScript(
            parsing: """
                frame opening
                wait 300
                keys down s f
                wait 150
                frame half way
                wait 150
                keys r enter
                wait 300
                frame film
                """
        )
        let expected = try await Self.play(script)
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<24 { group.addTask { try await Self.play(script) } }
            for try await frames in group { #expect(frames == expected) }
        }
    }

    private static func play(_ script: KeyScript) async throws -> String {
        let clock = ManualClock()
        return try await MainActor.run { FramePlayer(app: try App.make(url: nil, clock: clock), clock: clock) }
            .frames(of: script)
    }
}

extension FramePlayer {
    /// All frames of a script in one text.
    fileprivate func frames(of script: KeyScript) async -> String {
        var player = self
        var frames = ""
        await player.play(script) { frames += $0 }
        return frames
    }
}
