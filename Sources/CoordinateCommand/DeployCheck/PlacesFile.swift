internal import CoordinateServer
internal import CoordinateSessions
internal import Foundation

/// A file of recorded places: a line with the app, and then a line per session, in the order of the ids.
struct PlacesFile {
    let header: PlacesHeader
    private let path: String
    private var lines: FileLines
    /// The last line that was read, if its session was not passed yet.
    private var next: (session: SessionID, line: Range<Int>)?

    /// Opens a file, and reads its first line.
    init(_ path: String) throws(ServerError) {
        // A pipe could not be opened again by the processes that replay.
        let file = URL(filePath: path).resolvingSymlinksInPath()
        guard (try? file.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true,
            let file = FileHandle(forReadingAtPath: path)
        else {
            throw .configuration("\(path) cannot be read. Name a file that deploy-check --record wrote.")
        }
        lines = FileLines(file)
        self.path = path
        do throws(UnreadableJSON) {
            header = try PlacesHeader(line: lines.next()?.bytes ?? [])
        } catch {
            throw .configuration("\(path) has no recorded places. Line 1: \(error.reason)")
        }
        try readNext()
    }

    /// The position of a session's line; `nil` if there is none. Sessions are looked up in the order of their ids.
    mutating func line(of session: SessionID) throws(ServerError) -> Range<Int>? {
        while let next, next.session < session { try readNext() }
        return next?.session == session ? next?.line : nil
    }

    /// Reads the rest of the file, if no more sessions are looked up.
    ///
    /// - Throws: If the lines are not in the order of the ids: sessions may have been missed.
    mutating func finish() throws(ServerError) {
        while next != nil { try readNext() }
    }

    private mutating func readNext() throws(ServerError) {
        let former = next
        next = nil
        var line = lines.next()
        while line?.bytes.isEmpty == true { line = lines.next() }
        guard let line else { return }
        guard let session = Self.session(in: line.bytes) else { throw unreadable("it has no session.") }
        if let former, former.session >= session { throw unreadable("its session must come after the one before it.") }
        next = (session, line.range)
    }

    /// A recorded line begins with the session.
    private static func session(in line: [UInt8]) -> SessionID? {
        let prefix = Array(#"{"session":""#.utf8)
        guard line.starts(with: prefix) else { return nil }
        let text = line.dropFirst(prefix.count).prefix { $0 != UInt8(ascii: "\"") }
        return SessionID(String(decoding: text, as: UTF8.self))
    }

    private func unreadable(_ reason: String) -> ServerError {
        .configuration("\(path) cannot be read. Line \(lines.count): \(reason) Record it again.")
    }

    /// Reads the place of a session at the position of its line. The position of ``line(of:)`` is lost.
    func place(of session: SessionID, at line: Range<Int>) throws(ServerError) -> Place {
        do {
            let bytes = try lines.bytes(in: line)
            guard Self.session(in: bytes) == session else {
                throw UnreadableJSON(reason: "the file was replaced during the check.")
            }
            return try Place(line: bytes)
        } catch let error as UnreadableJSON {
            throw .configuration("\(path) cannot be read. At byte \(line.lowerBound): \(error.reason) Record it again.")
        } catch {
            throw .configuration("\(path) cannot be read. Record it again.")
        }
    }
}

/// The lines of a file, which are read in pieces.
private struct FileLines {
    private let file: FileHandle
    /// What was read of the file, from the next line on.
    private var text: ArraySlice<UInt8> = []
    /// The position of the next line in the file.
    private var position = 0
    /// The number of lines that were read.
    private(set) var count = 0

    init(_ file: FileHandle) {
        self.file = file
    }

    /// The next line, without its line feed; `nil` at the end. An unreadable file ends.
    mutating func next() -> (bytes: [UInt8], range: Range<Int>)? {
        var searched = text.startIndex
        while true {
            if let end = text[searched...].firstIndex(of: UInt8(ascii: "\n")) { return line(to: end) }
            searched = text.endIndex - text.startIndex
            guard let part = try? file.read(upToCount: 1 << 18), !part.isEmpty else {
                return text.isEmpty ? nil : line(to: text.endIndex)
            }
            text = Array(text)[...] + part
        }
    }

    private mutating func line(to end: Int) -> (bytes: [UInt8], range: Range<Int>) {
        let bytes = Array(text[..<end])
        let range = position..<position + bytes.count
        text = text[min(end + 1, text.endIndex)...]
        position = range.upperBound + 1
        count += 1
        return (bytes, range)
    }

    func bytes(in range: Range<Int>) throws -> [UInt8] {
        try file.seek(toOffset: UInt64(range.lowerBound))
        return Array(try file.read(upToCount: range.count) ?? Data())
    }
}
