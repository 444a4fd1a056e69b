// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "server-kit",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "ServerKit", targets: ["ServerKit"]),
        .library(name: "ResponseRedis", targets: ["ResponseRedis"]),
    ],
    dependencies: [
        .package(name: "baton", path: "../.."),
        // Several traits have another order in each plan of a build, and each other order builds Hummingbird again.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0", traits: ["FullFoundation"]),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.0.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.30.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.4.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.6.0"),
    ],
    targets: [
        // The cache that several processes share. It needs SwiftNIO and SwiftNIO SSL alone.
        .target(name: "ResponseRedis", dependencies: baton + nio),
        // Logs, metrics, traces, and the middleware for Hummingbird.
        .target(
            name: "ServerKit",
            dependencies: baton + hummingbird + [
                .product(name: "Logging", package: "swift-log"), .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        // The following targets test the libraries, and are not part of them.
        .testTarget(name: "ResponseRedisTests", dependencies: baton + nio + ["ResponseRedis"]),
        .testTarget(
            name: "ServerKitTests",
            dependencies: baton + hummingbird + [
                "ServerKit", .product(name: "BatonTesting", package: "baton"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

var baton: [Target.Dependency] {
    [.product(name: "Baton", package: "baton"), .product(name: "BatonHTTP", package: "baton")]
}

var hummingbird: [Target.Dependency] {
    [.product(name: "Hummingbird", package: "hummingbird"), .product(name: "HTTPTypes", package: "swift-http-types")]
}

var nio: [Target.Dependency] {
    ["NIOCore", "NIOPosix"].map { .product(name: $0, package: "swift-nio") }
        + [.product(name: "NIOSSL", package: "swift-nio-ssl")]
}

// As in the package above, a warning is an error where the checks build.
if Context.environment["BATON_STRICT"] != nil {
    for target in package.targets { target.swiftSettings = [.treatAllWarnings(as: .error)] }
}
