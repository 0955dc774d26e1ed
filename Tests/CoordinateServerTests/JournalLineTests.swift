import CoordinateTesting
import Testing

@testable import CoordinateServer

/// Every way in which a line of an imported journal can be wrong.
struct JournalLineTests {
    /// A journal that is spoilt at one line.
    private struct Spoilt {
        let name: String
        /// The number of the line that is refused.
        let line: Int
        let text: String
        var detail = ""

        init(_ name: String, line: Int, _ old: String, _ new: String, detail: String = "") {
            var lines = JournalImportTests.lines
            lines[line - 1] = lines[line - 1].replacing(old, with: new)
            precondition(lines != JournalImportTests.lines, name)
            self.init(name, line: line, text: lines.joined(separator: "\n"), detail: detail)
        }

        init(_ name: String, line: Int, text: String, detail: String = "") {
            self.name = name
            self.line = line
            self.text = text
            self.detail = detail
        }
    }

    private static let lines = JournalImportTests.lines
    private static let all = JournalImportTests.journal

    private static let spoilt =
        [
            Spoilt("nothing", line: 1, text: ""), Spoilt("an empty line", line: 1, text: "\n"),
            Spoilt("no header", line: 1, text: lines.dropFirst().joined(separator: "\n")),
            Spoilt("an empty line first", line: 1, text: "\n" + all),
            Spoilt("a header of another app", line: 1, "Test", "Racing", detail: "Racing"),
            Spoilt("a header of another form", line: 1, #""journal":1"#, #""journal":2"#),
            Spoilt("a header of no form", line: 1, #""journal":1,"#, ""),
            Spoilt("a header of a form in words", line: 1, #""journal":1"#, #""journal":"1""#),
            Spoilt("a header without the app", line: 1, #""app":"Test","#, ""),
            Spoilt("a header without the app's version", line: 1, #","appVersion":"0.1""#, ""),
            Spoilt("a header that is an array", line: 1, text: "[1]"),
            Spoilt("a header alone that is cut short", line: 1, text: String(lines[0].dropLast())),
            Spoilt("no JSON", line: 3, #"{"version""#, "version", detail: "no JSON"),
            Spoilt("a line cut short", line: 4, "}", "", detail: "no JSON"),
            Spoilt("a last line cut short", line: 5, text: String(all.dropLast()), detail: "no JSON"),
            Spoilt("two entries on a line", line: 2, text: lines[0] + "\n" + lines[1] + lines[2]),
            Spoilt("an array", line: 5, text: lines.dropLast().joined(separator: "\n") + "\n[]"),
            Spoilt("a line twice", line: 3, text: lines.prefix(2).joined(separator: "\n") + "\n" + lines[1]),
            Spoilt("a line that is missing", line: 3, text: all.replacing(lines[2] + "\n", with: "")),
            Spoilt("a header twice", line: 2, text: lines[0] + "\n" + all),
            Spoilt("an empty line in the middle", line: 3, text: all.replacing(lines[2], with: "\n" + lines[2])),
            Spoilt("an unknown event", line: 5, "test.push", "test.pull", detail: "Did you mean test.push?"),
            Spoilt("a payload of another type", line: 2, #""number":1"#, #""number":"1""#, detail: "number"),
            Spoilt("a payload without its field", line: 5, #""number":2"#, "", detail: "number"),
            Spoilt("an unknown coordinator", line: 2, "StackCoordinator/Page", "StackCoordinator/Sage"),
            Spoilt(
                "another one who handled it", line: 5, #""handledBy":"StageCoordinator/StackCoordinator""#,
                #""handledBy":"StageCoordinator""#, detail: "handledBy"),
            Spoilt(
                "nobody who handled it", line: 4, #""handledBy":"StageCoordinator/StackCoordinator""#,
                #""handledBy":null"#, detail: "handledBy"),
            Spoilt("another path", line: 3, "/stack/page/1", "/stack/page/3", detail: "/stack/page/3"),
            Spoilt("an event at which the app fails", line: 3, "test.say", "test.fail"),
            Spoilt("an event that fills the tree", line: 3, "test.say", "test.fill"),
            Spoilt("a time in words", line: 2, "2026-11-21T09:30:01Z", "yesterday", detail: "time"),
            Spoilt("a time in another zone", line: 2, "09:30:01Z", "09:30:01+01:00", detail: "time"),
            Spoilt("a version with a fraction", line: 2, #""version":1"#, #""version":1.0"#, detail: "version"),
            Spoilt("half a character", line: 3, "é", #"\ud800"#),
        ]
        + [
            #""version":2,"#, #""time":"2026-11-21T09:30:02Z","#, #""event":"test.say","#,
            #""payload":{"a/b~c":"é\n\"🏁"},"#, #""at":"StageCoordinator/StackCoordinator/PageCoordinator-2","#,
            #""handled":true,"#, #""handledBy":"StageCoordinator/StackCoordinator","#, #","path":"/stack/page/1""#,
        ].flatMap { field in
            let name = field.split(separator: "\"").first { $0 != "," }.map(String.init) ?? ""
            let comma = field.hasPrefix(",") ? (",", "") : ("", ",")
            return [
                Spoilt("no \(name)", line: 3, field, "", detail: name),
                Spoilt("\(name) of another type", line: 3, field, "\(comma.0)\"\(name)\":[7]\(comma.1)", detail: name),
            ]
        }

    @Test func aLineThatCannotBeReplayedIsNamedAndNothingIsLeft() async throws {
        let app = TestApp()
        try await withApp(app) { server in
            let client = server.client()
            for spoilt in Self.spoilt {
                for text in [spoilt.text, spoilt.text + "\n"] {
                    let answer = try await client.request(
                        "POST", "/sessions", headers: JournalImportTests.type, body: Array(text.utf8))
                    let line = try answer.json["line"]?.int
                    let detail = try answer.problem.detail
                    #expect(answer.isProblem("invalid-journal", 422), "\(spoilt.name): \(answer.text)")
                    #expect(line == spoilt.line, "\(spoilt.name)")
                    #expect(detail.hasPrefix("Line \(spoilt.line): "), "\(spoilt.name)")
                    #expect(detail.contains(spoilt.detail), "\(spoilt.name)")
                    #expect(!answer.text.contains("swordfish"))
                    #expect(answer.header("Location") == nil)
                }
                #expect(try await client.gauges() == [0, 0], "\(spoilt.name)")
                #expect(app.lives.living == 0, "\(spoilt.name)")
            }
            #expect(try await client.metric("coordinate_events_total") == 0)
        }
    }
}
