import Foundation
import MisbehavingJournal
import Synchronization
import Testing

/// Servers that share a store which misbehaves, and what their clients are promised all the same.
struct RandomHistoryTests {
    private static let count = ProcessInfo.processInfo.environment["RANDOM_HISTORIES"].flatMap { Int($0) } ?? 2_000
    private static let parts = 8

    @Test(arguments: 0..<parts)
    func historiesOnAStoreThatMisbehavesAreKeptPromise(part: Int) {
        let deeds = Mischief.Record()
        var counts: [String: Int] = [:]
        var failures = 0
        for seed in stride(from: part, to: Self.count, by: Self.parts) where failures < 3 {
            let history = History(seed: UInt64(seed))
            let violations = history.run()
            deeds.add(history.deeds)
            counts.merge(history.ledger.state.withLock { $0.counts }, uniquingKeysWith: +)
            if !violations.isEmpty {
                failures += 1
                Issue.record(Self.report(UInt64(seed), violations))
            }
        }
        guard failures == 0, Self.count >= 1_000 else { return }
        for deed in Mischief.Deed.allCases { #expect(deeds[deed] > 0, "none of \(deed)") }
        if ProcessInfo.processInfo.environment["RANDOM_HISTORIES"] != nil {
            print("part \(part): \(deeds); \(counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })")
        }
    }

    /// One history alone, told step by step: `RANDOM_HISTORY=417 swift test --filter oneHistory`.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["RANDOM_HISTORY"] != nil))
    func oneHistoryIsKeptPromise() throws {
        let seed = try #require(ProcessInfo.processInfo.environment["RANDOM_HISTORY"].flatMap { UInt64($0) })
        let history = History(seed: seed, isTraced: true)
        let violations = history.run()
        print(history.ledger.state.withLock { $0.trace.joined(separator: "\n") })
        #expect(violations.isEmpty, "\(violations.joined(separator: "\n"))")
    }

    private static func report(_ seed: UInt64, _ violations: [String]) -> Comment {
        Comment(
            rawValue: """
                Seed \(seed): \(violations.prefix(10).joined(separator: "; ")). \
                RANDOM_HISTORY=\(seed) with the filter oneHistory tells how it came to that.
                """)
    }
}
