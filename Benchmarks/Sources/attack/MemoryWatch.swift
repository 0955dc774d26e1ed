import Foundation
import Loopback
import Synchronization

/// A watch on a server's memory. Ten times a second, it reads the resident memory and what the server itself counts.
final class MemoryWatch: Sendable {
    /// Memory in bytes.
    struct Reading {
        /// The resident memory after the start.
        let start: Int
        /// The highest resident memory.
        var worst: Int
        /// The sum of all kinds of memory in the server's metrics at that moment.
        var counted = 0
        /// The growth since the start.
        var growth: Int { worst - start }
    }

    private let process: ServerProcess
    private let state: Mutex<Reading>
    private let isStopped = Atomic(false)
    private let thread = DispatchGroup()

    /// - Parameter process: A server that has just started.
    init(_ process: ServerProcess) throws {
        self.process = process
        let resident = try process.residentMemory()
        state = Mutex(Reading(start: resident, worst: resident))
    }

    /// Starts watching on a new thread.
    func begin() {
        thread.run {
            var client: LoopbackClient?
            while !self.isStopped.load(ordering: .relaxed) {
                if client == nil { client = try? LoopbackClient(port: self.process.port) }
                let metrics = try? client?.ask(HTTPText.get("/metrics"))
                if metrics == nil { client = nil }
                self.record(metrics?.status == 200 ? metrics : nil)
                usleep(100_000)
            }
        }
    }

    /// Stops watching.
    ///
    /// - Returns: The reading with the highest memory.
    func end() -> Reading {
        isStopped.store(true, ordering: .relaxed)
        thread.wait()
        return state.withLock { $0 }
    }

    private func record(_ metrics: Answer?) {
        guard let metrics, let resident = try? process.residentMemory() else { return }
        let counted = metrics.body.split(separator: "\n")
            .filter { $0.hasPrefix("coordinate_memory_bytes{") }
            .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
            .reduce(0, +)
        state.withLock { reading in
            guard resident > reading.worst else { return }
            reading.worst = resident
            reading.counted = counted
        }
    }
}
