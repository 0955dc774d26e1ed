internal import Synchronization

/// The clients that have much to read. Together they have a limited number of bytes. Each address and each resource may
/// use half of it.
///
/// If a half is exceeded, its reader with the most bytes is disconnected. If the limit is exceeded, the reader with the
/// most bytes at the address with the most is disconnected. So a client that does not read affects no others.
public final class HTTPReaders: Sendable {
    /// A property that some readers share.
    public enum Group: Hashable, Sendable {
        /// The clients at an address, by its number.
        case address(UInt64)
        /// The clients of a resource, by its number.
        case resource(UInt64)
    }

    /// A client with something to read.
    protocol Reader: AnyObject, Sendable {
        var groups: [Group] { get }
        /// Disconnects the client. Nothing is locked when it is called.
        func disconnect()
    }

    private struct Share {
        var bytes = 0
        var readers: [ObjectIdentifier: (reader: any Reader, bytes: Int)] = [:]

        mutating func add(_ change: Int, of reader: any Reader) {
            bytes += change
            let id = ObjectIdentifier(reader)
            let sum = (readers[id]?.bytes ?? 0) + change
            readers[id] = sum == 0 ? nil : (reader, sum)
        }

        var largest: (any Reader)? { readers.values.max { $0.bytes < $1.bytes }?.reader }
    }

    private struct State {
        var bytes = 0
        var shares: [Group: Share] = [:]
    }

    /// Bytes are counted in steps of this size, so clients that read in time are never counted.
    public static let step = 16 * 1024

    /// The most bytes that may wait to be read.
    public let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: The approximate limit on bytes that wait to be read. A piece counts once per client that it
    ///   waits for.
    public init(limit: Int) {
        self.limit = limit
    }

    /// Whether any of the groups has used up its share, or all readers have used up the limit.
    public func areCrowded(_ groups: [Group]) -> Bool {
        state.withLock { state in
            state.bytes >= limit || groups.contains { state.shares[$0]?.bytes ?? 0 >= limit / 2 }
        }
    }

    /// The bytes that count, in steps, of those that wait for a client.
    static func counted(_ bytes: Int) -> Int { bytes / step * step }

    /// Counts bytes that begin to wait for a reader, or with a negative number, bytes that stop waiting.
    func count(_ change: Int, of reader: any Reader) {
        guard change != 0 else { return }
        let leaver = state.withLock { state -> (any Reader)? in
            state.bytes += change
            for group in reader.groups {
                state.shares[group, default: Share()].add(change, of: reader)
                if state.shares[group]?.readers.isEmpty == true { state.shares[group] = nil }
            }
            guard change > 0 else { return nil }
            if let group = reader.groups.first(where: { state.shares[$0]?.bytes ?? 0 > limit / 2 }) {
                return state.shares[group]?.largest
            }
            guard state.bytes > limit else { return nil }
            return state.shares.filter { $0.key.isAddress }.values.max { $0.bytes < $1.bytes }?.largest
        }
        leaver?.disconnect()
    }
}

extension HTTPReaders.Group {
    fileprivate var isAddress: Bool {
        if case .address = self { true } else { false }
    }
}

/// The client of a large response that is sent whole.
final class WholeResponseReader: HTTPReaders.Reader {
    let groups: [HTTPReaders.Group]
    private let body: HTTPBody
    private let worker: HTTPWorker
    private let connection: ConnectionID
    private let memory: HTTPMemory

    init(
        of body: HTTPBody, on connection: Connection, in worker: HTTPWorker, _ groups: [HTTPReaders.Group],
        _ memory: HTTPMemory
    ) {
        self.body = body
        self.worker = worker
        self.connection = connection.id
        self.groups = groups
        self.memory = memory
    }

    func begin() {
        body.beginToWait(chargedTo: memory.answers)
        memory.readers?.count(HTTPReaders.counted(body.count), of: self)
    }

    func end() {
        body.endToWait(chargedTo: memory.answers)
        memory.readers?.count(-HTTPReaders.counted(body.count), of: self)
    }

    func disconnect() {
        worker.post(.cutOff(connection))
    }
}
