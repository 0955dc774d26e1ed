internal import Synchronization

/// The memory that a server holds for its clients, in bytes, and its limit.
///
/// It refuses nothing itself. Code that needs more memory first checks whether the budget ``isFull``, and then charges
/// what it allocated. So only the operations under way can exceed the limit. Sessions can always be read and ended.
package final class MemoryBudget: Sendable {
    package enum Kind: Int, CaseIterable, Sendable {
        /// Entries of a journal in memory.
        case histories
        /// Trees, with their encoded routes.
        case trees
        /// Trees that are built to show earlier versions.
        case replays
        /// Bodies of incoming requests.
        case bodies
        /// Journals that are being imported.
        case imports
        /// Requests that wait for their answers.
        case waiting
        /// The unread parts of exports and pages of journals.
        case exports
        /// The unread messages of live streams.
        case streams
        /// The app's map, and other large responses that are not read yet.
        case answers
        /// The fixed memory of each connection.
        case connections
    }

    private final class Account: Sendable {
        let bytes = Atomic(0)
    }

    /// The limit, in bytes.
    package let limit: Int
    private let accounts = Kind.allCases.map { _ in Account() }
    private let histories: @Sendable () -> Int

    /// - Parameters:
    ///   - limit: The limit in bytes; unlimited by default.
    ///   - journal: The journal, which counts the histories itself.
    package init(limit: Int = .max, journal: any Journal) {
        self.limit = limit
        histories = { journal.memoryUse }
    }

    /// Adds a number of bytes; a negative number for bytes that were released.
    package func charge(_ change: Int, to kind: Kind) {
        accounts[kind.rawValue].bytes.wrappingAdd(change, ordering: .relaxed)
    }

    /// The bytes that are held of a kind.
    package func bytes(of kind: Kind) -> Int {
        kind == .histories ? histories() : accounts[kind.rawValue].bytes.load(ordering: .relaxed)
    }

    /// The bytes that are held of all kinds.
    package var used: Int {
        accounts.reduce(histories()) { $0 + $1.bytes.load(ordering: .relaxed) }
    }

    /// Whether requests in progress use half of the limit, or everything nine tenths. Then no large operation of that
    /// kind begins, so that sessions have room.
    package var isBusy: Bool {
        if isNearlyFull { return true }
        let sessions = accounts[Kind.trees.rawValue].bytes.load(ordering: .relaxed)
        return accounts.reduce(-sessions) { $0 + $1.bytes.load(ordering: .relaxed) } >= limit / 2
    }

    /// The part that may wait for clients to read it, in bytes.
    package var unreadLimit: Int { limit / 4 }

    /// Whether the limit is reached.
    package var isFull: Bool { used >= limit }

    /// Whether nine tenths are used up.
    package var isNearlyFull: Bool { used >= limit / 10 * 9 }

    /// Whether trees that are not in use should be released: from seven tenths on, so that connections and their
    /// clients have room.
    var hasTreesToSpare: Bool { used >= limit / 10 * 7 && bytes(of: .trees) > leastTrees }

    /// Whether a tree may be rebuilt. A few always may, so that sessions can be read even if memory is full.
    var mayWake: Bool { !isFull || bytes(of: .trees) < leastTrees }

    /// The part that is reserved for trees, in bytes.
    private var leastTrees: Int { limit / 16 }

    /// The approximate size of a tree with its route, in bytes.
    ///
    /// A new session of the racing app has two coordinators, and needs 4 KB. One that shows a team has seven, and needs
    /// 11 KB with its screens and its route. Coordinators are counted in steps of four, and long routes in steps of 8
    /// KiB: most events do not change the sum, so workers rarely write a counter that all others read.
    static func size(ofTree coordinators: Int, route: Int) -> Int {
        let tree = coordinators > 0 ? 2_048 + (coordinators + 3) / 4 * 3_072 : 0
        return tree + route / 8_192 * 8_192
    }
}
