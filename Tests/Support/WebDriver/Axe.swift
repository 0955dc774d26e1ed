import CoordinateTesting
import Foundation

/// The rules of axe-core (https://github.com/dequelabs/axe-core) for pages that everyone can use.
public struct Axe: Sendable {
    private let script: String

    /// The script that `Tests/axe/install` downloads; `nil` if it has not.
    public static let installed = try? Axe(script: String(contentsOf: file, encoding: .utf8))

    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../.build/axe/axe.min.js").standardized

    /// The reason why a test is skipped if it is not installed.
    public static let advice = "needs axe-core: Tests/axe/install downloads it"

    /// Returns what is wrong with the page that a window shows: the rule, and each element that breaks it.
    public func violations(on page: Page) async throws -> [String] {
        let isLoaded = try await page.evaluate("return typeof axe === 'object'")
        if isLoaded != true { try await page.evaluate(script) }
        let found = try await page.command(
            "/execute/async",
            [
                "script": """
                const give = arguments[0];
                axe.run().then(
                  ({ violations }) => give(violations.flatMap(({ id, help, nodes }) =>
                    nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html} ${failureSummary}`))),
                  (error) => give([`axe failed: ${error}`]));
                """, "args": [],
            ])
        return found.array.compactMap(\.string)
    }

    /// Returns what is wrong with a page in light and dark, on a narrow and on a wide screen.
    public func violationsInAllLooks(of page: Page) async throws -> [String] {
        var all: [String] = []
        for width in [320, 1_920] {
            try await page.resize(width: width, height: 800)
            for isDark in [false, true] {
                try await page.prefer(dark: isDark)
                let look = "\(isDark ? "dark" : "light"), \(width) px"
                all += try await violations(on: page).map { "\(look): \($0)" }
                // What is wider than the window has to be scrolled in two directions.
                let width = try await page.evaluate("return document.documentElement.scrollWidth > innerWidth")
                if width == true { all.append("\(look): wider than the window") }
            }
        }
        return all
    }
}
