import MicroHTTPD
import Testing

/// Bodies in chunks, whose length is not known before their end (RFC 9112, section 7.1).
struct ChunkedBodyTests {
    private func server(limit: Int = 64 * 1024) throws -> TestServer {
        try TestServer.make(maximumBodySize: limit) { HTTPResponse(status: 200, body: $0.body) }
    }

    @Test(arguments: [(0, 0), (1, 1), (3, 3), (65_536, 1), (8, 1_000)])
    func theBodyArrivesWhole(size: Int, count: Int) throws {
        let chunks = [String](repeating: .numbered(size: size), count: count)
        let test = try server()
        let client = try test.client()
        try client.send(.chunked(chunks))
        let answer = try client.answer()
        #expect(answer.status == 200)
        // A failed comparison would print both bodies.
        let isWhole = answer.body == chunks.joined()
        #expect(isWhole)
    }

    @Test func chunksMayArriveByteByByteWithExtensionsAndTrailers() throws {
        let test = try TestServer.make { request in
            HTTPResponse(
                status: 200, body: String(decoding: request.body, as: UTF8.self) + (request.header("X") ?? "-"))
        }
        let client = try test.client()
        let body = "3;name=value\r\nabc\r\n0A\r\n0123456789\r\n000\r\nX: trailer\r\n\r\n"
        for byte in "POST / HTTP/1.1\r\nHost: test\r\ntransfer-encoding: Chunked\r\n\r\n\(body)".utf8 {
            try client.send([byte])
        }
        #expect(try client.answer().body == "abc0123456789-")
    }

    @Test(arguments: [[64], [65], [60, 5], Array(repeating: 1, count: 65), [200_000]])
    func theLimitIsThatOfOtherBodies(sizes: [Int]) throws {
        let test = try server(limit: 64)
        let client = try test.client()
        try client.send(.chunked(sizes.map { .numbered(size: $0) }))
        let answer = try client.answer()
        let isFit = sizes.reduce(0, +) <= 64
        #expect(answer.status == (isFit ? 200 : 413))
        if !isFit { #expect(answer.body == "bodyTooLarge(limit: 64)") }
        #expect(test.handler.paths.count == (isFit ? 1 : 0))
    }

    /// A proxy may find another end of the body, so what follows is not a request of the same client.
    @Test func nothingAfterTheBodyIsExecuted() throws {
        for request in [String.chunked(["body"]), .chunked([.numbered(size: 100)])] {
            let test = try server(limit: 64)
            let client = try test.client()
            try client.send(request + .get("/smuggled"))
            let answer = try client.everything()
            #expect(answer.contains("\r\nConnection: close\r\n"))
            #expect(answer.split(separator: "HTTP/1.1 ").count == 1)
            #expect(!test.handler.paths.contains("/smuggled"))
        }
    }

    @Test(arguments: [
        "0x5\r\nhello\r\n", "+5\r\nhello\r\n", "-5\r\nhello\r\n", "\r\nhello\r\n", " 5\r\nhello\r\n", "5 \r\nhello\r\n",
        "g\r\nhello\r\n", "5\r\nhello!\r\n", "FFFFFFFFFFFFFFFFF\r\nhello\r\n", ";a\r\nhello\r\n",
    ])
    func malformedChunksAreNotExecuted(chunk: String) throws {
        let test = try server()
        let answer = try test.everything(
            after: "POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n\(chunk)0\r\n\r\n"
                + .get("/smuggled"))
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4"))
        #expect(answer.split(separator: "HTTP/1.1 ").count <= 1)
        #expect(test.handler.paths.isEmpty)
    }

    @Test func aBodyWithoutAnEndIsNotExecuted() throws {
        let test = try server()
        let client = try test.client()
        try client.send("POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
        client.finishSending()
        #expect(try client.everything().isEmpty)
        #expect(test.handler.paths.isEmpty)
    }
}
