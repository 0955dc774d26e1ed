import Dispatch
import MicroHTTPD
import SeededGenerator
import Synchronization
import Testing

/// Clients that come and go while several threads send, end and answer, until the server stops in the middle.
struct StreamStressTests {
    /// A stream whose pieces are numbered.
    private final class Channel: Sendable {
        let stream: HTTPStream
        private let next = Mutex(0)

        init(_ stream: HTTPStream) {
            self.stream = stream
        }

        func sendNext() {
            next.withLock { next in
                stream.send(.init("\(next)\n"))
                next += 1
            }
        }
    }

    private final class Handler: HTTPHandler {
        private let channels = Mutex<[Channel]>([])
        private let parked = Mutex<[HeldAnswer]>([])
        let begun = Atomic(0)
        let ended = Atomic(0)

        func respond(to request: borrowing HTTPRequest) -> HTTPAnswer {
            guard request.path == "/stream" else {
                let way: Way = request.path == "/later" ? .later : .parked
                return way.answer(atMost: .milliseconds(20)) { answer in self.parked.withLock { $0.append(answer) } }
            }
            begun.add(1, ordering: .relaxed)
            let stream = HTTPStream(
                capacity: .init(pieces: 50), heartbeat: .init(every: .milliseconds(5), piece: .init("\n")),
                onEnd: { self.ended.add(1, ordering: .relaxed) })
            channels.withLock { $0.append(Channel(stream)) }
            return .now(HTTPResponse(status: 200, stream: stream))
        }

        /// Sends to, ends or answers some of the open streams and requests.
        func disturb(_ generator: inout SeededGenerator) {
            let channels = channels.withLock { channels in
                channels.removeAll { $0.stream.isOver }
                return channels
            }
            for channel in channels where Bool.random(using: &generator) { channel.sendNext() }
            if Int.random(in: 0..<20, using: &generator) == 0 {
                channels.randomElement(using: &generator)?.stream.end()
            }
            let answers = parked.withLock { parked in
                defer { parked = [] }
                return parked
            }
            // The rest is never answered.
            for answer in answers where Bool.random(using: &generator) {
                answer.answer(with: HTTPResponse(status: 200))
            }
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func piecesAreNeitherLostNorMixedUnderLoad(seed: UInt64) throws {
        let handler = Handler()
        let server = HTTPServer(
            configuration: HTTPServerConfiguration(port: 0, workers: 2, connectionLimit: 200), handler: handler)
        try server.start()
        let isOver = Atomic(false)
        let faults = Mutex<[String]>([])
        let others = DispatchGroup()
        for number in 0..<2 {
            DispatchQueue.global().async(group: others) {
                var generator = SeededGenerator(state: seed &* 1_000 &+ UInt64(number))
                while !isOver.load(ordering: .relaxed) { handler.disturb(&generator) }
            }
        }
        let port = server.port
        DispatchQueue.concurrentPerform(iterations: 6) { number in
            var generator = SeededGenerator(state: seed &* 1_000 &+ 100 &+ UInt64(number))
            for _ in 0..<25 {
                if let fault = Self.visit(port: port, &generator) { faults.withLock { $0.append(fault) } }
            }
        }
        // Clients that are connected when the server stops.
        let last = try (0..<20).map { number in
            let client = try RawClient(port: port)
            try client.send(.get(["/stream", "/parked", "/later"][number % 3]))
            return client
        }
        server.stop(deadline: .milliseconds(100))
        isOver.store(true, ordering: .relaxed)
        others.wait()
        for client in last { _ = try? client.everything() }
        #expect(faults.withLock { $0 } == [])
        #expect(handler.ended.load(ordering: .relaxed) == handler.begun.load(ordering: .relaxed))
    }

    /// The client's error for a connection that is closed before any data.
    private static let unanswered = "closed before an answer, after 0 bytes"

    /// Reads a stream for a while, waits for an answer, or leaves before it arrives. Returns what was wrong.
    private static func visit(port: UInt16, _ generator: inout SeededGenerator) -> String? {
        do {
            let client = try RawClient(port: port)
            guard Int.random(in: 0..<4, using: &generator) > 0 else {
                try client.send(.get(Bool.random(using: &generator) ? "/parked" : "/later"))
                guard Bool.random(using: &generator) else { return nil }
                let status = try client.answer().status
                return [200, 202].contains(status) ? nil : "status \(status)"
            }
            try client.send(.get("/stream"))
            guard Int.random(in: 0..<4, using: &generator) > 0 else { return nil }
            do {
                _ = try client.answer(toHead: true)
            } catch let failure as RawClient.Failure where failure.description == unanswered {
                // The server may have sent more than fits before the head was sent.
                return nil
            }
            var text = ""
            for _ in 0..<Int.random(in: 0..<20, using: &generator) {
                guard let chunk = try client.chunk() else { break }
                text += chunk
            }
            let numbers = text.split(separator: "\n").map { Int($0) }
            return numbers == Array(0..<numbers.count) ? nil : "not in order: \(text)"
        } catch {
            // A client that falls behind is disconnected.
            return "\(error)".contains("closed within a chunked body") ? nil : "\(error)"
        }
    }
}
