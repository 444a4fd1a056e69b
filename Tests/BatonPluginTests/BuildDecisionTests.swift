import Foundation
import Testing

/// What the build plugin does for a target.
struct BuildDecisionTests {
    /// A folder with empty files, which the body gets without links in its path.
    private static func with(_ files: [String], _ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(path: "baton-plugin-\(UUID().uuidString)/Package")
        defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
        try FileManager.default.createDirectory(
            at: folder.appending(path: "Sources/Films"), withIntermediateDirectories: true)
        for file in files { try Data().write(to: folder.appending(path: file)) }
        try body(folder)
    }

    private static func decision(_ package: URL) -> BuildDecision {
        BuildDecision(for: "Films", in: package.appending(path: "Sources/Films"), package: package)
    }

    /// An error would fail the build of the program that writes a configuration.
    @Test func withoutAConfigurationItWarnsAndMakesNothing() throws {
        // What stands above the package is another's.
        try Self.with(["../baton.json", "Sources/baton.js"]) { package in
            guard case .nothing(let warning) = Self.decision(package) else {
                Issue.record("\(Self.decision(package))")
                return
            }
            #expect(warning.contains("for target 'Films'") && warning.contains("'swift run baton init' writes one"))
        }
    }

    @Test(arguments: [
        ["baton.json"], ["baton.json", "Sources/baton.json"], ["baton.json", "Sources/Films/baton.json"],
    ])
    func theNearestConfigurationCounts(_ files: [String]) throws {
        try Self.with(files) { package in
            guard case .generate(let configuration) = Self.decision(package), let nearest = files.last else {
                Issue.record("\(Self.decision(package))")
                return
            }
            #expect(configuration.path == package.appending(path: nearest).path)
        }
    }
}
