internal import Synchronization

/// The phase of a connection and the number of its request, in one word.
struct Progress: Equatable, AtomicRepresentable {
    enum Phase: UInt64 {
        /// Between requests, or within a request line.
        case waiting = 0
        /// After the request line, until the body is complete.
        case receiving = 1
        /// From the call of the handler to its answer.
        case answering = 2
        /// From the answer to its last byte.
        case sending = 3
    }

    private var word: UInt64 = 0

    /// The number of the connection's request, from 0.
    var request: UInt64 { word >> 2 }
    var phase: Phase { Phase(rawValue: word & 3) ?? .waiting }

    mutating func advance(to phase: Phase) {
        word = (phase == .waiting ? request + 1 : request) << 2 | phase.rawValue
    }

    static func encodeAtomicRepresentation(_ value: consuming Progress) -> UInt64.AtomicRepresentation {
        UInt64.encodeAtomicRepresentation(value.word)
    }

    static func decodeAtomicRepresentation(_ storage: consuming UInt64.AtomicRepresentation) -> Progress {
        var progress = Progress()
        progress.word = UInt64.decodeAtomicRepresentation(storage)
        return progress
    }

    typealias AtomicRepresentation = UInt64.AtomicRepresentation
}
