// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Every module is built in Swift 6 mode.
let package = Package(
    name: "baton",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Baton", targets: ["Baton"]),
        .library(name: "BatonFoundation", targets: ["BatonFoundation"]),
        .library(name: "BatonHTTP", targets: ["BatonHTTP"]),
        .library(name: "BatonTesting", targets: ["BatonTesting"]),
        .library(name: "BatonTestingTraits", targets: ["BatonTestingTraits"]),
        .library(name: "BatonSQLite", targets: ["BatonSQLite"]),
        // For the samples in packages of their own, which can use nothing but products.
        .library(name: "TerminalRenderer", targets: ["TerminalRenderer"]),
        .library(name: "StarWarsComponents", targets: ["StarWarsComponents"]),
        .executable(name: "baton", targets: ["BatonCommand"]),
        .executable(name: "baton-mock", targets: ["BatonMock"]),
        // A plugin finds its tool by the name of the target.
        .executable(name: "BatonCommand", targets: ["BatonCommand"]),
        .plugin(name: "BatonPlugin", targets: ["BatonPlugin"]),
        .plugin(name: "BatonCommandPlugin", targets: ["BatonCommandPlugin"]),
    ],
    targets: runtime + compiler + plugins + samples + tests,
    swiftLanguageModes: [.v6]
)

// The thread sanitizer needs a build of its own, of which the compiler would be the larger half. The value is an
// expression for the suites of the runtime that are run. The files of others take most of the time, and are left out.
if let suites = Context.environment["BATON_RUNTIME_ONLY"] {
    package.targets.removeAll {
        ![
            "Baton", "BatonText", "BatonCurl", "BatonHTTP", "BatonSQLiteLibrary", "BatonSQLite", "StoreModel",
            "store-model", "CutFiles", "DiskCuts", "disk-cuts", "RandomCases", "TestServer", "BatonTests",
            "BatonHTTPTests", "BatonSQLiteTests",
        ]
        .contains($0.name)
    }
    package.products.removeAll { !["Baton", "BatonHTTP", "BatonSQLite"].contains($0.name) }
    let tests = package.targets.first { $0.name == "BatonTests" }
    tests?.exclude = files(ofOtherSuitesThan: suites, in: "Tests/BatonTests")
}

/// The files of tests in a folder that are not named for a suite whose name begins as an expression says.
func files(ofOtherSuitesThan suites: String, in folder: String) -> [String] {
    let root = URL(filePath: Context.packageDirectory).appending(path: folder).path
    let files = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    return files.filter { file in
        let name = file.split(separator: "/").last ?? ""
        return name.hasSuffix("Tests.swift") && name.range(of: "^\(suites)", options: .regularExpression) == nil
    }
}

// Each plugin has the whole compiler built a second time, as a tool.
if Context.environment["BATON_WITHOUT_PLUGINS"] != nil {
    package.targets.removeAll { $0.type == .plugin }
    package.products.removeAll { $0.name.hasSuffix("Plugin") }
}

// The checks set the variable, with which a warning is an error. A compiler that they do not know may warn of more.
let strictness: [SwiftSetting] = Context.environment["BATON_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]

// Of the features of later language modes, `NonisolatedNonsendingByDefault` is off: a fetch would normalize and read
// on its caller's actor. Internal imports are for modules that others import; those of the rest say nothing.
for target in package.targets where target.type != .plugin {
    target.swiftSettings =
        strictness + [.enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility")]
}
for target in runtime { target.swiftSettings?.append(.enableUpcomingFeature("InternalImportsByDefault")) }

// MARK: - Runtime

var runtime: [Target] {
    [
        // What the runtime and the compiler both need, which do not import each other: digests, names that are alike.
        .target(name: "BatonText"),
        .target(name: "Baton", dependencies: ["BatonText"], exclude: ["Baton.docc", "Design"]),
        .target(name: "BatonFoundation", dependencies: ["Baton"], exclude: ["BatonFoundation.docc"]),
        // What is used of libcurl, which is opened at run time.
        .target(name: "BatonCurl"),
        .target(name: "BatonHTTP", dependencies: ["Baton", "BatonText", "BatonCurl"], exclude: ["BatonHTTP.docc"]),
        // What is used of SQLite, which is opened at run time, and linked on Apple's systems.
        .target(
            name: "BatonSQLiteLibrary",
            linkerSettings: [
                .linkedLibrary("sqlite3", .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS]))
            ]
        ),
        .target(name: "BatonSQLite", dependencies: ["Baton", "BatonSQLiteLibrary"], exclude: ["BatonSQLite.docc"]),
        .target(
            name: "BatonTesting",
            dependencies: ["Baton", "BatonSchema", "BatonSyntax", "BatonDiagnostics"],
            exclude: ["BatonTesting.docc"]
        ),
        // What needs a test framework stands apart: the kit is for apps and previews too.
        .target(
            name: "BatonTestingTraits", dependencies: ["BatonTesting"], exclude: ["BatonTestingTraits.docc"]),
        // The program `baton-mock`: a server over a world of a schema.
        .executableTarget(name: "BatonMock", dependencies: ["BatonTesting", "BatonHTTP", "Baton"]),
    ]
}

// MARK: - Compiler, one module per representation or stage

var compiler: [Target] {
    [
        stage("BatonDiagnostics", ["BatonText"]),
        stage("BatonSyntax", ["BatonDiagnostics"]),
        stage("BatonSchema", ["BatonSyntax", "BatonDiagnostics"]),
        stage("BatonIR", ["BatonSchema", "BatonSyntax", "BatonDiagnostics"]),
        stage("BatonValidation", ["BatonSchema", "BatonSyntax", "BatonDiagnostics"]),
        stage("BatonTransforms", ["BatonIR", "BatonSchema", "BatonSyntax", "BatonDiagnostics"]),
        stage(
            "BatonCodegen",
            ["BatonTransforms", "BatonIR", "BatonSchema", "BatonSyntax", "BatonDiagnostics", "BatonText"]),
        stage(
            "BatonCompiler",
            [
                "BatonCodegen", "BatonTransforms", "BatonValidation", "BatonIR", "BatonSchema", "BatonSyntax",
                "BatonDiagnostics",
            ]
        ),
        stage(
            "BatonProject",
            [
                "BatonCompiler", "BatonCodegen", "BatonValidation", "BatonIR", "BatonSchema", "BatonSyntax",
                "BatonDiagnostics",
            ]
        ),
        // Asks servers for their schema; it knows nothing of the runtime.
        stage("BatonFetch", ["BatonCompiler", "BatonDiagnostics", "BatonCurl"]),
        stage(
            "BatonLanguageServer",
            ["BatonProject", "BatonCompiler", "BatonCodegen", "BatonSchema", "BatonSyntax", "BatonDiagnostics"]
        ),
        .executableTarget(
            name: "BatonCommand",
            dependencies: [
                "BatonFetch", "BatonLanguageServer", "BatonProject", "BatonCompiler", "BatonCodegen", "BatonSyntax",
                "BatonDiagnostics",
            ],
            path: "Compiler/Sources/BatonCommand"
        ),
    ]
}

func stage(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Compiler/Sources/\(name)")
}

// MARK: - Plugins of the package manager

var plugins: [Target] {
    [
        .plugin(
            name: "BatonPlugin",
            capability: .buildTool(),
            dependencies: ["BatonCommand"],
            path: "Compiler/Plugins/BatonPlugin"
        ),
        .plugin(
            name: "BatonCommandPlugin",
            capability: .command(
                intent: .custom(
                    verb: "baton", description: "Runs the GraphQL compiler for each configuration of the package."),
                permissions: [.writeToPackageDirectory(reason: "It writes generated Swift and configurations.")]
            ),
            dependencies: ["BatonCommand"],
            path: "Compiler/Plugins/BatonCommandPlugin"
        ),
    ]
}

// MARK: - Samples

var samples: [Target] {
    [
        .target(
            name: "TerminalRenderer",
            dependencies: ["Baton"],
            path: "Samples/TerminalRenderer",
            exclude: ["README.md", "wide-ranges.py"]
        ),
        // What the programs about the films share, whatever they render with.
        .target(
            name: "StarWarsComponents",
            dependencies: ["Baton", "BatonTesting"],
            path: "Samples/StarWarsComponents",
            exclude: ["README.md", "baton.json", "Operations", "Schema/extensions.graphql"],
            // A program finds the schema wherever it is started.
            resources: [.embedInCode("Schema/schema.graphql")]
        ),
        .executableTarget(
            name: "starwars",
            dependencies: [
                "StarWarsComponents", "TerminalRenderer", "Baton", "BatonHTTP", "BatonSQLite", "BatonTesting",
            ],
            path: "Samples/StarWars",
            exclude: ["README.md"]
        ),
    ]
}

// MARK: - Tests, mirroring Sources and Compiler

var tests: [Target] {
    [
        // How many cases random tests try, and their numbers.
        .target(name: "RandomCases", path: "Tests/RandomCases"),
        .target(name: "StoreModel", dependencies: ["RandomCases", "Baton"], path: "Tests/StoreModel/Model"),
        .executableTarget(
            name: "store-model", dependencies: ["StoreModel", "Baton"], path: "Tests/StoreModel/Command"),
        .testTarget(name: "BatonTests", dependencies: ["RandomCases", "StoreModel", "Baton"]),
        .testTarget(name: "BatonTextTests", dependencies: ["RandomCases", "BatonText"]),
        // A plugin is no module. Its decisions stand in files that this target has as links.
        .testTarget(name: "BatonPluginTests"),
        .testTarget(name: "BatonFoundationTests", dependencies: ["BatonFoundation", "Baton"]),
        // A server that sends what a test says.
        .target(name: "TestServer", dependencies: ["Baton"], path: "Tests/TestServer"),
        .testTarget(
            name: "BatonHTTPTests",
            dependencies: ["RandomCases", "TestServer", "BatonHTTP", "BatonCurl", "BatonText", "Baton"]),
        // A layer below SQLite for tests: cuts of the power, and calls that fail.
        .target(name: "CutFiles", path: "Tests/CutFiles"),
        .target(
            name: "DiskCuts", dependencies: ["CutFiles", "RandomCases", "StoreModel", "BatonSQLite", "Baton"],
            path: "Tests/DiskCuts/Model"),
        .executableTarget(name: "disk-cuts", dependencies: ["DiskCuts"], path: "Tests/DiskCuts/Command"),
        .testTarget(
            name: "BatonSQLiteTests",
            dependencies: ["RandomCases", "DiskCuts", "StoreModel", "BatonSQLite", "BatonSQLiteLibrary", "Baton"]),
        .testTarget(
            name: "BatonTestingTests",
            dependencies: ["RandomCases", "StarWarsComponents", "BatonTestingTraits", "BatonTesting", "Baton"]),
        .testTarget(
            name: "BatonMockTests", dependencies: ["RandomCases", "BatonMock", "BatonTesting", "BatonHTTP", "Baton"]),
        .target(
            name: "PlanModel",
            dependencies: [
                "RandomCases", "BatonCompiler", "BatonCodegen", "BatonTransforms", "BatonIR", "BatonValidation",
                "BatonSchema", "BatonSyntax", "BatonDiagnostics",
            ],
            path: "Tests/PlanModel/Model"
        ),
        .executableTarget(name: "plan-model", dependencies: ["PlanModel"], path: "Tests/PlanModel/Command"),
        .target(
            name: "ProjectStorm",
            dependencies: [
                "RandomCases", "BatonLanguageServer", "BatonProject", "BatonCompiler", "BatonSyntax",
                "BatonDiagnostics",
            ],
            path: "Tests/ProjectStorm/Model"
        ),
        .executableTarget(name: "project-storm", dependencies: ["ProjectStorm"], path: "Tests/ProjectStorm/Command"),
        .target(
            name: "AnswerModel",
            dependencies: [
                "RandomCases", "PlanModel", "Baton", "BatonTesting", "BatonCompiler", "BatonCodegen", "BatonTransforms",
                "BatonIR", "BatonValidation", "BatonSchema", "BatonSyntax", "BatonDiagnostics",
            ],
            path: "Tests/AnswerModel/Model"
        ),
        .executableTarget(
            name: "answer-model", dependencies: ["AnswerModel", "Baton"], path: "Tests/AnswerModel/Command"),
        .target(
            name: "FixtureSupport", dependencies: ["RandomCases", "BatonSyntax", "BatonDiagnostics"],
            path: "Tests/FixtureSupport"),
        .testTarget(
            // The diagnostics that are shown are those of the stages.
            name: "BatonDiagnosticsTests",
            dependencies: ["BatonValidation", "BatonSchema", "BatonSyntax", "BatonDiagnostics"]
        ),
        .testTarget(
            name: "BatonSyntaxTests",
            dependencies: ["FixtureSupport", "RandomCases", "BatonSyntax", "BatonDiagnostics"],
            exclude: ["Fixtures"]
        ),
        .testTarget(
            name: "BatonSchemaTests",
            dependencies: ["FixtureSupport", "RandomCases", "BatonSchema", "BatonSyntax", "BatonDiagnostics"],
            exclude: ["Fixtures"]
        ),
        .testTarget(
            name: "BatonValidationTests",
            dependencies: [
                "FixtureSupport", "RandomCases", "BatonValidation", "BatonSchema", "BatonSyntax", "BatonDiagnostics",
            ],
            exclude: ["Fixtures"]
        ),
        .testTarget(
            name: "BatonCompilerTests",
            dependencies: [
                "FixtureSupport", "RandomCases", "TestServer", "AnswerModel", "PlanModel", "ProjectStorm",
                "BatonCommand",
                "BatonProject", "BatonFetch", "BatonCompiler", "BatonCodegen",
                "BatonTransforms", "BatonIR", "BatonValidation", "BatonSchema", "BatonSyntax", "BatonDiagnostics",
            ],
            exclude: ["Fixtures"]
        ),
        .testTarget(
            name: "BatonLanguageServerTests",
            dependencies: [
                "RandomCases", "ProjectStorm", "BatonCommand", "BatonLanguageServer", "BatonProject", "BatonCompiler",
            ]
        ),
        .testTarget(
            name: "GeneratedCodeTests",
            dependencies: ["Baton", "BatonFoundation", "BatonHTTP", "BatonSQLite", "BatonTesting"],
            exclude: [
                "baton.json", "Schema", "Documents", "Configured/baton.json", "Configured/schema.graphql",
                "Configured/extensions.graphql", "Configured/documents.graphql", "Configured/persisted.json",
                "Fleet/baton.json", "Fleet/schema.graphql",
                "Fleet/extensions.graphql", "Fleet/documents.graphql",
                "Words/baton.json", "Words/schema.graphql", "Words/documents.graphql",
            ]
        ),
        .testTarget(
            name: "TerminalRendererTests", dependencies: ["RandomCases", "TerminalRenderer", "Baton", "BatonTesting"]),
        .testTarget(name: "StarWarsComponentsTests", dependencies: ["StarWarsComponents", "Baton", "BatonTesting"]),
        .testTarget(
            name: "StarWarsTests",
            dependencies: [
                "starwars", "StarWarsComponents", "TerminalRenderer", "Baton", "BatonSQLite", "BatonTesting",
            ],
            exclude: ["Scripts"]
        ),
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "Baton", "BatonSQLite", "BatonLanguageServer", "BatonCompiler", "BatonDiagnostics", "BatonSyntax",
                "BatonSchema",
            ],
            path: "Tests/Benchmarks",
            exclude: [
                "baton.json", "Schema", "Documents", "Comparison/time-graphql-core.py", "Comparison/code-size.py",
            ]
        ),
    ]
}
