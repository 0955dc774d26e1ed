internal import Synchronization

/// What a server holds in memory for its clients, in bytes, and how much that may be.
///
/// Nothing is refused here. Whoever is about to take more asks first whether it ``isFull``, and charges what it took then;
/// so it is overdrawn by no more than what is under way at a time. What is there can always be read and given up.
package final class MemoryBudget: Sendable {
    package enum Kind: Int, CaseIterable, Sendable {
        /// Entries of a journal in memory.
        case histories
        /// Trees, with the routes that were encoded of them.
        case trees
        /// Bodies of requests that come in.
        case bodies
        /// Journals that are being imported.
        case imports
        /// Requests that wait for their answer.
        case waiting
        /// What was not read yet of exports and pages of journals.
        case exports
        /// What was not read yet of live streams.
        case streams
    }

    private final class Account: Sendable {
        let bytes = Atomic(0)
    }

    /// The most that is to be held, in bytes.
    package let limit: Int
    private let accounts = Kind.allCases.map { _ in Account() }
    private let histories: @Sendable () -> Int

    /// - Parameters:
    ///   - limit: In bytes; without one there is always room.
    ///   - journal: Keeps count of the histories itself.
    package init(limit: Int = .max, journal: any Journal) {
        self.limit = limit
        histories = { journal.memoryUse }
    }

    /// Notes that more is held, or with a negative number, less.
    package func charge(_ change: Int, to kind: Kind) {
        accounts[kind.rawValue].bytes.wrappingAdd(change, ordering: .relaxed)
    }

    /// What is held of a kind, in bytes.
    package func bytes(of kind: Kind) -> Int {
        kind == .histories ? histories() : accounts[kind.rawValue].bytes.load(ordering: .relaxed)
    }

    /// What is held of all kinds, in bytes.
    package var used: Int {
        accounts.reduce(histories()) { $0 + $1.bytes.load(ordering: .relaxed) }
    }

    /// Whether nothing more is to be taken.
    package var isFull: Bool { used >= limit }

    /// Whether it is nearly used up.
    package var isTight: Bool { used >= limit / 10 * 9 }

    /// Whether trees that nobody uses should be let go of, since it is nearly used up.
    var hasTreesToSpare: Bool { isTight && bytes(of: .trees) > leastTrees }

    /// Whether a tree may be made again. A few may in any case: what is there can be read, whatever else there is.
    var mayWake: Bool { !isFull || bytes(of: .trees) < leastTrees }

    /// What is left to trees though all the rest is used up, in bytes.
    private var leastTrees: Int { limit / 16 }

    /// What a tree takes, in bytes, more or less, with its route.
    ///
    /// A session of the racing app that shows a team has seven coordinators and takes 5.7 KB with its screens and its
    /// route, so a coordinator counts as 1 KiB. They are counted by the eight, and a long route by the 8 KiB: most events
    /// change nothing of that, and then no worker writes what all the others read.
    static func size(ofTree coordinators: Int, route: Int) -> Int {
        (coordinators + 7) / 8 * 8_192 + route / 8_192 * 8_192
    }
}
