// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "web",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "baton", path: "../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.0.0"),
    ],
    targets: [
        .executableTarget(
            name: "Web",
            dependencies: [
                .product(name: "Baton", package: "baton"), .product(name: "BatonHTTP", package: "baton"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: ".",
            exclude: ["README.md", "baton.json"]
        )
    ],
    swiftLanguageModes: [.v6]
)
