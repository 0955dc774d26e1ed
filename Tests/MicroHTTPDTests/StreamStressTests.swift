import Dispatch
import MicroHTTPD
import SeededGenerator
import Synchronization
import Testing

/// Clients that come and go while several threads send, end and answer, until the server stops in the middle.
struct StreamStressTests {
    /// What happens to the open streams and requests of a server. The pieces of each stream are numbered.
    private final class Disturbance: Sendable {
        private let handler: StreamServer
        private let sent = Mutex<[ObjectIdentifier: Int]>([:])

        init(of handler: StreamServer) {
            self.handler = handler
        }

        /// Sends to, ends or answers some of them. Other requests are never answered.
        func advance(_ generator: inout SeededGenerator) {
            let streams = handler.streams.filter { !$0.isOver }
            for stream in streams where Bool.random(using: &generator) { sendNext(to: stream) }
            if Int.random(in: 0..<20, using: &generator) == 0 { streams.randomElement(using: &generator)?.end() }
            for answer in handler.answers where Bool.random(using: &generator) {
                answer.answer(with: HTTPResponse(status: 200))
            }
        }

        private func sendNext(to stream: HTTPStream) {
            sent.withLock { sent in
                let number = sent[ObjectIdentifier(stream), default: 0]
                stream.send(.init("\(number)\n"))
                sent[ObjectIdentifier(stream)] = number + 1
            }
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func piecesAreNeitherLostNorMixedUnderLoad(seed: UInt64) throws {
        let (handler, server) = try StreamServer.make(
            capacity: .init(pieces: 50), heartbeat: .init(every: .milliseconds(5), piece: .init("\n")),
            wait: .milliseconds(20))
        let disturbance = Disturbance(of: handler)
        let isOver = Atomic(false)
        let faults = Mutex<[String]>([])
        let others = DispatchGroup()
        for number in 0..<2 {
            DispatchQueue.global().async(group: others) {
                var generator = SeededGenerator(state: seed &* 1_000 &+ UInt64(number))
                while !isOver.load(ordering: .relaxed) { disturbance.advance(&generator) }
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
            try client.send(.get(["/", "/parked", "/later"][number % 3]))
            return client
        }
        server.stop(deadline: .milliseconds(100))
        isOver.store(true, ordering: .relaxed)
        others.wait()
        for client in last { _ = try? client.everything() }
        #expect(faults.withLock { $0 } == [])
        #expect(handler.endCount == handler.streams.count)
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
            try client.send(.get("/"))
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
