internal import Fairness
internal import Synchronization

/// The clients that have much to read. Together they have a limited number of bytes. Each address and each resource may
/// use half of it.
///
/// If there is no room, the reader with the most bytes is disconnected, of the address or resource that yields: the one
/// whose half is used up, or the address with the most. So a client that does not read affects no others.
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

    private struct State {
        var addresses: Shares<Group>
        var resources: Shares<Group>
        var readers: [Group: [ObjectIdentifier: (reader: any Reader, steps: Int)]] = [:]

        func shares(of group: Group) -> Shares<Group> {
            if case .address = group { addresses } else { resources }
        }

        mutating func add(_ change: Int, of reader: any Reader, in group: Group) {
            if case .address = group { addresses.add(change, for: group) } else { resources.add(change, for: group) }
            let id = ObjectIdentifier(reader)
            let steps = (readers[group]?[id]?.steps ?? 0) + change
            readers[group, default: [:]][id] = steps == 0 ? nil : (reader, steps)
            if readers[group]?.isEmpty == true { readers[group] = nil }
        }

        /// The reader that yields to one in a group.
        func yielding(to group: Group) -> (any Reader)? {
            let shares = shares(of: group)
            let yielding = shares.yielding(to: group) ?? shares.largest
            return yielding.flatMap { readers[$0] }?.values.max { $0.steps < $1.steps }?.reader
        }
    }

    /// Bytes are counted in steps of this size, so clients that read in time are never counted.
    public static let step = 16 * 1024

    /// The most bytes that may wait to be read.
    public let limit: Int
    private let state: Mutex<State>

    /// - Parameter limit: The approximate limit on bytes that wait to be read. A piece counts once per client that it
    ///   waits for.
    public init(limit: Int) {
        self.limit = limit
        let steps = limit / Self.step
        state = Mutex(State(addresses: Shares(limit: steps, share: steps / 2), resources: Shares(share: steps / 2)))
    }

    /// Whether any of the groups has used up its share, or all readers have used up the limit.
    public func areCrowded(_ groups: [Group]) -> Bool {
        state.withLock { state in
            state.addresses.total >= state.addresses.limit || groups.contains { state.shares(of: $0).hasShare($0) }
        }
    }

    /// The steps that count of the bytes that wait for a client.
    static func counted(_ bytes: Int) -> Int { bytes / step }

    /// Counts steps that begin to wait for a reader, or with a negative number, steps that stop waiting.
    func count(_ change: Int, of reader: any Reader) {
        guard change != 0 else { return }
        let leaver = state.withLock { state -> (any Reader)? in
            let full = change > 0 ? reader.groups.first { !state.shares(of: $0).hasRoom(for: $0) } : nil
            for group in reader.groups { state.add(change, of: reader, in: group) }
            return full.flatMap(state.yielding)
        }
        leaver?.disconnect()
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
