import Foundation
import Loopback
import Synchronization

/// A watch on a server's memory. Ten times a second it reads how much is resident, and how much the server counts.
final class MemoryWatch: Sendable {
    /// Memory in bytes.
    struct Reading {
        /// What was resident when the server had started.
        let start: Int
        /// The most that was resident.
        var worst: Int
        /// The sum of all kinds in the server's metrics at that moment.
        var counted = 0
        /// What the server grew by.
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

    /// Begins to watch, on a thread of its own.
    func begin() {
        thread.run {
            var client: LoopbackClient?
            while !self.isStopped.load(ordering: .relaxed) {
                if client == nil { client = try? LoopbackClient(port: self.process.port) }
                let metrics = try? client?.ask(HTTPText.get("/metrics"))
                if metrics == nil { client = nil }
                self.note(metrics?.status == 200 ? metrics : nil)
                usleep(100_000)
            }
        }
    }

    /// Ends the watch.
    ///
    /// - Returns: What it saw at the worst moment.
    func end() -> Reading {
        isStopped.store(true, ordering: .relaxed)
        thread.wait()
        return state.withLock { $0 }
    }

    private func note(_ metrics: Answer?) {
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
