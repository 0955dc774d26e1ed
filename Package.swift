// swift-tools-version: 6.2

import CompilerPluginSupport
import Foundation
import PackageDescription

// What imports nothing of Linux: the coordinators, also for an app on a phone; sessions with their histories, and their
// store in SQLite. Sessions and the store are built and tested on Linux only.
var products: [Product] = [
    .library(name: "Coordinate", targets: ["Coordinate"]),
    .library(name: "CoordinateClient", targets: ["CoordinateClient"]),
    .library(name: "CoordinateExplore", targets: ["CoordinateExplore"]),
    .library(name: "CoordinateSessions", targets: ["CoordinateSessions"]),
    .library(name: "CoordinateSQLite", targets: ["CoordinateSQLite"]),
    .library(name: "CoordinateWeb", targets: ["CoordinateWeb"]),
    .library(name: "Racing", targets: ["Racing"]),
]
var dependencies: [Package.Dependency] = [
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
]
var targets: [Target] = [
    .target(name: "Coordinate"),
    .target(name: "CoordinateClient", dependencies: ["Coordinate"]),
    .target(name: "JSON", dependencies: ["Coordinate"]),
    .target(name: "CoordinateExplore", dependencies: ["Coordinate", "JSON"], exclude: ["Server"]),
    .target(name: "CoordinateWeb", dependencies: ["Coordinate", "JSON"], exclude: ["Server"]),
    // The rule for limits of the HTTP server and of sessions, which share no other target.
    .target(name: "Fairness"),
    .target(
        name: "CoordinateSessions",
        dependencies: [
            "Coordinate", "Fairness", "JSON", .product(name: "DequeModule", package: "swift-collections"),
            .product(name: "Logging", package: "swift-log"),
            .product(name: "Tracing", package: "swift-distributed-tracing"),
        ]
    ),
    .target(
        name: "CoordinateSQLite",
        dependencies: [
            "Coordinate", "CoordinateSessions",
            .product(name: "GRDB", package: "GRDB.swift"),
            .product(name: "Logging", package: "swift-log"),
        ]
    ),
    .target(name: "Racing", dependencies: ["Coordinate"]),
    .target(name: "SeededGenerator", path: "Tests/Support/SeededGenerator"),
    .testTarget(name: "CoordinateTests", dependencies: ["Coordinate", "CoordinateExplore", "SeededGenerator"]),
    .testTarget(name: "RacingTests", dependencies: ["Coordinate", "Racing"]),
    .testTarget(
        name: "SourceCompatibilityTests", dependencies: ["Coordinate"], swiftSettings: [.swiftLanguageMode(.v5)]
    ),
    .testTarget(
        name: "CoordinateExploreTests",
        dependencies: ["Coordinate", "CoordinateExplore", "JSON", "Racing"]
    ),
    .testTarget(
        name: "CoordinateWebTests", dependencies: ["Coordinate", "CoordinateWeb", "JSON", "Racing", "SeededGenerator"],
        exclude: ["Pages"]
    ),
    .testTarget(name: "JSONTests", dependencies: ["Coordinate", "JSON"]),
]

// The server is for Linux: it builds on Glibc, epoll and eventfd. There, these two add their endpoints to it.
#if os(Linux)
    for target in targets where ["CoordinateExplore", "CoordinateWeb"].contains(target.name) {
        target.dependencies += ["CoordinateServer", "CoordinateSessions", "MicroHTTPD", "ProcessSupport"]
        target.exclude = []
    }
    products += [
        .library(name: "CoordinateCommand", targets: ["CoordinateCommand"]),
        .library(name: "CoordinateMCP", targets: ["CoordinateMCP"]),
        .library(name: "CoordinatePostgreSQL", targets: ["CoordinatePostgreSQL"]),
        .library(name: "CoordinateServer", targets: ["CoordinateServer"]),
        .library(name: "CoordinateService", targets: ["CoordinateService"]),
        .library(name: "CoordinateTesting", targets: ["CoordinateTesting"]),
        .library(name: "MicroHTTPD", targets: ["MicroHTTPD"]),
        // What Benchmarks shares with the tests.
        .library(name: "TestSupport", targets: ["PostgreSQLCluster", "SeededGenerator"]),
        .executable(name: "coordinate-server", targets: ["coordinate-server"]),
    ]
    dependencies += [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ]
    targets += [
        .systemLibrary(
            name: "CMicroHTTPD",
            pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"])]
        ),
        // libmicrohttpd-dev depends on its headers, and the server loads it in any case.
        .systemLibrary(name: "CGnuTLS", pkgConfig: "gnutls", providers: [.apt(["libgnutls28-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "CProcess"),
        .target(name: "CEventLoop"),
        .target(
            name: "MicroHTTPD",
            dependencies: [
                "CEventLoop", "CGnuTLS", "CMicroHTTPD", "CZlib", "Fairness",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .target(name: "ProcessSupport", dependencies: ["CProcess"]),
        .target(
            name: "CoordinateMCP",
            dependencies: [
                "Coordinate", "CoordinateServer", "CoordinateSessions", "JSON", "MicroHTTPD", "ProcessSupport",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .systemLibrary(
            name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]
        ),
        .target(
            name: "CoordinatePostgreSQL",
            dependencies: [
                "Coordinate", "CPostgreSQL", "CoordinateSessions", .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .target(
            name: "CoordinateServer",
            dependencies: [
                "Coordinate", "CoordinateSessions", "JSON", "MicroHTTPD", "ProcessSupport",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            resources: [.copy("../../public")]
        ),
        .target(
            name: "CoordinateService",
            dependencies: [
                "CoordinateServer",
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .target(
            name: "CoordinateTesting",
            dependencies: [
                "Coordinate", "CoordinateClient", "CoordinateServer", "CoordinateSessions", "MicroHTTPD",
            ]
        ),
        .executableTarget(
            name: "coordinate-server",
            dependencies: [
                "CoordinateCommand", "CoordinatePostgreSQL", "CoordinateSQLite", "CoordinateServer", "Racing",
            ]
        ),
        .target(
            name: "CoordinateCommand",
            dependencies: [
                "Coordinate", "CoordinateExplore", "CoordinateMCP", "CoordinateServer", "CoordinateSessions",
                "CoordinateWeb", "JSON",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        .target(
            name: "MisbehavingJournal", dependencies: ["Coordinate", "CoordinateSessions", "SeededGenerator"],
            path: "Tests/Support/MisbehavingJournal"
        ),
        .target(
            name: "JournalWalk",
            dependencies: ["Coordinate", "CoordinateSessions", "SeededGenerator", "SessionFixtures"],
            path: "Tests/Support/JournalWalk"
        ),
        .target(
            name: "TextJournal", dependencies: ["Coordinate", "CoordinateSessions"],
            path: "Examples/TextJournal/Sources/TextJournal"
        ),
        // Programs that tests start and kill.
        .executableTarget(
            name: "payment-server",
            dependencies: [
                "Coordinate", "CoordinateCommand", "CoordinatePostgreSQL", "CoordinateServer", "CoordinateSessions",
                "CoordinateSQLite",
            ],
            path: "Tests/Support/PaymentServer"
        ),
        .executableTarget(
            name: "release-server",
            dependencies: ["Coordinate", "CoordinateCommand", "CoordinatePostgreSQL", "CoordinateSQLite"],
            path: "Tests/Support/ReleaseServer"
        ),
        .executableTarget(
            name: "replay-only", dependencies: ["Coordinate", "CoordinateSessions", "Racing"],
            path: "Tests/Support/ReplayOnly"
        ),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "Coordinate", "CoordinateExplore", "CoordinateServer", "CoordinateSessions", "JSON", "MicroHTTPD",
                "RawClient", .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/Support/FuzzTargets"
        ),
        .target(name: "PostgreSQLCluster", path: "Tests/Support/PostgreSQLCluster"),
        .target(name: "RawClient", path: "Tests/Support/RawClient"),
        .target(
            name: "SessionFixtures",
            dependencies: [
                "Coordinate", "CoordinateSessions", "Racing", "SeededGenerator",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/Support/SessionFixtures"
        ),
        .target(
            name: "ServerFixtures",
            dependencies: [
                "Coordinate", "CoordinateExplore", "CoordinateMCP", "CoordinateServer", "CoordinateSessions",
                "CoordinateTesting", "CoordinateWeb", "Racing", "SessionFixtures",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/Support/ServerFixtures"
        ),
        .target(
            name: "Stores",
            dependencies: [
                "CoordinatePostgreSQL", "CoordinateSessions", "CoordinateSQLite", "MisbehavingJournal",
                "PostgreSQLCluster", "SessionFixtures", "TextJournal",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Tests/Support/Stores"
        ),
        .testTarget(
            name: "FuzzTargetsTests", dependencies: ["FuzzTargets", "SeededGenerator"],
            exclude: ["Corpus", "Dictionaries"]
        ),
        .testTarget(name: "ProcessSupportTests", dependencies: ["ProcessSupport"]),
        .testTarget(name: "FairnessTests", dependencies: ["Fairness", "SeededGenerator"]),
        .testTarget(
            name: "MicroHTTPDTests",
            dependencies: ["MicroHTTPD", "ProcessSupport", "RawClient", "SeededGenerator"]
        ),
        .testTarget(
            name: "RandomHistoryTests",
            dependencies: [
                "Coordinate", "CoordinateSessions", "MisbehavingJournal", "SeededGenerator", "SessionFixtures",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        // One contract for the journals of all stores.
        .testTarget(
            name: "JournalContractTests",
            dependencies: [
                "Coordinate", "CoordinateSessions", "JournalWalk", "SessionFixtures", "Stores",
            ]
        ),
        .testTarget(
            name: "CoordinateSessionsTests",
            dependencies: [
                "Coordinate", "CoordinateSessions", "JSON", "MisbehavingJournal", "SeededGenerator",
                "SessionFixtures", .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "CoordinateSQLiteTests",
            dependencies: [
                "Coordinate", "CoordinateSessions", "CoordinateSQLite", "JournalWalk", "SeededGenerator",
                "SessionFixtures",
                .product(name: "GRDB", package: "GRDB.swift"), .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "CoordinatePostgreSQLTests",
            dependencies: [
                "Coordinate", "CoordinatePostgreSQL", "CoordinateSessions", "JournalWalk", "PostgreSQLCluster",
                "SessionFixtures", .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "CoordinateClientTests",
            dependencies: [
                "Coordinate", "CoordinateClient", "CoordinateServer", "CoordinateTesting", "Racing", "ServerFixtures",
                "SessionFixtures",
            ]
        ),
        .testTarget(
            name: "CoordinateServerTests",
            dependencies: [
                "Coordinate", "CoordinateExplore", "CoordinateMCP", "CoordinateServer", "CoordinateSessions",
                "CoordinateTesting", "CoordinateWeb", "JSON", "MicroHTTPD", "MisbehavingJournal", "PostgreSQLCluster",
                "Racing", "RawClient", "SeededGenerator", "ServerFixtures", "SessionFixtures", "Stores",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]
        ),
        .testTarget(
            name: "CoordinateServiceTests",
            dependencies: [
                "CoordinateClient", "CoordinateServer", "CoordinateService", "Racing", "SessionFixtures",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]
        ),
        // It runs the program, which has to be built for it.
        .testTarget(
            name: "CoordinateCommandTests",
            dependencies: [
                "Coordinate", "coordinate-server", "CoordinateCommand", "CoordinateExplore", "CoordinatePostgreSQL",
                "CoordinateServer", "CoordinateSessions", "CoordinateSQLite", "CoordinateTesting", "payment-server",
                "PostgreSQLCluster", "Racing", "RawClient", "release-server", "replay-only", "SeededGenerator",
                "SessionFixtures",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["Journals"]
        ),
    ]
    // Without libFuzzer it has no main function: only `make fuzz` builds it.
    if Context.environment["FUZZING"] != nil {
        targets.append(.executableTarget(name: "fuzz", dependencies: ["FuzzTargets"], path: "Tests/Support/Fuzz"))
    }
#endif

// What `make check` needs besides `make test`: the browser's tests, and the examples with the macros. These are packages of
// their own, so that a build without them does not wait for swift-syntax. Here they are part of this package, so that the
// library is compiled once for all tests. The tests of the macros are not: with a test that runs a macro itself, SwiftPM
// compiles everything twice.
if Context.environment["CHECK"] != nil {
    dependencies += [
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
    ]
    let syntax: (String) -> Target.Dependency = { .product(name: $0, package: "swift-syntax") }
    targets += [
        .target(
            name: "WebDriver", dependencies: ["Coordinate", "CoordinateExplore", "CoordinateTesting", "RawClient"],
            path: "Tests/Support/WebDriver"
        ),
        .testTarget(
            name: "InspectorTests",
            dependencies: [
                "Coordinate", "CoordinateExplore", "CoordinateServer", "CoordinateSessions", "CoordinateTesting",
                "CoordinateWeb", "Racing", "SessionFixtures", "WebDriver",
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["Screenshots"]
        ),
        .macro(
            name: "CoordinateMacroPlugin",
            dependencies: [
                syntax("SwiftCompilerPlugin"), syntax("SwiftDiagnostics"), syntax("SwiftParser"), syntax("SwiftSyntax"),
                syntax("SwiftSyntaxBuilder"), syntax("SwiftSyntaxMacros"),
            ],
            path: "Macros/Sources/CoordinateMacroPlugin"
        ),
        .target(
            name: "CoordinateMacros", dependencies: ["Coordinate", "CoordinateMacroPlugin"],
            path: "Macros/Sources/CoordinateMacros"
        ),
        .executableTarget(
            name: "notes",
            dependencies: ["Coordinate", "CoordinateCommand", "CoordinateMacros", "CoordinateSQLite"],
            path: "Examples/Notes/Sources/notes"
        ),
        .testTarget(
            name: "NotesTests", dependencies: ["CoordinateExplore", "notes"], path: "Examples/Notes/Tests/NotesTests"
        ),
        .target(name: "Shop", dependencies: ["Coordinate", "CoordinateMacros"], path: "Examples/Shop/Sources/Shop"),
        .executableTarget(
            name: "shop-server", dependencies: ["CoordinateCommand", "CoordinateSQLite", "Shop"],
            path: "Examples/Shop/Sources/shop-server"
        ),
        .testTarget(
            name: "ShopTests", dependencies: ["Coordinate", "CoordinateExplore", "CoordinateSessions", "Shop"],
            path: "Examples/Shop/Tests/ShopTests", exclude: ["Journals"]
        ),
        .testTarget(
            name: "ShopServerTests", dependencies: ["Coordinate", "CoordinateSessions", "CoordinateTesting", "Shop"],
            path: "Examples/Shop/Tests/ShopServerTests"
        ),
        .testTarget(
            name: "ShopWebTests",
            dependencies: [
                "Coordinate", "CoordinateExplore", "CoordinateServer", "CoordinateTesting", "CoordinateWeb", "Shop",
                "WebDriver",
            ],
            path: "Examples/Shop/Tests/ShopWebTests"
        ),
    ]
}

// A build of the program alone has no folder of tests, for example in the container image.
if !FileManager.default.fileExists(atPath: Context.packageDirectory + "/Tests") {
    targets.removeAll { $0.type == .test || $0.path?.hasPrefix("Tests/") == true }
}

let package = Package(
    name: "coordinate",
    // The first versions with the module Synchronization.
    platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .visionOS(.v2), .watchOS(.v11)],
    products: products,
    dependencies: dependencies,
    targets: targets,
    swiftLanguageModes: [.v6]
)

// The source compatibility tests are compiled with the settings of the older apps that they imitate, and the examples with
// those of a new app.
for target in package.targets
where target.type != .system && target.name != "SourceCompatibilityTests" && target.path?.hasPrefix("Examples/") != true
{
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .treatAllWarnings(as: .error),
    ]
    // Tests use raw sockets; everything that ships is checked.
    if target.type != .test, target.path?.hasPrefix("Tests/") != true {
        target.swiftSettings?.append(.strictMemorySafety())
    }
}
