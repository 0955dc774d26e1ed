import Foundation
import Testing

/// A page as it was reviewed, in the folder `Pages`. `GOLDEN_PAGES=1 swift test` writes the files again.
struct GoldenPage {
    let name: String

    private var file: URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Pages/\(name).html")
    }

    func expect(_ html: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        if ProcessInfo.processInfo.environment["GOLDEN_PAGES"] != nil {
            try Data(html.utf8).write(to: file)
        }
        let golden = try String(contentsOf: file, encoding: .utf8)
        #expect(html == golden, "\(name).html is different", sourceLocation: sourceLocation)
    }
}
