package import Foundation

/// A path in its own folder, which is removed with this object.
package final class TemporaryFile: Sendable {
    package let folder: URL
    package let path: String

    package init(_ name: String = "sessions.sqlite") {
        folder = FileManager.default.temporaryDirectory.appending(path: "coordinate-\(UUID())")
        path = folder.appending(path: name).path
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }
}

/// Creates a folder with files while the body runs.
package nonisolated(nonsending) func withFolder<Result>(
    _ files: [String: String] = [:], _ body: nonisolated(nonsending) (URL) async throws -> Result
) async throws -> Result {
    let file = TemporaryFile()
    defer { withExtendedLifetime(file) {} }
    for (name, content) in files { try Data(content.utf8).write(to: file.folder.appending(path: name)) }
    return try await body(file.folder)
}
