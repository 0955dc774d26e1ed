public import Coordinate
internal import JSON

/// Few journals that together cover an app, as a walk has found it: every screen, every event of each screen with each
/// screen to which it leads, every outcome of work, and every tab and link.
///
/// ```swift
/// let suite = JournalSuite(covering: ShopApp().explore(), of: ShopApp())
/// suite.journals.map(\.name)   // ["alert-choose-delivery", "order-did-cancel", …]
/// ```
///
/// They are the same in every run. Each replays as it was recorded.
public struct JournalSuite: Sendable {
    public struct Journal: Sendable {
        /// The event for which it was written, between the names of its screens: `cart-check-out-address`. It is
        /// different for each journal.
        public fileprivate(set) var name: String
        /// The events as a user would say them: the texts of the buttons, and what is not a button in words.
        public let presses: [String]
        /// The screens and events that the journals before it do not contain; if there are none, its new ways from one
        /// screen to another.
        public fileprivate(set) var covers: [String] = []
        /// The exported journal, for `replay`.
        public let lines: [UInt8]
        fileprivate let ways: [Way]
        fileprivate let screens: [String]
    }

    public let journals: [Journal]
    /// The screens of the graph that the journals visit.
    public let screens: Coverage.Share
    /// The events of the app and of the graph that the journals contain.
    public let events: Coverage.Share
    /// What no journal contains: events of the graph that do not repeat, and declared events that the walk has not
    /// emitted.
    public let missed: [String]

    /// The program that writes the journals, as their first lines name it.
    static let generator = "explore"

    /// Whether a file is a journal of a suite of this app, which another suite may replace.
    package static func isGenerated(_ file: some Collection<UInt8>, of app: String) -> Bool {
        let line = try? JSONParser.parse(Array(file.prefix { $0 != UInt8(ascii: "\n") }))
        return line?[field: Recording.generator] == .string(generator) && line?[field: "app"] == .string(app)
    }

    /// Creates the journals, and replays each. If declared events are missing in a complete graph, they are searched for
    /// with other options, and have journals with these.
    ///
    /// - Parameters:
    ///   - length: The number of events after which a journal ends, unless it takes more to reach an event.
    ///   - seed: The seed of the turns' random numbers, as for the graph.
    public init(covering graph: AppGraph, of app: any CoordinatedApp, length: Int = 15, seed: UInt64 = 0) {
        let app = ExploredApp(app, seed: seed)
        let ways = Ways(of: graph)
        let (first, left) = Self.journals(in: ways, of: app, upTo: length) { _ in true }
        var journals = first
        let own = Set(EventCatalog().entries.map(\.name))
        let declared = Set(app.events.entries.map(\.name)).subtracting(own)
        for options in app.otherOptions where !graph.isTruncated {
            let missing = declared.subtracting(journals.flatMap(\.ways).map(\.event))
            if missing.isEmpty { break }
            let other = ExploredApp(app.app, options: options, seed: seed)
            var search = Search(
                other, by: graph.key, maximumStates: Self.maximumStates, crew: Crew(width: nil),
                for: Unreached(of: other))
            search.go()
            let found = Ways(of: search.graph)
            journals += Self.journals(in: found, of: other, upTo: length) { missing.contains($0.event) }.journals
        }
        self.journals = Self.withoutRepetitions(journals)

        let seen = Set(self.journals.flatMap(\.ways).map(\.event))
        let all = declared.union(ways.goals.map(\.way.event)).union(seen)
        events = .init(seen: seen.count, of: all.count)
        let visited = Set(self.journals.flatMap(\.screens))
        screens = .init(seen: visited.count, of: visited.union(graph.states.map(\.screen)).count)
        missed = left.map(\.description) + all.subtracting(seen).sorted()
    }

    /// The most states that are expanded with other options.
    private static let maximumStates = 10_000

    /// The journals for the ways of a graph that are wanted, and those ways of them that no journal contains.
    private static func journals(
        in ways: Ways, of app: ExploredApp, upTo length: Int, _ isWanted: (Way) -> Bool
    ) -> (journals: [Journal], left: [Way]) {
        let goals = ways.goals.filter { isWanted($0.way) }
        var left = Set(goals.map(\.way))
        var journals: [Journal] = []
        for goal in goals where left.contains(goal.way) {
            guard var walk = try? CoveringWalk(app, on: ways),
                (try? walk.go(to: goal.transition, covering: left, upTo: length)) != nil,
                walk.ways.contains(goal.way)
            else { continue }
            left.subtract(walk.ways)
            journals.append(Journal(walk, named: ways.graph.name(of: goal.way, by: goal.transition)))
        }
        return (journals, goals.map(\.way).filter(left.contains))
    }

    /// The journals without those whose ways others have, with different names, and with what each covers.
    private static func withoutRepetitions(_ all: [Journal]) -> [Journal] {
        var journals = all
        for index in all.indices.reversed() {
            let others = Set((journals[..<index] + journals[(index + 1)...]).flatMap(\.ways))
            if others.isSuperset(of: journals[index].ways) { journals.remove(at: index) }
        }
        var names: Set<String> = []
        var ways: Set<Way> = []
        var known: Set<String> = []
        for index in journals.indices {
            let journal = journals[index]
            var number = 1
            while !names.insert(journals[index].name).inserted {
                number += 1
                journals[index].name = "\(journal.name)-\(number)"
            }
            let newWays = journal.ways.filter { ways.insert($0).inserted }
            let new = (journal.screens + journal.ways.map(\.event)).filter { known.insert($0).inserted }
            journals[index].covers = new.isEmpty ? newWays.map(\.description) : new
        }
        return journals
    }
}

extension JournalSuite.Journal {
    fileprivate init(_ walk: CoveringWalk, named name: String) {
        self.name = name
        presses = walk.recording.moves.map(\.press)
        lines = walk.recording.lines
        ways = walk.ways
        screens = walk.screens
    }
}

extension AppGraph {
    /// The name of a journal that is written for a way.
    fileprivate func name(of way: Way, by transition: Int) -> String {
        if way.link != nil { return "links" }
        let from = states[transitions[transition].from].screen
        let to = states[transitions[transition].to].screen
        let event = way.event.split(separator: ".").last.map(String.init) ?? ""
        return ([from, event] + (from == to ? [] : [to])).map(Self.words).joined(separator: "-")
    }

    /// `OrderList` as `order-list`.
    private static func words(_ name: String) -> String {
        var words = ""
        for character in name where character.isLetter || character.isNumber {
            if character.isUppercase, words.last?.isLowercase == true { words += "-" }
            words += character.lowercased()
        }
        return words
    }
}
