internal import Coordinate
internal import Foundation
internal import Glibc

/// The outside world of the payment server: a folder, which survives the process.
///
/// Each attempt is a line in the file `attempts`. While there is a file `hold`, payments wait. A payment is made when
/// its key is a line in the file `taken`. If the key is already there, the payment is recognized, and not made twice.
struct Till: Sendable {
    let folder: URL

    /// The till that the environment names.
    static let ofEnvironment = Till(folder: URL(filePath: ProcessInfo.processInfo.environment["TILL"] ?? "till"))

    /// Writes a line for the test.
    func write(_ line: String, in name: String) { try? append(line, to: name) }

    func take(_ context: WorkContext) async throws -> String {
        try append("\(context.key) \(context.attempt)", to: "attempts")
        while exists("hold") { try await Task.sleep(for: .milliseconds(10)) }
        if !lines(of: "taken").contains(context.key) { try append(context.key, to: "taken") }
        return "receipt of \(context.key.split(separator: "/").last ?? "")"
    }

    /// Whether there is a file `mine`.
    var isMined: Bool { exists("mine") }

    /// Blocks the thread while there is a file `stall`, and records the beginning in the file `stalled`.
    func stall() {
        write("stalled", in: "stalled")
        while exists("stall") { usleep(1_000) }
    }

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
