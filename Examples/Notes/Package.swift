// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "notes",
    dependencies: [
        .package(name: "coordinate", path: "../.."),
        .package(path: "../../Macros"),
    ],
    targets: [
        .target(
            name: "Notes",
            dependencies: [
                .product(name: "Coordinate", package: "coordinate"),
                .product(name: "CoordinateMacros", package: "Macros"),
            ]),
        .testTarget(
            name: "NotesTests",
            dependencies: [
                "Notes",
                .product(name: "Coordinate", package: "coordinate"),
                .product(name: "CoordinateExplore", package: "coordinate"),
            ]),
    ]
)

package.targets.append(
    .executableTarget(
        name: "notes-server",
        dependencies: [
            "Notes",
            .product(name: "CoordinateCommand", package: "coordinate"),
            .product(name: "CoordinateSQLite", package: "coordinate"),
        ]))
