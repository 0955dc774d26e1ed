internal import ArgumentParser
internal import CoordinateExplore
internal import CoordinateServer
internal import Foundation
internal import JSON

/// The result of exploring an app, and its formats.
struct ExploreReport {
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case json, mermaid, dot, junit
    }

    /// The findings that count as failures.
    enum Strictness: String {
        case wrong, all
    }

    let graph: AppGraph
    /// `nil` if no walks were requested. The next three properties are `nil` likewise.
    var walks: RandomWalks?
    var suite: JournalSuite?
    var coverage: Coverage?
    var difference: GraphDifference?

    /// - Parameter strictness: The findings that count as failures; `nil` for none.
    func exitCode(_ strictness: Strictness?) -> ExitCode {
        let failures =
            switch strictness {
            case nil: false
            case .wrong: graph.findings.contains(where: \.isWrong)
            case .all: !graph.findings.isEmpty || suite?.missed.isEmpty == false
            }
        let hasFailed = failures || walks?.failures.isEmpty == false || difference?.hasLost == true
        return hasFailed ? .failure : .success
    }

    /// One line per result that needs attention.
    var remarks: [String] {
        let findings = graph.findings.map { finding in
            "\(finding.isWrong ? "wrong" : "not reached"), \(finding.kind.rawValue): \(finding.detail)"
        }
        let limit =
            graph.isTruncated
            ? [
                "The walk stopped at \(graph.states.count) states and did not expand \(graph.frontier) of them, so it "
                    + "cannot report what was not reached. \(graph.growth.map { "\($0) " } ?? "")"
                    + "Raise --max-states, --depth or --seconds."
            ] : []
        let failures = walks?.failures.map { "\($0.promise): \($0.detail)" } ?? []
        let states = difference?.states.lost.map { "lost: the state \($0)" } ?? []
        let missed = suite?.missed.map { "not covered: \($0)" } ?? []
        return findings + limit + missed + failures + states
            + (difference?.transitions.lost.map { "lost: \(Self.text(of: $0))" } ?? [])
    }

    /// - Parameter format: The format of the graph; `nil` for the list of the journals, if there are any.
    func text(as format: Format?) -> String {
        switch format {
        case nil: suite.map(Self.text) ?? json
        case .json: json
        case .mermaid: graph.mermaid(with: coverage)
        case .dot: graph.dot(with: coverage)
        case .junit: junit
        }
    }

    /// A line for each journal, and a summary.
    private static func text(of suite: JournalSuite) -> String {
        let lines = suite.journals.map { journal in
            "\(journal.name), \(journal.presses.count) events: \(journal.covers.joined(separator: ", "))"
        }
        let events = suite.journals.reduce(0) { $0 + $1.presses.count }
        let summary =
            "\(lines.count) journals, \(events) events: \(suite.screens.seen) of \(suite.screens.of) screens, "
            + "\(suite.events.seen) of \(suite.events.of) kinds of events"
        return (lines + [summary]).joined(separator: "\n") + "\n"
    }

    private static func text(of step: KnownStep) -> String {
        "\(step.event) \(String(decoding: step.payload, as: UTF8.self)) from \(step.from) to \(step.to)"
    }

    private var json: String {
        let document = graph.json { json in
            if let walks { json.walks(walks) }
            if let coverage { json.coverage(coverage, of: graph) }
            if let difference { json.difference(difference) }
        }
        return String(decoding: document, as: UTF8.self)
    }

    /// The test cases: one per finding, skipped if the finding is not wrong; one that passes per kind without findings;
    /// one, skipped, per event that no journal covers; one per failure; and one per lost state and transition.
    private var junit: String {
        var cases = Finding.Kind.allCases.flatMap { kind -> [JUnitReport.Case] in
            let findings = graph.findings.filter { $0.kind == kind }
            guard !findings.isEmpty else { return [.init(className: "explore", name: kind.rawValue)] }
            return findings.enumerated().map { index, finding in
                let place = finding.state.map { " at \(graph.states[$0].key)" } ?? ""
                return .init(
                    className: "explore", name: "\(kind.rawValue) \(index + 1)\(place)",
                    result: finding.isWrong ? .failure : .skipped, message: finding.detail)
            }
        }
        cases += (suite?.missed ?? []).map {
            .init(className: "tests", name: $0, result: .skipped, message: "Not covered.")
        }
        if let walks {
            cases += walks.failures.map {
                .init(className: "random", name: $0.promise, result: .failure, message: $0.detail)
            }
            if walks.failures.isEmpty {
                cases.append(.init(className: "random", name: "\(walks.walks) walks of seed \(walks.seed)"))
            }
        }
        if let difference {
            let lost =
                difference.states.lost.map { ("state", $0) }
                + difference.transitions.lost.map { ("transition", Self.text(of: $0)) }
            cases += lost.map { kind, name in
                .init(
                    className: "diff", name: name, result: .failure, message: "The \(kind) \(name) is missing.")
            }
            if lost.isEmpty { cases.append(.init(className: "diff", name: "nothing is lost")) }
        }
        return JUnitReport(suite: graph.app, cases: cases).description
    }
}

extension JSONWriter<[UInt8]> {
    fileprivate mutating func walks(_ walks: RandomWalks) {
        object("random") {
            $0.field("seed", Int(walks.seed))
            $0.field("walks", walks.walks)
            $0.field("events", walks.events)
            $0.array("failures", walks.failures) { json, failure in
                json.object {
                    $0.field("promise", failure.promise)
                    $0.field("detail", failure.detail)
                    $0.field("walk", failure.walk)
                    $0.array("journal", failure.journal) { $0.step($1) }
                }
            }
        }
    }
}
