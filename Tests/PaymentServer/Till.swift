internal import Coordinate
internal import Foundation

/// The outside world of the payment server: a folder, which survives the process.
///
/// Each attempt is a line in the file `attempts`. While there is a file `hold`, payments do not get on. A payment is taken
/// when its key is a line in the file `taken`; a key that is there already is known again, and not taken twice.
struct Till: Sendable {
    let folder: URL

    /// The one that the program is told of.
    static let ofEnvironment = Till(folder: URL(filePath: ProcessInfo.processInfo.environment["TILL"] ?? "till"))

    /// Tells the test something.
    func note(_ line: String, in name: String) {
        try? append(line, to: name)
    }

    func take(_ context: WorkContext) async throws -> String {
        try append("\(context.key) \(context.attempt)", to: "attempts")
        while exists("hold") { try await Task.sleep(for: .milliseconds(10)) }
        if exists("closed") { throw WorkFailure("The till is closed.") }
        if !lines(of: "taken").contains(context.key) { try append(context.key, to: "taken") }
        return "receipt of \(context.key.split(separator: "/").last ?? "")"
    }

    /// Whether there is a file `mine`.
    var isMined: Bool { exists("mine") }

    private func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: name).path)
    }

    private func lines(of name: String) -> [String] {
        let content = try? String(contentsOf: folder.appending(path: name), encoding: .utf8)
        return content?.split(separator: "\n").map(String.init) ?? []
    }

    private func append(_ line: String, to name: String) throws {
        let path = folder.appending(path: name).path
        if !exists(name) { _ = FileManager.default.createFile(atPath: path, contents: nil) }
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        defer { try? file.close() }
        try file.seekToEnd()
        try file.write(contentsOf: Data("\(line)\n".utf8))
        try file.synchronize()
    }
}
