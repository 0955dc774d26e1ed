// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "coordinate-benchmarks",
    dependencies: [
        .package(name: "coordinate", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "attack",
            dependencies: ["Loopback", .product(name: "ArgumentParser", package: "swift-argument-parser")]
        ),
        .executableTarget(
            name: "bench",
            dependencies: [
                "Loopback", .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "TestSupport", package: "coordinate"),
            ]
        ),
        .executableTarget(
            name: "soak",
            dependencies: [
                "Loopback", .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "CoordinateClient", package: "coordinate"),
                .product(name: "TestSupport", package: "coordinate"),
            ]
        ),
        .target(name: "Loopback"),
        .executableTarget(name: "bare", linkerSettings: [.linkedLibrary("microhttpd")]),
        .executableTarget(name: "store-bare", publicHeadersPath: ".", linkerSettings: [.linkedLibrary("sqlite3")]),
        .executableTarget(
            name: "store-pages",
            dependencies: [
                .product(name: "Coordinate", package: "coordinate"),
                .product(name: "CoordinatePostgreSQL", package: "coordinate"),
                .product(name: "CoordinateSessions", package: "coordinate"),
                .product(name: "CoordinateSQLite", package: "coordinate"),
            ]
        ),
        .executableTarget(
            name: "hummingbird-app",
            dependencies: [
                .product(name: "GRDB", package: "GRDB.swift"), .product(name: "Hummingbird", package: "hummingbird"),
            ]
        ),
        .executableTarget(
            name: "hummingbird-peer",
            dependencies: [.product(name: "Hummingbird", package: "hummingbird")]
        ),
        .target(
            name: "RacingFlow",
            dependencies: [
                .product(name: "Coordinate", package: "coordinate"), .product(name: "Racing", package: "coordinate"),
            ]
        ),
        .executableTarget(
            name: "workload",
            dependencies: [
                "Loopback", "RacingFlow", .product(name: "Coordinate", package: "coordinate"),
                .product(name: "CoordinateExplore", package: "coordinate"),
                .product(name: "CoordinateMCP", package: "coordinate"),
                .product(name: "CoordinateServer", package: "coordinate"),
                .product(name: "CoordinateSessions", package: "coordinate"),
                .product(name: "CoordinateWeb", package: "coordinate"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        // The plugin accepts benchmark targets only in a folder called Benchmarks.
        .executableTarget(
            name: "InProcess",
            dependencies: [
                "RacingFlow",
                .product(name: "Benchmark", package: "benchmark"),
                .product(name: "Coordinate", package: "coordinate"),
                .product(name: "CoordinateExplore", package: "coordinate"),
                .product(name: "CoordinateSessions", package: "coordinate"),
            ],
            path: "InProcess",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
    ],
    swiftLanguageModes: [.v6]
)

let otherwise = ["bare", "InProcess", "store-bare"]
for target in package.targets where !otherwise.contains(target.name) {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .treatAllWarnings(as: .error),
    ]
}
