internal import CEventLoop
internal import Glibc
internal import Synchronization

/// The thread that accepts connections, admits them, and assigns each to a worker.
///
/// It owns the listening socket and decides who may connect, before a worker sees the client. New clients go to the
/// worker with the fewest connections. Workers that have been busy for a while are avoided if possible.
final class Acceptor: Sendable {
    private let socket: ListeningSocket
    private let table: ConnectionTable
    private let workers: [HTTPWorker]
    private let eventfd: Int32
    private let isStopped = Atomic(false)
    private let thread = Mutex<LoopThread?>(nil)

    /// The pause after the system has refused a connection, for example for lack of files, in nanoseconds.
    private static let pauseAfterError: Int64 = 10_000_000

    /// - Parameter socket: The acceptor closes it when it stops.
    init(on socket: ListeningSocket, table: ConnectionTable, workers: [HTTPWorker]) throws(HTTPServerError) {
        self.socket = socket
        self.table = table
        self.workers = workers
        eventfd = cloop_eventfd()
        guard eventfd >= 0 else {
            close(socket.descriptor)
            throw .notEnoughFiles(granted: FileLimit.granted)
        }
    }

    deinit {
        close(eventfd)
        close(socket.descriptor)
    }

    func start() throws(HTTPServerError) {
        let started = try LoopThread(name: "acceptor") { self.run() }
        thread.withLock { $0 = started }
    }

    /// Stops accepting. Returns when the thread has ended.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        cloop_signal(eventfd)
        thread.withLock { $0 }?.join(atMost: .seconds(1))
    }

    private func run() {
        while !isStopped.load(ordering: .relaxed) {
            if cloop_wait(socket.descriptor, eventfd, -1) & 1 != 0 { acceptAll() }
        }
    }

    private func acceptAll() {
        let avoided = Set(workers.filter(\.isAvoided).map(\.number))
        for _ in 0..<64 {
            let client = cloop_accept(socket.descriptor)
            if client == -2 { _ = cloop_wait(eventfd, eventfd, Self.pauseAfterError) }
            guard client >= 0 else { return }
            guard let entry = table.admit(client, from: IPAddress(peerOf: client), avoiding: avoided) else {
                close(client)
                continue
            }
            if !workers[entry.worker].post(.connect(entry)) {
                table.remove(entry)
                close(client)
            }
        }
    }
}
