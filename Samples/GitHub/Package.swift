// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "github",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "github", targets: ["GitHub"]),
        .executable(name: "github-service", targets: ["GitHubServer"]),
    ],
    dependencies: [
        .package(name: "baton", path: "../.."),
        // Only the service over HTTP uses it.
        // Several traits have another order in each plan of a build, and each other order builds Hummingbird again.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0", traits: ["FullFoundation"]),
    ],
    targets: [
        .executableTarget(
            name: "GitHub",
            dependencies: [
                "GitHubService",
                .product(name: "Baton", package: "baton"), .product(name: "BatonFoundation", package: "baton"),
                .product(name: "BatonHTTP", package: "baton"), .product(name: "BatonSQLite", package: "baton"),
                .product(name: "TerminalRenderer", package: "baton"),
            ],
            path: "Program",
            exclude: ["baton.json"]
        ),
        .target(
            name: "GitHubService",
            dependencies: [
                .product(name: "Baton", package: "baton"), .product(name: "BatonFoundation", package: "baton"),
                .product(name: "BatonTesting", package: "baton"),
            ],
            path: "Service",
            exclude: ["Schema/cut.py", "Schema/README.md"],
            resources: [.embedInCode("Schema/schema.graphql")]
        ),
        .executableTarget(
            name: "GitHubServer",
            dependencies: ["GitHubService", .product(name: "Hummingbird", package: "hummingbird")],
            path: "Server"
        ),
        .testTarget(
            name: "GitHubTests",
            dependencies: [
                "GitHub", "GitHubService",
                .product(name: "Baton", package: "baton"), .product(name: "BatonSQLite", package: "baton"),
                .product(name: "BatonTesting", package: "baton"),
                .product(name: "TerminalRenderer", package: "baton"),
            ],
            path: "Tests",
            exclude: ["Frames"]
        ),
    ],
    swiftLanguageModes: [.v6]
)
