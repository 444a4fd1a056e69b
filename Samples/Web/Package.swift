// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "web",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "baton", path: "../.."),
        .package(name: "server-kit", path: "../ServerKit"),
        // Several traits have another order in each plan of a build, and each other order builds Hummingbird again.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0", traits: ["FullFoundation"]),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.0.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.4.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.6.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.20.0"),
    ],
    targets: [
        .target(name: "HTML"),
        // The compression that every system has.
        .target(name: "Deflate", linkerSettings: [.linkedLibrary("z")]),
        // What the allocator of the system is told.
        .target(name: "Memory"),
        .executableTarget(
            name: "Web",
            dependencies: [
                "HTML", "Deflate", "Memory",
                .product(name: "Baton", package: "baton"), .product(name: "BatonHTTP", package: "baton"),
                .product(name: "BatonTesting", package: "baton"),
                .product(name: "StarWarsComponents", package: "baton"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "ServerKit", package: "server-kit"),
                .product(name: "ResponseRedis", package: "server-kit"),
                .product(name: "Logging", package: "swift-log"), .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
            ],
            resources: [
                .embedInCode("Assets/site.css"),
                .embedInCode("Assets/live.js"), .embedInCode("Assets/icon.svg"),
            ]
        ),
        .testTarget(name: "HTMLTests", dependencies: ["HTML"]),
        .testTarget(
            name: "WebTests",
            dependencies: [
                "Web", "HTML", .product(name: "Baton", package: "baton"),
                .product(name: "BatonHTTP", package: "baton"), .product(name: "BatonTesting", package: "baton"),
                .product(name: "BatonTestingTraits", package: "baton"),
                .product(name: "StarWarsComponents", package: "baton"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "ResponseRedis", package: "server-kit"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOEmbedded", package: "swift-nio"),
            ]),
        // A page that is a constant, beside which the load check measures the pages of the site.
        .executableTarget(
            name: "Constant", dependencies: [.product(name: "Hummingbird", package: "hummingbird")],
            path: "Tests/Constant"),
    ],
    swiftLanguageModes: [.v6]
)

// As in the package above, a warning is an error where the checks build.
if Context.environment["BATON_STRICT"] != nil {
    for target in package.targets { target.swiftSettings = [.treatAllWarnings(as: .error)] }
}
