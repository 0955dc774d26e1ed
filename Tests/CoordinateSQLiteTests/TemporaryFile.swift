import Foundation

/// A path in its own folder, which is removed with this object.
final class TemporaryFile: Sendable {
    let folder: URL
    let path: String

    init() {
        folder = FileManager.default.temporaryDirectory.appending(path: "coordinate-\(UUID())")
        path = folder.appending(path: "sessions.sqlite").path
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }
}
