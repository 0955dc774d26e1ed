// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "shop",
    dependencies: [
        .package(name: "coordinate", path: "../.."),
        .package(path: "../../Macros"),
    ],
    targets: [
        .target(
            name: "Shop",
            dependencies: [
                .product(name: "Coordinate", package: "coordinate"),
                .product(name: "CoordinateMacros", package: "Macros"),
            ]),
        .executableTarget(
            name: "shop-server",
            dependencies: [
                "Shop",
                .product(name: "CoordinateCommand", package: "coordinate"),
                .product(name: "CoordinateSQLite", package: "coordinate"),
            ]),
        .testTarget(
            name: "ShopTests",
            dependencies: [
                "Shop",
                .product(name: "Coordinate", package: "coordinate"),
                .product(name: "CoordinateExplore", package: "coordinate"),
                .product(name: "CoordinateSessions", package: "coordinate"),
            ],
            exclude: ["Journals"]),
        .testTarget(
            name: "ShopServerTests",
            dependencies: [
                "Shop",
                .product(name: "Coordinate", package: "coordinate"),
                .product(name: "CoordinateSessions", package: "coordinate"),
                .product(name: "CoordinateTesting", package: "coordinate"),
            ]),
    ]
)
