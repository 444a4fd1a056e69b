import BatonCommand
import BatonCompiler
import Testing

/// What commands know of a package whose build generates.
struct PackageManifestTests {
    private static let plugin = #".plugin(name: "BatonPlugin", package: "baton")"#

    private static func manifest(_ targets: String) -> String {
        """
        // swift-tools-version: 6.2
        import PackageDescription
        let package = Package(name: "App", products: [.plugin(name: "BatonPlugin", targets: ["BatonPlugin"])],
            dependencies: [.package(name: "baton", path: "../baton")], targets: [\(targets)])
        """
    }

    private static func names(_ targets: String, in folders: [String], from configuration: String = "baton.json") throws
        -> [String]
    {
        let folder = try TemporaryFolder([
            "Package.swift": manifest(targets), configuration: #"{"schema": "schema.graphql"}"#,
        ])
        for name in folders { try folder.makeFolder(name) }
        return PackageManifest.targetsGenerating(from: folder.path.appending(configuration))
    }

    @Test(
        arguments: [
            (#".target(name: "A", plugins: [\#(plugin)])"#, ["Sources/A"], ["A"]),
            (#".executableTarget(name: "A", path: "Code/A", plugins: [\#(plugin)])"#, ["Code/A"], ["A"]),
            (
                #".testTarget(name: "A", plugins: [.plugin(name: "BatonBundlePlugin", package: "p")])"#, ["Tests/A"],
                ["A"]
            ),
            (#".target(name: "A", plugins: [ "BatonPlugin" , ])"#, ["src/A"], ["A"]),
            (
                #".target(name: "A", dependencies: [.product(name: "B", package: "p")], plugins: [/* ours */ \#(plugin)]),"#
                    + #".target(name: "B", plugins: [.plugin(name: "Other", package: "p"), \#(plugin)])"#,
                ["Sources/A", "Sources/B"], ["A", "B"]
            ),
            // One target has its sources without a folder of its own.
            (#".target(name: "A", plugins: [\#(plugin)])"#, ["Sources"], ["A"]),
            // What is no use of the plugin, or is not certain.
            (#".target(name: "A", plugins: [.plugin(name: "Other", package: "BatonPlugin")])"#, ["Sources/A"], []),
            (#".target(name: "A" /* , plugins: [\#(plugin)] */)"#, ["Sources/A"], []),
            ("// .target(name: \"A\", plugins: [\(plugin)])\n", ["Sources/A"], []),
            (#".target(name: "A", plugins: isNew ? [\#(plugin)] : [])"#, ["Sources/A"], []),
            (#".target(name: "A", dependencies: ["BatonPlugin"])"#, ["Sources/A"], []),
            (#".plugin(name: "BatonPlugin", capability: .buildTool(), dependencies: ["A"])"#, ["Sources/A"], []),
            (#".target(name: "A", plugins: [\#(plugin)])"#, [], []),
            (#".target(name: "A", plugins: ["BatonPlug"#, ["Sources/A"], []),
        ] as [(String, [String], [String])])
    func onlyCertainUsesOfThePluginCount(_ targets: String, _ folders: [String], _ expected: [String]) throws {
        #expect(try Self.names(targets, in: folders) == expected)
    }

    @Test func eachTargetTakesTheNearestConfiguration() throws {
        let targets =
            #".target(name: "A", plugins: [\#(Self.plugin)]), .target(name: "B", plugins: [\#(Self.plugin)]), .target(name: "C")"#
        let folders = ["Sources/A", "Sources/B", "Sources/C"]
        #expect(try Self.names(targets, in: folders) == ["A", "B"])
        #expect(try Self.names(targets, in: folders, from: "Sources/A/baton.json") == ["A"])
        #expect(try Self.names(targets, in: folders, from: "Sources/C/baton.json") == [])
    }

    // MARK: - Commands

    private static func project() throws -> TemporaryFolder {
        try CommandTests.project([
            "Package.swift": manifest(#".target(name: "App", path: "App", plugins: [\#(plugin)])"#)
        ])
    }

    @Test(arguments: ["compile", "compile --watch", "compile --check"])
    func compileSaysThatTheBuildGenerates(_ command: String) throws {
        let folder = try Self.project()
        let before = folder.contents
        let outcome = CommandTests.run(command, in: folder)
        #expect(outcome.status == .usageErrors)
        let advised = command.hasSuffix("--watch") ? "'baton validate --watch'" : "'baton validate'"
        #expect(
            outcome.errors.hasPrefix(
                "baton: error: the build generates for target 'App', as Package.swift says, and files that 'compile' writes "
                    + "would break it: \(advised) checks without writing"), "\(outcome.errors)")
        #expect(folder.contents == before)
        #expect(CommandTests.run("validate", in: folder) == CommandLineTool.Outcome())
    }

    /// Builders are another target's, for which no build generates.
    @Test func compileWritesBuildersWhereTheBuildGenerates() throws {
        let folder = try Self.project()
        let builders = #"{ "builders": true, "buildersOutput": "Builders", "module": "App" }"#
        try folder.write(builders, to: "baton.json")
        let before = folder.contents
        #expect(CommandTests.run("compile --check", in: folder).status == .inputErrors)
        #expect(folder.contents == before)
        let outcome = CommandTests.run("compile", in: folder)
        #expect(outcome.status == .success, "\(outcome.errors)")
        let added = folder.contents.filter { before[$0.key] == nil }.keys
        #expect(added.contains { $0.hasSuffix("BuilderSchema.graphql.swift") })
        #expect(added.allSatisfy { $0.contains("Builders") }, "\(added)")
        #expect(CommandTests.run("compile --check", in: folder).status == .success)
        #expect(CommandTests.run("compile", in: folder).output == "0 written, 0 removed, \(added.count) unchanged\n")
        #expect(CommandTests.run("compile --watch", in: folder).status == .usageErrors)
    }

    @Test func initSaysWhatFollowsWhereTheBuildGenerates() throws {
        let folder = try Self.project()
        try folder.remove("baton.json")
        let outcome = CommandTests.run("init", in: folder)
        #expect(
            outcome.output == """
                wrote baton.json
                schema: schema.graphql
                next: write a query, then build, which generates; 'baton validate' checks before

                """)
        #expect(folder.text("baton.json")?.contains("\"module\": \"App\"") == true)
        #expect(CommandTests.run("validate", in: folder) == CommandLineTool.Outcome())
    }
}
