import Coordinate
import JSON
import SessionFixtures
import Testing

@testable import CoordinateSessions

/// The lines of exported journals: the values that are read, and every way in which they can be wrong.
struct JournalLineTests {
    /// A journal with one broken line.
    private struct Spoilt {
        let name: String
        /// The number of the line that is refused.
        let line: Int
        let text: String
        var detail = ""

        init(_ name: String, line: Int, _ old: String, _ new: String, detail: String = "") {
            var lines = TestApp.recording
            lines[line - 1] = lines[line - 1].replacing(old, with: new)
            precondition(lines != TestApp.recording, name)
            self.init(name, line: line, text: lines.joined(separator: "\n"), detail: detail)
        }

        init(_ name: String, line: Int, text: String, detail: String = "") {
            self.name = name
            self.line = line
            self.text = text
            self.detail = detail
        }
    }

    private static let lines = TestApp.recording
    private static let all = lines.joined(separator: "\n")

    private static let spoilt =
        [
            Spoilt("nothing", line: 1, text: ""), Spoilt("an empty line", line: 1, text: "\n"),
            Spoilt("no header", line: 1, text: lines.dropFirst().joined(separator: "\n")),
            Spoilt("an empty line first", line: 1, text: "\n" + all),
            Spoilt("a header of another app", line: 1, "Test", "Racing", detail: "Racing"),
            Spoilt("a header of a later format", line: 1, #""journal":2"#, #""journal":3"#),
            Spoilt("a header of a former format", line: 1, #""journal":2"#, #""journal":1"#),
            Spoilt("a header without a format", line: 1, #""journal":2,"#, ""),
            Spoilt("a header without the app", line: 1, #""app":"Test","#, "", detail: "app"),
            Spoilt("a header without the app's version", line: 1, #","appVersion":"0.1""#, "", detail: "appVersion"),
            Spoilt("a header without options", line: 1, #""options":{},"#, "", detail: "options"),
            Spoilt("options that are null", line: 1, #""options":{}"#, #""options":null"#, detail: "options"),
            Spoilt(
                "a header without its time", line: 1, #""createdAt":"2026-11-21T09:30:00Z","#, "", detail: "createdAt"),
            Spoilt("a header with an invalid time", line: 1, "2026-11-21T09:30:00Z", "once", detail: "createdAt"),
            Spoilt("a header without a seed", line: 1, #""seed":7,"#, "", detail: "seed"),
            Spoilt("a seed with a fraction", line: 1, #""seed":7"#, #""seed":7.5"#, detail: "seed"),
            Spoilt("a seed beyond 64 bits", line: 1, #""seed":7"#, #""seed":18446744073709551616"#, detail: "seed"),
            Spoilt("a header without a path", line: 1, #","path":"/stack""#, "", detail: "path"),
            Spoilt("a header with another path", line: 1, #""path":"/stack""#, #""path":"/heap""#, detail: "/heap"),
            Spoilt("no JSON", line: 3, #"{"version""#, "version", detail: "not valid JSON"),
            Spoilt("a truncated line", line: 4, "}", "", detail: "not valid JSON"),
            Spoilt("a truncated last line", line: 5, text: String(all.dropLast()), detail: "not valid JSON"),
            Spoilt("an array", line: 5, text: lines.dropLast().joined(separator: "\n") + "\n[]"),
            Spoilt("a line twice", line: 3, text: lines.prefix(2).joined(separator: "\n") + "\n" + lines[1]),
            Spoilt("a line that is missing", line: 3, text: all.replacing(lines[2] + "\n", with: "")),
            Spoilt("a header twice", line: 2, text: lines[0] + "\n" + all),
            Spoilt("an empty line in the middle", line: 3, text: all.replacing(lines[2], with: "\n" + lines[2])),
            Spoilt("an unknown event", line: 5, "test.push", "test.pull", detail: "Did you mean test.push?"),
            Spoilt("a payload of another type", line: 2, #""number":1"#, #""number":"1""#, detail: "number"),
            Spoilt("an unknown coordinator", line: 2, "StackCoordinator/Page", "StackCoordinator/Sage"),
            Spoilt(
                "another coordinator that handled it", line: 5, #""handledBy":"StageCoordinator/StackCoordinator""#,
                #""handledBy":"StageCoordinator""#, detail: "handledBy"),
            Spoilt(
                "no coordinator that handled it", line: 4, #""handledBy":"StageCoordinator/StackCoordinator""#,
                #""handledBy":null"#, detail: "handledBy"),
            Spoilt("another path", line: 3, "/stack/page/1", "/stack/page/3", detail: "/stack/page/3"),
            Spoilt("an event at which the app fails", line: 3, "test.say", "test.fail"),
            Spoilt("an event that fills the tree", line: 3, "test.say", "test.fill"),
            Spoilt("a time in words", line: 2, "2026-11-21T09:30:01Z", "yesterday", detail: "time"),
            Spoilt("a version with a fraction", line: 2, #""version":1"#, #""version":1.5"#, detail: "version"),
            Spoilt("half a character", line: 3, "é", #"\ud800"#),
            Spoilt("an unknown origin", line: 2, #""origin":"client""#, #""origin":"server""#, detail: "client"),
            Spoilt("an invalid id of work", line: 5, #""pending":null"#, #""pending":4"#, detail: "pending"),
            Spoilt(
                "an app's version of another type", line: 2, #""origin":"client""#, #""appVersion":1"#,
                detail: "appVersion"),
        ]
        + [
            #""version":2,"#, #""time":"2026-11-21T09:30:02Z","#, #""event":"test.say","#,
            #""payload":{"a/b~c":"é\n\"🏁"},"#, #""at":"StageCoordinator/StackCoordinator/PageCoordinator-2","#,
            #""handled":true,"#, #""handledBy":"StageCoordinator/StackCoordinator","#, #""path":"/stack/page/1","#,
        ].flatMap { field in
            let name = field.split(separator: "\"").first.map(String.init) ?? ""
            return [
                Spoilt("no \(name)", line: 3, field, "", detail: name),
                Spoilt("\(name) of another type", line: 3, field, "\"\(name)\":[7],", detail: name),
            ]
        }

    @Test func aLineThatCannotBeReplayedIsNamedAndNothingRemains() async throws {
        let app = TestApp()
        let registry = SessionRegistry.make(app: app)
        for spoilt in Self.spoilt {
            for text in [spoilt.text, spoilt.text + "\n"] {
                let error = await failure { try await take(text, into: registry) }
                guard case .invalidJournal(let line, _) = error else {
                    Issue.record("\(spoilt.name): \(String(describing: error))")
                    continue
                }
                let detail = error?.description ?? ""
                #expect(line == spoilt.line, "\(spoilt.name): \(detail)")
                #expect(detail.hasPrefix("Line \(spoilt.line): "), "\(spoilt.name): \(detail)")
                #expect(detail.contains(spoilt.detail), "\(spoilt.name): \(detail)")
                #expect(!detail.contains("swordfish"))
            }
            #expect(registry.count == 0, "\(spoilt.name)")
            #expect(app.lives.living == 0, "\(spoilt.name)")
        }
        #expect(registry.host.counters.handledEvents == 0)
    }

    /// Creates a session from a journal, which arrives in parts of a few bytes.
    @discardableResult
    private func take(
        _ text: String, into registry: SessionRegistry, partSize: Int = .max
    ) async throws -> SessionSummary {
        let upload = try SessionImport(into: registry)
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            upload.read(Array(rest.prefix(partSize)))
            rest = rest.dropFirst(partSize)
        }
        return try await upload.finish()
    }

    // MARK: Reading

    @Test(arguments: [1, 7, Int.max]) func aJournalCreatesASession(partSize: Int) async throws {
        let registry = SessionRegistry.make(app: TestApp())
        let summary = try await take(Self.all, into: registry, partSize: partSize)
        #expect(summary.head.version == 4)
        #expect(summary.head.path == TestApp.recordedPath)
        #expect(summary.head.record.path == "/stack")
        #expect(summary.head.record.parent == nil)
        #expect(summary.state == .passive)
        let session = try await registry.find(summary.head.record.id)
        let entries = try await session.entries(after: 0, limit: 10).entries
        #expect(entries.map(\.event) == ["test.push", "test.say", "test.scale", "test.push"])
        #expect(entries.map(\.time.description).last == "2026-11-21T09:30:04Z")
        #expect(entries.allSatisfy { $0.origin == .client && $0.pending == nil && $0.appVersion == "0.1" })
        #expect(try await session.route().route?.state.path == TestApp.recordedPath)
    }

    @Test func theSeedAndTheOptionsAreImported() async throws {
        let line =
            #"{"journal":2,"app":"Work","appVersion":"1.0","options":{"greeting":"Hallo"},"#
            + #""createdAt":"2026-11-21T09:30:00Z","seed":7,"path":"/work"}"#
        let record = try await take(line, into: .make(app: WorkApp())).head.record
        #expect(record.seed == 7)
        #expect(record.options == .object([PlainField("greeting", .string("Hallo"))]))
    }

    @Test(arguments: [#"{"colour":"red"}"#, #"{"greeting":1}"#])
    func optionsThatTheAppDoesNotHaveAreRefused(options: String) async throws {
        let line =
            #"{"journal":2,"app":"Work","appVersion":"1.0","options":\#(options),"#
            + #""createdAt":"2026-11-21T09:30:00Z","seed":7,"path":"/work"}"#
        let error = await failure { try await take(line, into: .make(app: WorkApp())) }
        guard case .invalidJournal(line: 1, _) = error else { throw try #require(error) }
    }

    @Test func theFirstLineIsRead() throws {
        let line =
            #"{"journal":2,"app":"A","appVersion":"1","options":{"a":1},"createdAt":"2026-11-21T09:30:00Z","#
            + #""seed":9007199254740991,"path":"/b","reference":"abcdefghij-_ABCDEFGHIJ","key":"order/7","more":[]}"#
        let header = try JournalHeader(line: Array(line.utf8))
        let record = SessionRecord(
            id: .random(), app: "A", appVersion: "1", options: .object([PlainField("a", .int(1))]),
            createdAt: Timestamp(seconds: 1_795_253_400), startedAs: ("abcdefghij-_ABCDEFGHIJ", "order/7"),
            seed: (1 << 53) - 1, path: "/b")
        #expect(header == JournalHeader(of: record))
    }

    @Test(arguments: [
        #""reference":"short""#, #""reference":"abcdefghij+/ABCDEFGHIJ""#, #""reference":1"#, #""key":"""#,
        #""key":"a\u0000""#, #""key":[]"#,
    ])
    func aReferenceOrAKeyThatNoSessionHasIsRefused(field: String) {
        let line =
            #"{"journal":2,"app":"A","appVersion":"1","options":{},"createdAt":"2026-11-21T09:30:00Z","seed":7,"#
            + #""path":"/b",\#(field)}"#
        #expect(throws: UnreadableJSON.self) { try JournalHeader(line: Array(line.utf8)) }
    }

    @Test func onlyOperatorsReadTheReferenceAndTheKey() {
        let record = SessionRecord(
            id: .random(), key: "order/7", app: "A", appVersion: "1", createdAt: Timestamp(seconds: 0), seed: 7,
            path: "/b")
        func line(isForOperator: Bool) -> String {
            var json = JSONWriter<[UInt8]>()
            json.line(JournalHeader(of: record), isForOperator: isForOperator)
            return String(decoding: json.finish(), as: UTF8.self)
        }
        #expect(
            line(isForOperator: true).contains(#","reference":"\#(record.reference)","key":"order/7""#))
        #expect(!line(isForOperator: false).contains("reference"))
        #expect(!line(isForOperator: false).contains("key"))
    }

    @Test(arguments: [
        ("", false), (#","work":null"#, false), (#","work":"withheld""#, true), (#","work":"begun""#, nil),
        (#","work":true"#, nil),
    ])
    func theFirstLineSaysWhetherWorkIsWithheld(field: String, isWithheld: Bool?) throws {
        let line =
            #"{"journal":2,"app":"A","appVersion":"1","options":{},"createdAt":"2026-11-21T09:30:00Z","seed":7,"#
            + #""path":"/b"\#(field)}"#
        #expect((try? JournalHeader(line: Array(line.utf8)))?.isWorkWithheld == isWithheld)
    }

    /// The fields after those that every entry has, and the entry that is read.
    static let ends: [(fields: String, entry: JournalEntry)] = [
        ("", .recorded()), (#","origin":"client","pending":null"#, .recorded()),
        (#","origin":"host""#, .recorded().with { $0.origin = .host }),
        (
            #","origin":"work","pending":"12-1""#,
            .recorded().with {
                $0.origin = .work
                $0.pending = "12-1"
            }
        ),
        (
            #","origin":"timer","pending":"1-2""#,
            .recorded().with {
                $0.origin = .timer
                $0.pending = "1-2"
            }
        ),
        (#","pending":"1-2""#, .recorded().with { $0.pending = "1-2" }),
        (#","appVersion":"0.9","origin":"client""#, .recorded(appVersion: "0.9")),
        (#","tomorrow":{"a":[1]},"retry":"x""#, .recorded()),
    ]

    @Test(arguments: ends) func anEntryIsRead(fields: String, entry: JournalEntry) throws {
        let line =
            #"{"version":3,"time":"2026-11-21T09:30:00Z","event":"a.b","payload":{"c":1},"at":"A/B","#
            + #""handled":false,"handledBy":null,"path":"/p"\#(fields)}"#
        #expect(try JournalEntry(line: Array(line.utf8), recordedBy: "1.0") == entry)
    }
}

extension JournalEntry {
    fileprivate static func recorded(appVersion: String = "1.0") -> JournalEntry {
        JournalEntry(
            version: 3, time: Timestamp(seconds: 1_795_253_400), appVersion: appVersion, event: "a.b",
            payload: .object([PlainField("c", .int(1))]), at: "A/B", isHandled: false, handledBy: nil, path: "/p")
    }
}
