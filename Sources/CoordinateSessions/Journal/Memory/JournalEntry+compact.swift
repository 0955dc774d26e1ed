internal import Coordinate
internal import JSON

extension JournalEntry {
    /// The form of an entry in memory, without the version and the mark: its texts, each after its length. It is
    /// shorter than the form in stores, and read several times as fast. An entry with rare fields has the form in
    /// stores, which begins with a brace.
    var compact: [UInt8] {
        guard origin == .client, pending == nil, begun.isEmpty, ended.isEmpty, wake == nil, traceparent == nil,
            retry == nil
        else { return stored }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(224)
        bytes.append((isHandled ? 1 : 0) + (handledBy == nil ? 0 : 2))
        func append(_ number: Int, size: Int) {
            for shift in 0..<size { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * shift))) }
        }
        append(time.seconds, size: 8)
        for text in [appVersion, event, at, path, handledBy ?? ""] {
            append(text.utf8.count, size: 4)
            bytes.append(contentsOf: text.utf8)
        }
        if payload != .object([]) {
            var json = JSONWriter<[UInt8]>()
            json.plain(payload)
            bytes += json.finish()
        }
        return bytes
    }

    /// Reads the form of an entry in memory.
    init(version: Int, compact bytes: ArraySlice<UInt8>) throws(UnreadableJSON) {
        guard let flags = bytes.first, flags < 4 else {
            try self.init(version: version, mark: nil, stored: Array(bytes))
            return
        }
        var rest = bytes.dropFirst()
        func number(size: Int) -> Int {
            defer { rest = rest.dropFirst(size) }
            return rest.prefix(size).reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        func text() -> String {
            let length = number(size: 4)
            defer { rest = rest.dropFirst(length) }
            return String(decoding: rest.prefix(length), as: UTF8.self)
        }
        let time = Timestamp(seconds: number(size: 8))
        let (appVersion, event, at, path, handledBy) = (text(), text(), text(), text(), text())
        var payload = PlainValue.object([])
        if !rest.isEmpty {
            do throws(JSONSyntaxError) {
                payload = try JSONParser.parse(Array(rest))
            } catch {
                throw UnreadableJSON(reason: "its payload is not valid JSON.")
            }
        }
        self.init(
            version: version, time: time, appVersion: appVersion, event: event, payload: payload, at: at,
            isHandled: flags & 1 != 0, handledBy: flags & 2 != 0 ? handledBy : nil, path: path)
    }
}
