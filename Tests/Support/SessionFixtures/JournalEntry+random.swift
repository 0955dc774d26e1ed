package import Coordinate
package import CoordinateSessions
package import SeededGenerator

extension JournalEntry {
    /// A typical entry.
    package static func make(version: Int, path: String = "/main/teams", mark: UInt64? = nil) -> JournalEntry {
        JournalEntry(
            version: version, time: Timestamp(seconds: 1_795_253_400), appVersion: "1.0", event: "navigation.back",
            payload: .object([]), at: "AppCoordinator", isHandled: true, handledBy: "AppCoordinator", path: path,
            mark: mark)
    }

    /// An entry that requested work which is due at a moment; or, with `nil`, after which nothing is pending.
    package static func make(version: Int, wake moment: Int?) -> JournalEntry {
        make(version: version).with { entry in
            let work = PendingWork(id: "\(version)-1", name: "prices", at: "AppCoordinator", due: nil)
            if moment == nil { entry.ended = ["1-1"] } else { entry.begun = [work] }
            entry.wake = moment.map(Timestamp.init(seconds:))
        }
    }

    package func with(_ change: (inout JournalEntry) -> Void) -> JournalEntry {
        var entry = self
        change(&entry)
        return entry
    }

    /// The same entry at another version.
    package func at(version: Int) -> JournalEntry {
        JournalEntry(
            version: version, time: time, appVersion: appVersion, event: event, payload: payload, at: at,
            isHandled: isHandled, handledBy: handledBy, path: path, origin: origin, pending: pending, begun: begun,
            ended: ended, wake: wake, traceparent: traceparent, retry: retry, mark: mark)
    }

    /// An entry with random values.
    package static func random(version: Int, using generator: inout SeededGenerator) -> JournalEntry {
        let isHandled = Bool.random(using: &generator)
        let retry = Retry(
            key: .random(using: &generator), fingerprint: .random(in: 0 ... .max, using: &generator),
            isMinimal: .random(using: &generator))
        return JournalEntry(
            version: version, time: .random(using: &generator),
            appVersion: .random(using: &generator), event: .random(using: &generator),
            payload: .random(depth: 0, using: &generator),
            at: .random(using: &generator), isHandled: isHandled,
            handledBy: Bool.random(using: &generator) ? .random(using: &generator) : nil,
            path: .random(using: &generator), origin: Origin.allCases.randomElement(using: &generator) ?? .client,
            pending: Bool.random(using: &generator) ? "1-" + .random(using: &generator) : nil,
            begun: (0..<Int.random(in: 0...2, using: &generator)).map { _ in .random(using: &generator) },
            ended: (0..<Int.random(in: 0...2, using: &generator)).map { _ in .random(using: &generator) },
            wake: Bool.random(using: &generator) ? .random(using: &generator) : nil,
            traceparent: Bool.random(using: &generator) ? .random(using: &generator) : nil,
            retry: Bool.random(using: &generator) ? retry : nil)
    }
}

extension Timestamp {
    /// A random moment after 1969.
    package static func random(using generator: inout SeededGenerator) -> Timestamp {
        Timestamp(seconds: .random(in: -10...4_000_000_000, using: &generator))
    }
}

extension PendingWork {
    /// A random piece of work, or a timer.
    package static func random(using generator: inout SeededGenerator) -> PendingWork {
        let due = Timestamp(seconds: .random(in: 0...4_000_000_000, using: &generator))
        return PendingWork(
            id: .random(using: &generator), name: .random(using: &generator), at: .random(using: &generator),
            due: Bool.random(using: &generator) ? due : nil)
    }
}

extension PlainValue {
    fileprivate static func random(depth: Int, using generator: inout SeededGenerator) -> PlainValue {
        let count = Int.random(in: 0...3, using: &generator)
        switch Int.random(in: 0...(depth < 4 ? 7 : 5), using: &generator) {
        case 0: return .null
        case 1: return .bool(.random(using: &generator))
        case 2: return .int(.random(in: -100...100, using: &generator))
        case 3: return .int(.random(in: .min ... .max, using: &generator))
        case 4: return .double(.random(in: -1e9...1e9, using: &generator))
        case 5: return .string(.random(using: &generator))
        case 6: return .array((0..<count).map { _ in .random(depth: depth + 1, using: &generator) })
        default:
            return .object(
                (0..<count).map { number in
                    PlainField("\(number)" + .random(using: &generator), .random(depth: depth + 1, using: &generator))
                })
        }
    }
}

extension String {
    fileprivate static func random(using generator: inout SeededGenerator) -> String {
        let letters = ["", "a", "/", "é", "ß", "🏁", "\0", "\n", "\"", "日本", "teams.didSelect", "\u{10FFFF}"]
        let count = Bool.random(using: &generator) ? 1 : Int.random(in: 0...150, using: &generator)
        return (0..<count).map { _ in letters.randomElement(using: &generator) ?? "" }.joined()
    }
}
