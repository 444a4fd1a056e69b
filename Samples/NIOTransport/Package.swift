// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "nio-transport",
    platforms: [.macOS(.v15)],
    products: [.library(name: "NIOTransport", targets: ["NIOTransport"])],
    dependencies: [
        .package(name: "baton", path: "../.."),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.35.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.4.1"),
    ],
    targets: [
        .target(
            name: "NIOTransport",
            dependencies: baton + nio + [
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]
        ),
        // The following targets test the library, and are not part of it.
        .target(
            name: "HarbourOperations", dependencies: [.product(name: "Baton", package: "baton")],
            exclude: ["Operations.graphql", "baton.json"]),
        .executableTarget(
            name: "NetworkLoad",
            dependencies: baton + nio + [
                "NIOTransport", "HarbourOperations", .product(name: "AsyncHTTPClient", package: "async-http-client"),
            ]
        ),
        .testTarget(name: "NIOTransportTests", dependencies: baton + nio + ["NIOTransport"]),
        .testTarget(
            name: "FaultTests",
            dependencies: baton + nio + [
                "NIOTransport", "HarbourOperations", .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),
        .testTarget(
            name: "ServerTests",
            dependencies: baton + [
                "NIOTransport", "HarbourOperations", .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

var baton: [Target.Dependency] {
    [.product(name: "Baton", package: "baton"), .product(name: "BatonHTTP", package: "baton")]
}

var nio: [Target.Dependency] {
    ["NIOCore", "NIOPosix", "NIOHTTP1", "NIOWebSocket", "NIOConcurrencyHelpers"].map {
        .product(name: $0, package: "swift-nio")
    }
}

// As in the package above, a warning is an error where the checks build.
if Context.environment["BATON_STRICT"] != nil {
    for target in package.targets { target.swiftSettings = [.treatAllWarnings(as: .error)] }
}
