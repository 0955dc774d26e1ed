// swift-tools-version: 6.2

import PackageDescription

// The tests are in this repository's JournalContractTests, which every store passes.
let package = Package(
    name: "text-journal",
    platforms: [.macOS(.v15)],
    products: [.library(name: "TextJournal", targets: ["TextJournal"])],
    dependencies: [.package(name: "coordinate", path: "../..")],
    targets: [
        .target(
            name: "TextJournal",
            dependencies: [
                .product(name: "Coordinate", package: "coordinate"),
                .product(name: "CoordinateSessions", package: "coordinate"),
            ])
    ]
)
