// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "notes",
    dependencies: [
        .package(name: "coordinate", path: "../.."),
        .package(path: "../../Macros"),
    ],
    targets: [
        .executableTarget(
            name: "notes",
            dependencies: ["Coordinate", "CoordinateCommand", "CoordinateSQLite"]
                .map { .product(name: $0, package: "coordinate") }
                + [.product(name: "CoordinateMacros", package: "Macros")]),
        .testTarget(
            name: "NotesTests",
            dependencies: ["notes", .product(name: "CoordinateExplore", package: "coordinate")]),
    ]
)
