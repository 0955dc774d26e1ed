import Testing

@testable import CoordinateClient

/// Messages out of bytes, however they come.
struct LiveStreamParserTests {
    static let streams: [(text: String, messages: [LiveStream.Message])] = [
        ("id: 1\nevent: route\ndata: {}\n\n", [.init(id: 1, event: "route", data: "{}")]),
        ("event:end\ndata:{}\n\n", [.init(id: nil, event: "end", data: "{}")]),
        (
            "data: a: b\n\ndata\n\n",
            [.init(id: nil, event: "message", data: "a: b"), .init(id: nil, event: "message", data: "")]
        ),
        ("data: a\ndata: b\n\n", [.init(id: nil, event: "message", data: "a\nb")]),
        (":\n\n: data: x\n\nid: 4\n\n", []), ("other: x\nevent: route\n\n", []), ("data: cut off\n", []),
        ("data: Pérez \u{1F3CE}\n\n", [.init(id: nil, event: "message", data: "Pérez \u{1F3CE}")]),
    ]

    @Test(arguments: 1...7) func messagesAreReadInPiecesOfAnySize(size: Int) {
        for (text, messages) in Self.streams {
            var parser = LiveStreamParser()
            var rest = Array(text.utf8)[...]
            var read: [LiveStream.Message] = []
            while !rest.isEmpty {
                read += parser.append(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            #expect(read == messages)
        }
    }
}
