internal import ArgumentParser
internal import CoordinateSessions
internal import JSON

/// The results of replaying journals, and their formats.
struct ReplayReport {
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json, junit
    }

    let app: HostedApp
    private(set) var results: [ReplayResult] = []

    init(of app: HostedApp) {
        self.app = app
    }

    mutating func add(_ result: ReplayResult) {
        results.append(result)
    }

    /// The number of journals with a given result.
    private func count(_ word: String) -> Int {
        results.count { $0.word == word }
    }

    /// The exit code: 0 if all journals replayed as recorded. An unreadable journal outweighs one that differs.
    var exitCode: ExitCode {
        count("unreadable") > 0 ? .unusable : count("differs") > 0 ? .failure : .success
    }

    // MARK: Text

    /// The line of one journal.
    static func line(of result: ReplayResult) -> String {
        let word = result.word + String(repeating: " ", count: max(0, "unreadable".count - result.word.count))
        return switch result.outcome {
        case .same(let path): "\(word)  \(result.journal)  \(path)"
        case .differs(let line, _): "\(word)  \(result.journal)\(line.map { "  line \($0)" } ?? "")"
        case .unreadable: "\(word)  \(result.journal)"
        }
    }

    /// The last line, with the number of each result.
    var summary: String {
        let words = ["ok", "differs", "unreadable"].map { ($0, count($0)) }.filter { $0.1 > 0 }
        let counts = words.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
        let journals = "\(results.count) \(results.count == 1 ? "journal" : "journals")"
        return counts.isEmpty ? journals : "\(journals): \(counts)"
    }

    // MARK: Documents

    var json: String {
        var json = JSONWriter<[UInt8]>()
        json.line {
            $0.object {
                $0.field("replay", 1)
                $0.field("app", app.name)
                $0.field("appVersion", app.version)
                $0.field("ok", count("ok"))
                $0.field("differs", count("differs"))
                $0.field("unreadable", count("unreadable"))
                $0.array("journals", results) { $0.result($1) }
            }
        }
        return String(decoding: json.written(), as: UTF8.self)
    }

    /// The JUnit report, with one test case per journal.
    var junit: String {
        JUnitReport(
            suite: app.name,
            cases: results.map { result in
                let problem: JUnitReport.Case.Problem? =
                    switch result.outcome {
                    case .same: nil
                    case .differs: .failure(result.reason ?? "")
                    case .unreadable: .error(result.reason ?? "")
                    }
                return JUnitReport.Case(className: "replay", name: result.journal, time: result.time, problem: problem)
            }
        ).description
    }
}

extension JSONWriter<[UInt8]> {
    fileprivate mutating func result(_ result: ReplayResult) {
        var (path, line, reason): (String?, Int?, String?)
        switch result.outcome {
        case .same(let last): path = last
        case .differs(let first, let why): (line, reason) = (first, why)
        case .unreadable(let why): reason = why
        }
        object {
            $0.field("journal", result.journal)
            $0.field("result", result.word)
            $0.field("events", result.events)
            $0.field("path", path)
            $0.field("line", line)
            $0.field("reason", reason)
        }
    }
}
