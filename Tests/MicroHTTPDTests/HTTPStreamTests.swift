import Dispatch
import MicroHTTPD
import Synchronization
import Testing

/// Answers that are written piece by piece.
struct HTTPStreamTests {
    @Test func allPiecesArriveInOrder() throws {
        let (handler, server) = try StreamServer.make()
        let (client, stream) = try handler.client(of: server)
        for number in 0..<200 { #expect(stream.send(.init("\(number)\n"))) }
        let expected = (0..<200).map { "\($0)\n" }.joined()
        #expect(try client.chunks(until: "199\n") == expected)
        // Each piece is read before the next one is sent.
        for number in 0..<20 {
            stream.send(.init("\(number);"))
            #expect(try client.chunk() == "\(number);")
        }
        #expect(!stream.isOver)
    }

    @Test func piecesSentBeforeTheAnswerComeFirstAndFillOneChunk() throws {
        let pieces = (0..<200).map { HTTPBody("\($0)\n") }
        let (handler, server) = try StreamServer.make { handler, _ in .now(handler.stream(pieces)) }
        let (client, stream) = try handler.client(of: server)
        #expect(try client.chunk() == (0..<200).map { "\($0)\n" }.joined())
        stream.send(.init("after"))
        #expect(try client.chunk() == "after")
    }

    @Test(arguments: [
        (sizes: [1, 1, 1], isOver: false), ([1, 1, 1, 1], true), ([500, 500], false), ([500, 501], true),
        ([5_000], false), ([5_000, 1], true), ([0, 0, 0, 0, 1, 0], false),
    ])
    func exceedingTheCapacityEndsTheStream(sizes: [Int], isOver: Bool) {
        let stream = HTTPStream(capacity: .init(pieces: 3, bytes: 1_000))
        for (number, size) in sizes.enumerated() {
            let isTaken = stream.send(.init([UInt8](repeating: 0, count: size)))
            #expect(isTaken == !(isOver && number == sizes.count - 1))
        }
        #expect(stream.isOver == isOver)
    }

    /// Streams of two addresses, which follow one resource or several.
    private func streams(
        _ readers: HTTPReaders, at addresses: [UInt64], of resources: [UInt64]
    ) -> [HTTPStream] {
        zip(addresses, resources).map { address, resource in
            HTTPStream(
                capacity: .init(bytes: 10_000_000), readers: readers, groups: [.address(address), .resource(resource)])
        }
    }

    private func piece(_ steps: Int) -> HTTPBody { .init([UInt8](repeating: 0, count: steps * HTTPReaders.step)) }

    /// The addresses, resources and unread data of streams, and which of them is disconnected when another one is sent
    /// more: the largest of an address or a resource over its share, or else that of the largest address.
    @Test(
        arguments: [
            (addresses: [1, 1, 1, 2], resources: [1, 2, 3, 4], sizes: [3, 6, 1, 9], next: 2, closed: 1),
            ([1, 2, 3], [7, 7, 7], [3, 5, 2], 0, 1), ([1, 1, 2, 3], [1, 2, 3, 4], [4, 6, 9, 1], 3, 1),
        ] as [([UInt64], [UInt64], [Int], Int, Int)])
    func theLargestReaderOfWhatIsOverItsShareIsDisconnected(
        addresses: [UInt64], resources: [UInt64], sizes: [Int], next: Int, closed: Int
    ) {
        let readers = HTTPReaders(limit: 20 * HTTPReaders.step)
        let streams = streams(readers, at: addresses, of: resources)
        for (stream, steps) in zip(streams, sizes) { #expect(stream.send(piece(steps))) }
        #expect(streams.filter(\.isOver).isEmpty)
        #expect(streams[next].send(piece(1)))
        #expect(streams.map(\.isOver) == streams.indices.map { $0 == closed })
        for (number, stream) in streams.enumerated() where number != closed { #expect(stream.send(.init("more"))) }
    }

    @Test func anAddressIsCrowdedWhileItHasItsShare() {
        let readers = HTTPReaders(limit: 20 * HTTPReaders.step)
        let streams = streams(readers, at: [1, 1, 2], of: [1, 2, 3])
        for (stream, steps) in zip(streams, [4, 6, 9]) { #expect(stream.send(piece(steps))) }
        #expect(readers.areCrowded([.address(1)]))
        #expect(!readers.areCrowded([.address(2)]))
        streams[0].abort()
        #expect(!readers.areCrowded([.address(1)]))
    }

    @Test func aReaderThatHasNothingUnreadIsForgotten() {
        let readers = HTTPReaders(limit: 20 * HTTPReaders.step)
        weak var former: HTTPStream?
        do {
            let stream = streams(readers, at: [1], of: [2])[0]
            #expect(stream.send(piece(3)))
            stream.abort()
            former = stream
        }
        #expect(former == nil)
    }

    @Test func aPieceIsChargedOnceForAllStreamsInWhichItWaits() {
        let used = Atomic(0)
        let quota = MemoryQuota(isUsedUp: { false }, use: { used.wrappingAdd($0, ordering: .relaxed) })
        let streams = (0..<3).map { _ in HTTPStream(quota: quota) }
        let piece = HTTPBody(.numbered(size: 600))
        for stream in streams { #expect(stream.send(piece)) }
        #expect(used.load(ordering: .relaxed) == 600)
        streams[0].abort()
        #expect(used.load(ordering: .relaxed) == 600)
        for stream in streams { stream.abort() }
        #expect(used.load(ordering: .relaxed) == 0)
    }

    @Test func theSourceIsCalledWhenEverythingIsRead() throws {
        let asked = Atomic(0)
        let (handler, server) = try StreamServer.make { _, _ in
            let stream = HTTPStream(source: { stream in
                let number = asked.wrappingAdd(1, ordering: .relaxed).newValue
                let piece = HTTPBody(.numbered(size: 200_000))
                if number == 5 { stream.end(with: piece) } else { stream.send(piece) }
            })
            stream.send(.init("first "))
            return .now(HTTPResponse(status: 200, stream: stream))
        }
        let client = try RawClient(port: server.port)
        try client.send(.get("/"))
        _ = try client.answer(toHead: true)
        #expect(try client.chunks() == "first " + (0..<5).map { _ in String.numbered(size: 200_000) }.joined())
        #expect(asked.load(ordering: .relaxed) == 5)
        withExtendedLifetime(handler) {}
    }

    @Test func aClientThatReadsTooLittleIsDisconnected() throws {
        let (handler, server) = try StreamServer.make(requestDeadline: .seconds(1))
        let (client, stream) = try handler.client(of: server)
        stream.send(.init(.numbered(size: 8_000_000)))
        #expect(handler.ended.isSignalled())
        withExtendedLifetime(client) {}
    }

    @Test func endSendsTheQueuedPiecesAndClosesTheConnection() throws {
        let (handler, server) = try StreamServer.make()
        let (client, stream) = try handler.client(of: server)
        for _ in 0..<10 { stream.send(.init("piece ")) }
        stream.end()
        #expect(stream.isOver)
        #expect(!stream.send(.init("late")))
        #expect(try client.chunks() == String(repeating: "piece ", count: 10))
        #expect(try client.everything().isEmpty)
        #expect(handler.ended.isSignalled())
        #expect(handler.endCount == 1)
    }

    @Test(arguments: ["all there is", ""])
    func aStreamEndedBeforeTheAnswerIsSentWhole(text: String) throws {
        let (handler, server) = try StreamServer.make { handler, _ in
            let response = handler.stream([.init(text)])
            handler.streams[0].end()
            return .now(response)
        }
        let (client, _) = try handler.client(of: server)
        #expect(try client.chunks() == text)
        #expect(handler.ended.isSignalled())
    }

    @Test func headGetsOnlyTheHeaderAndEndsTheStream() throws {
        let (handler, server) = try StreamServer.make { handler, _ in .now(handler.stream([.init("body")])) }
        let client = try RawClient(port: server.port)
        try client.send("HEAD / HTTP/1.1\r\nHost: test\r\n\r\n")
        let answer = try client.everything()
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n") && !answer.contains("body") && !answer.contains("\r\n0\r\n"))
        #expect(answer.contains("Content-Type: text/event-stream\r\n"))
        #expect(handler.ended.isSignalled())
        #expect(handler.streams[0].isOver)
    }

    @Test func anHTTP10ClientGetsNoChunks() throws {
        let (handler, server) = try StreamServer.make()
        let client = try RawClient(port: server.port)
        try client.send("GET / HTTP/1.0\r\n\r\n")
        #expect(handler.begun.isSignalled())
        let stream = handler.streams[0]
        stream.send(.init("one "))
        stream.send(.init(.numbered(size: 10_000)))
        stream.end()
        let answer = try client.everything()
        #expect(answer.hasSuffix("\r\n\r\none " + .numbered(size: 10_000)))
        #expect(!answer.lowercased().contains("transfer-encoding"))
        #expect(handler.ended.isSignalled())
    }

    @Test func aClientThatLeavesIsNoticedWhileNothingIsSent() throws {
        let (handler, server) = try StreamServer.make()
        let others = try (0..<3).map { _ in try handler.client(of: server) }
        do {
            _ = try handler.client(of: server)
        }
        #expect(handler.ended.isSignalled())
        #expect(handler.streams.map(\.isOver) == [false, false, false, true])
        for (client, stream) in others {
            stream.send(.init("still here"))
            #expect(try client.chunk() == "still here")
        }
        #expect(handler.endCount == 1)
    }

    @Test func aClientThatLeavesIsNoticedWhileSending() throws {
        let (handler, server) = try StreamServer.make()
        let stream = try handler.client(of: server).stream
        while stream.send(.init("piece")) {}
        #expect(handler.ended.isSignalled())
    }

    @Test func onlyTheClientThatDoesNotReadIsDisconnected() throws {
        let (handler, server) = try StreamServer.make(capacity: .init(pieces: 100, bytes: 100_000))
        let (slow, slowStream) = try handler.client(of: server)
        let (quick, quickStream) = try handler.client(of: server)
        let piece = HTTPBody(.numbered(size: 10_000))
        var count = 0
        while slowStream.send(piece) {
            #expect(quickStream.send(piece))
            #expect(try quick.chunks(until: .numbered(size: 10_000)) == .numbered(size: 10_000))
            count += 1
        }
        #expect(slowStream.isOver)
        #expect(handler.ended.isSignalled())
        // Some of the data in the system's buffers may still arrive, but not all.
        let received = (try? slow.everything()) ?? ""
        #expect(received.utf8.count < count * 10_000)
        quickStream.send(.init("end"))
        #expect(try quick.chunks(until: "end") == "end")
        #expect(handler.endCount == 1)
    }

    @Test func theIdleTimeoutDisconnectsAClientThatDoesNotReadAFewBytes() throws {
        let (handler, server) = try StreamServer.make(idleTimeout: .seconds(1), capacity: .init(bytes: 100_000_000))
        let stream = try handler.client(of: server)
        #expect(stream.stream.send(.init([UInt8](repeating: 0, count: 50_000_000))))
        #expect(handler.ended.isSignalled())
    }

    @Test func theIdleTimeoutAndTheDeadlineDoNotEndAStream() throws {
        let (handler, server) = try StreamServer.make(idleTimeout: .seconds(1), requestDeadline: .seconds(1))
        let (client, stream) = try handler.client(of: server)
        for _ in 0..<2 {
            let idle = try RawClient(port: server.port)
            try idle.send(.get("/hello"))
            _ = try idle.answer()
            #expect(try idle.everything().isEmpty)
        }
        stream.send(.init("after a while"))
        #expect(try client.chunk() == "after a while")
    }

    @Test func aSilentStreamSendsHeartbeats() throws {
        let (handler, server) = try StreamServer.make(
            heartbeat: .init(every: .milliseconds(20), piece: .init(":\n\n")))
        let (client, stream) = try handler.client(of: server)
        for _ in 0..<5 { #expect(try client.chunk()?.hasPrefix(":\n\n") == true) }
        stream.send(.init("event"))
        #expect(try client.chunks(until: "event").hasSuffix("event"))
        #expect(try client.chunk()?.hasPrefix(":\n\n") == true)
        stream.end()
        _ = try client.chunks()
        #expect(handler.ended.isSignalled())
    }

    @Test func requestsInOnePipelineAreAnsweredUpToAStream() throws {
        let (handler, server) = try StreamServer.make()
        let client = try RawClient(port: server.port)
        try client.send(.get("/hello") + .get("/") + .get("/hello"))
        #expect(try client.answer().body == "hello")
        _ = try client.answer(toHead: true)
        let stream = handler.streams[0]
        try client.send(.get("/hello"))
        stream.send(.init("one"))
        #expect(try client.chunk() == "one")
        stream.end()
        #expect(try client.chunks().isEmpty)
        // Or the connection is reset, because requests were not read.
        let rest = (try? client.everything()) ?? ""
        #expect(rest.isEmpty)
        #expect(handler.ended.isSignalled())
        #expect(try RawClient(port: server.port).hello() == "hello")
    }

    @Test func aSecondRequestForTheSameStreamIsClosed() throws {
        let response = Mutex<HTTPResponse?>(nil)
        let (handler, server) = try StreamServer.make { handler, _ in
            .now(
                response.withLock { response in
                    let shared = response ?? handler.stream()
                    response = shared
                    return shared
                })
        }
        let (client, stream) = try handler.client(of: server)
        let second = try RawClient(port: server.port)
        try second.send(.get("/"))
        #expect(try second.everything().isEmpty)
        stream.send(.init("first"))
        #expect(try client.chunk() == "first")
        #expect(handler.endCount == 0)
    }

    @Test func aStreamThatIsNeverReturnedEnds() {
        let ended = DispatchSemaphore(value: 0)
        let stream = HTTPStream { ended.signal() }
        stream.send(.init("unread"))
        do {
            _ = HTTPResponse(status: 200, stream: stream)
        }
        #expect(ended.isSignalled())
        #expect(stream.isOver)
        #expect(!stream.send(.init("unread")))
        do {
            _ = HTTPStream { ended.signal() }
        }
        #expect(ended.isSignalled())
    }

    @Test(arguments: Way.allCases)
    func aStreamMayBeALaterAnswer(way: Way) throws {
        let (handler, server) = try StreamServer.make { handler, request in
            let path = request.path
            return way.answer { $0.answer(with: handler.stream([.init(path)])) }
        }
        for path in ["/first", "/second"] {
            let client = try RawClient(port: server.port)
            try client.send(.get(path))
            #expect(try client.answer(toHead: true).headers["transfer-encoding"] == "chunked")
            #expect(try client.chunk() == path)
            let stream = try #require(handler.streams.last)
            stream.send(.init("more"))
            stream.end()
            #expect(try client.chunks() == "more")
        }
        #expect(handler.ended.isSignalled(times: 2))
    }
}
