internal import ArgumentParser
internal import CoordinateSessions
internal import JSON

/// The results of replaying journals, and their formats.
struct ReplayReport {
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json, junit
    }

    let app: HostedApp
    var results: [ReplayResult] = []

    private func count(_ outcome: ReplayResult.Outcome) -> Int {
        results.count { $0.outcome == outcome }
    }

    /// The exit code: 0 if all journals replayed as recorded. An unreadable journal outweighs one that differs.
    var exitCode: ExitCode {
        count(.unreadable) > 0 ? .unusable : count(.differs) > 0 ? .failure : .success
    }

    // MARK: Text

    /// The line of one journal.
    static func line(of result: ReplayResult) -> String {
        let word = result.outcome.rawValue
        let end = result.path ?? result.difference?.line.map { "line \($0)" }
        let space = String(repeating: " ", count: "unreadable".count - word.count)
        return "\(word)\(space)  \(result.journal)\(end.map { "  \($0)" } ?? "")"
    }

    /// The last line, with the number of each result.
    var summary: String {
        let counts = ReplayResult.Outcome.allCases.map { ($0, count($0)) }.filter { $0.1 > 0 }
            .map { "\($0.1) \($0.0.rawValue)" }
        let journals = "\(results.count) \(results.count == 1 ? "journal" : "journals")"
        return counts.isEmpty ? journals : "\(journals): \(counts.joined(separator: ", "))"
    }

    // MARK: Documents

    var json: String {
        var json = JSONWriter<[UInt8]>()
        json.line {
            $0.object {
                $0.field("replay", 1)
                $0.field("app", app.name)
                $0.field("appVersion", app.version)
                $0.field("ok", count(.ok))
                $0.field("differs", count(.differs))
                $0.field("unreadable", count(.unreadable))
                $0.array("journals", results) { json, result in
                    json.object {
                        $0.field("journal", result.journal)
                        $0.field("result", result.outcome.rawValue)
                        $0.field("events", result.events)
                        $0.field("path", result.path)
                        $0.field("line", result.difference?.line)
                        $0.field("reason", result.difference?.reason)
                    }
                }
            }
        }
        return String(decoding: json.written(), as: UTF8.self)
    }

    /// The JUnit report, with one test case per journal.
    var junit: String {
        JUnitReport(
            suite: app.name,
            cases: results.map { result in
                JUnitReport.Case(
                    className: "replay", name: result.journal, time: result.time,
                    result: [.ok: .success, .differs: .failure][result.outcome] ?? .error,
                    message: result.difference?.description ?? "")
            }
        ).description
    }
}
