internal import MicroHTTPD

extension FuzzTarget {
    private static let server = JotterServer()

    /// `If-Match` and `If-None-Match` follow RFC 9110, byte by byte: an event is accepted if they hold for the
    /// session's version, else nothing is done. A route is not sent to a client that has it.
    ///
    /// In the input `$0`, `$1` and `$2` are the tags of the session's versions without their quotes, and `$9` that of
    /// another version.
    package static let conditions = FuzzTarget("conditions") { input in
        try await server.withSession(events: 2) {
            try await checkConditions(String(decoding: input, as: UTF8.self), $0)
        }
    }

    private static func checkConditions(_ text: String, _ session: String) async throws {
        let tag = try await server.answer(.get, "/sessions/\(session)/route").headers[.eTag] ?? ""
        let parts = tag.dropFirst().dropLast().split(separator: "-")
        try require(parts.count == 3 && parts[0] == "2", "\(tag) is not the tag of version 2")
        let ours = SessionTags(version: 2, session: Array(parts[1].utf8), app: Array(parts[2].utf8))
        var text = text
        for version in 0...2 { text = text.replacing("$\(version)", with: "\(version)-\(parts[1])-\(parts[2])") }
        let lines = HeaderLines(text.replacing("$9", with: "2-0-\(parts[2])"))
        let fields = lines.only(.ifMatch, .ifNoneMatch)
        let mayChange = fields.tags(of: .ifMatch)?.contains { ours.isToBeChanged(by: $0) } ?? true
        let isKnown = fields.tags(of: .ifNoneMatch)?.contains { ours.isKnown(to: $0) } ?? false

        let read = try await server.answer(
            .get, "/sessions/\(session)/route", JotterServer.host + lines.only(.ifNoneMatch))
        try require(read.status == (isKnown ? .notModified : .ok), "\(fields) gets \(read.status) for \(tag)")
        let written = try await server.answer(
            .post, "/sessions/\(session)/events", JotterServer.json + fields, body: JotterServer.event)
        let isTaken = mayChange && !isKnown
        try require(
            written.status == (isTaken ? .ok : .preconditionFailed), "\(fields) gets \(written.status) for \(tag)")
        let version = try await server.version(of: session)
        try require(version == (isTaken ? 3 : 2), "the session is at version \(version) after \(written.status)")
    }
}

/// An element of a list of tags.
private enum ListedTag {
    case any
    case tag([UInt8], isWeak: Bool)
}

extension HTTPFields {
    /// The tags of a header up to the first malformed one (RFC 9110, section 8.8.3); `nil` if there is no such header.
    fileprivate func tags(of name: HTTPField.Name) -> [ListedTag]? {
        guard contains(where: { $0.name == name }) else { return nil }
        var rest = Array(bytes(of: name).joined(separator: [UInt8(ascii: ",")]))[...]
        if rest.trimmed == [UInt8(ascii: "*")] { return [.any] }
        var tags: [ListedTag] = []
        while true {
            rest = rest.drop { [0x20, 0x09, UInt8(ascii: ",")].contains($0) }
            let isWeak = rest.starts(with: "W/".utf8)
            if isWeak { rest = rest.dropFirst(2) }
            guard rest.first == 0x22, let end = rest.dropFirst().firstIndex(of: 0x22) else { return tags }
            tags.append(.tag(Array(rest[...end]), isWeak: isWeak))
            rest = rest[(end + 1)...]
        }
    }
}

/// The tags that match a session's present version.
private struct SessionTags {
    let version: Int
    let session: [UInt8]
    let app: [UInt8]

    /// Compares strongly. The app's version does not matter, whether the tag contains it or not.
    func isToBeChanged(by tag: ListedTag) -> Bool {
        guard case .tag(let bytes, isWeak: false) = tag else {
            if case .any = tag { return true } else { return false }
        }
        let parts = bytes.dropFirst().dropLast().split(at: "-")
        return (2...3).contains(parts.count) && parts[0] == Array("\(version)".utf8) && parts[1] == session
    }

    /// Compares weakly.
    func isKnown(to tag: ListedTag) -> Bool {
        guard case .tag(let bytes, _) = tag else { return true }
        return bytes == Array("\"\(version)-".utf8) + session + Array("-".utf8) + app + Array("\"".utf8)
    }
}
