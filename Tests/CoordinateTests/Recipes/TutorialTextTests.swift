import Foundation
import Testing

/// The tutorial has the code of `Examples/Notes`, whose tests `make examples` runs.
struct TutorialTextTests {
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized
    private static let example = repository.appending(path: "Examples/Notes")

    @Test func theTutorialHasEveryFileOfItsApp() throws {
        var files = try Self.files()
        for block in try Self.blocks() {
            let file = try #require(
                files.first { $0.value.contains(block) }, "Notes lacks code of the tutorial:\n\(block)")
            files[file.key] = file.value.replacing(block, with: "")
        }
        for (name, rest) in files {
            let isInTutorial = rest.allSatisfy(\.isWhitespace)
            #expect(isInTutorial, "The tutorial lacks code of \(name):\n\(rest)")
        }
    }

    /// The blocks of Swift in the tutorial, with the paths of `Examples/Notes` to the library.
    private static func blocks() throws -> [String] {
        let article = repository.appending(path: "Sources/Coordinate/Coordinate.docc/BuildingAnApp.md")
        return try String(contentsOf: article, encoding: .utf8).components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
            .map {
                $0.replacing("\"../coordinate/", with: "\"../../").replacing("\"../coordinate\"", with: "\"../..\"")
            }
    }

    /// The texts of the example's Swift files, by their names.
    private static func files() throws -> [String: String] {
        let manager = FileManager.default
        let sources = try ["Sources", "Tests"].flatMap { folder in
            try manager.subpathsOfDirectory(atPath: example.appending(path: folder).path).map { "\(folder)/\($0)" }
        }
        let names = ["Package.swift"] + sources.filter { $0.hasSuffix(".swift") }
        return try Dictionary(
            uniqueKeysWithValues: names.map {
                ($0, try String(contentsOf: example.appending(path: $0), encoding: .utf8))
            })
    }
}
