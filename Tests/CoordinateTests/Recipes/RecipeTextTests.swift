import Foundation
import Testing

/// The code in the recipes is the code of these tests.
struct RecipeTextTests {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent()
    private static let articles = tests.appending(path: "../../../Sources/Coordinate/Coordinate.docc").standardized

    @Test(arguments: [
        "LoginGate", "FlowWithAResult", "UnsavedChanges", "Forms", "Paging", "ChangingDependencies", "Languages",
        "Payloads",
    ])
    func everyPieceOfCodeInARecipeIsTested(recipe: String) throws {
        let article = try String(contentsOf: Self.articles.appending(path: "\(recipe).md"), encoding: .utf8)
        let tests = try String(contentsOf: Self.tests.appending(path: "\(recipe)Tests.swift"), encoding: .utf8)
        let tested = Self.words(of: tests)
        let pieces = Self.pieces(of: article)
        #expect(!pieces.isEmpty)
        for piece in pieces {
            let isTested = tested.contains(Self.words(of: piece))
            #expect(isTested, "\(recipe).md has other code than its tests:\n\(piece)")
        }
    }

    /// The declarations in the code of an article.
    private static func pieces(of article: String) -> [String] {
        article.components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
            .flatMap { $0.components(separatedBy: "\n}\n") }
            .filter { !words(of: $0).isEmpty }
    }

    /// Code without its line breaks, and without what keeps the types of one test from those of another.
    private static func words(of code: String) -> String {
        code.split(whereSeparator: \.isWhitespace).filter { $0 != "private" && $0 != "fileprivate" }
            .joined(separator: " ")
    }
}
