internal import Coordinate

/// A test in Swift that uses CoordinateTesting.
struct SwiftTest: TestLanguage {
    private let indent = "        "

    func opening(_ test: RecordedTest) -> String {
        // The name of the app's type begins with that of its module.
        let type = test.appType.split(separator: ".", maxSplits: 1).map(String.init)
        // Several tests in one target may lead to one path.
        let name = (test.destination + [test.mark]).map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        return ["CoordinateTesting", type[0], "Testing"].sorted().map { "import \($0)\n" }.joined() + """

            /// \(test.origin)
            @Test func leadsTo\(name)() async throws {
                // Create the app as its program does.
                try await withServer(app: \(type[type.count - 1])()) { server in
                    // The session begins as the recorded one. Its work is withheld: the test posts the outcomes.

            """
            + code(indent, "let beginning: JSON = [", members(test.beginning), "]") + """
                        let client = try await server.client(replaying: beginning.encoded, work: .withheld)
                        let start = try await client.route()
                        #expect(start.path == \(quoted(test.start)))

                """
    }

    func step(_ step: RecordedStep) -> String {
        let outcome = "outcome\(step.version)"
        let (call, parts, result) = call(of: step)
        // A press throws an error if no coordinator handles its event.
        let handler = step.handledBy.map(quoted) ?? "nil"
        let expectation = step.press == nil ? "\(indent)#expect(\(outcome).handledBy == \(handler))\n" : ""
        return notes(step, "\(indent)//")
            + code(indent, "let \(outcome) = try await client.\(call)(", parts, ")\(result)") + expectation
            + "\(indent)#expect(\(outcome).path == \(quoted(step.path)))\n"
    }

    var closing: String { "    }\n}\n" }

    private func call(of step: RecordedStep) -> (call: String, parts: [String], result: String) {
        if let press = step.press {
            var parts = [quoted(press.title)]
            if let row = press.row { parts.append("inRow: \(quoted(row))") }
            if let event = press.event { parts.append("event: \(quoted(event))") }
            if !press.entries.isEmpty { parts.append("entering: \(literal(press.entries))") }
            return ("press", parts, "")
        }
        if let link = step.link { return ("open", [quoted(link)], "") }
        if step.isFromHost {
            let parts = [quoted("/events"), "json: \(literal(step.request))"]
            return ("post", parts, ".decode(Document.Outcome.self, status: 200)")
        }
        var parts = [quoted(step.event)]
        if step.payload != .object([]) { parts.append(literal(step.payload)) }
        if let at = step.at { parts.append("at: \(quoted(at))") }
        if let pending = step.pending { parts.append("pending: \(quoted(pending))") }
        return ("emit", parts, "")
    }

    // MARK: Values

    var null: String { ".null" }
    var object: (opening: String, closing: String, empty: String) { ("[", "]", "[:]") }

    func quoted(_ text: String) -> String {
        var literal = "\""
        for character in text.unicodeScalars {
            switch character {
            case "\"", "\\": literal += "\\\(character)"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            case "\0"..<" ", "\u{7F}", "\u{2028}", "\u{2029}":
                literal += "\\u{\(String(character.value, radix: 16))}"
            default: literal.unicodeScalars.append(character)
            }
        }
        return literal + "\""
    }
}
