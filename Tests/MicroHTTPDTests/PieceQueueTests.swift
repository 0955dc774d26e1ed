import Testing

@testable import MicroHTTPD

struct PieceQueueTests {
    @Test(arguments: [1, 2, 3, 7, 100, 10_000])
    func piecesOfAnySizeKeepTheirOrderForAnyBufferSize(room: Int) {
        var queue = PieceQueue()
        var sent: [UInt8] = []
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: room)
        for size in 1...120 {
            let piece = (0..<size).map { UInt8(truncatingIfNeeded: size &* 31 &+ $0) }
            queue.append(HTTPBody(piece))
            sent += piece
            if size % 3 == 0 {
                let count = buffer.withUnsafeMutableBytes { queue.move(into: $0) }
                received += buffer[..<count]
            }
            #expect(queue.size == sent.count - received.count)
        }
        while !queue.isEmpty {
            let count = buffer.withUnsafeMutableBytes { queue.move(into: $0) }
            #expect(count == min(room, sent.count - received.count))
            received += buffer[..<count]
        }
        #expect(received == sent)
        #expect(queue.count == 0)
        #expect(queue.size == 0)
    }
}
