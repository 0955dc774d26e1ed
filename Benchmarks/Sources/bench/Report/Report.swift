import Foundation
import Loopback

/// `RESULTS.md` with the goals, and `DETAILS.md` with all tables and plots.
struct Report {
    /// The measured values of the goals.
    private var figures: [Goal: Spread] = [:]
    /// The measured limits of goals.
    private var limits: [Goal: String] = [:]
    private var sections: [String] = []
    private var plots: [(name: String, svg: String)] = []
    private var durations: [(part: String, seconds: Double)] = []

    /// Sets the measured value of a goal.
    mutating func set(_ goal: Goal, to figure: Spread) { figures[goal] = figure }

    /// Sets what was measured beside a goal.
    mutating func set(limit: String, of goal: Goal) { limits[goal] = limit }

    /// Adds a section to `DETAILS.md`.
    mutating func append(title: String, text: String, table: Table, plot: (name: String, chart: BarChart)? = nil) {
        var parts = ["## \(title)", text, table.markdown]
        if let plot {
            append(plot.name, plot.chart)
            parts.append("![\(plot.chart.title)](plots/\(plot.name).svg)")
        }
        sections.append(parts.joined(separator: "\n\n"))
    }

    /// Adds a plot.
    mutating func append(_ name: String, _ chart: BarChart) { plots.append((name, chart.svg)) }

    /// Adds the time that a part of the benchmark took.
    mutating func append(part: String, seconds: Double) { durations.append((part, seconds)) }

    /// Writes `RESULTS.md` into a folder.
    func writeResults(to folder: URL, isQuick: Bool) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try results(isQuick: isQuick).write(
            to: folder.appending(path: "RESULTS.md"), atomically: true, encoding: .utf8)
    }

    /// Writes `DETAILS.md` and its plots into a folder.
    func writeTables(to folder: URL, isQuick: Bool) throws {
        let plotFolder = folder.appending(path: "plots")
        try FileManager.default.createDirectory(at: plotFolder, withIntermediateDirectories: true)
        for plot in plots {
            try plot.svg.write(to: plotFolder.appending(path: "\(plot.name).svg"), atomically: true, encoding: .utf8)
        }
        try details(isQuick: isQuick).write(
            to: folder.appending(path: "DETAILS.md"), atomically: true, encoding: .utf8)
    }

    private static func quick(_ isQuick: Bool) -> String {
        isQuick ? " This was `make bench ARGS=--quick`, which is too short to be quoted." : ""
    }

    private func results(isQuick: Bool) -> String {
        """
        # Results

        Written by `make bench` in one run. Values are medians, with the minimum and maximum of the rounds in brackets;
        a goal without a unit is a ratio to what is in the last column. [README.md](README.md#bench) says how they are
        measured, and [PROFILE.md](PROFILE.md) what takes the time.\(Self.quick(isQuick))

        \(Machine.describe())

        \(goals.markdown)

        """
    }

    private var goals: Table {
        var table = Table(columns: ["what", "goal", "measured", "ahead of"])
        for goal in Goal.all {
            guard let figure = figures[goal] else {
                table.rows.append([goal.title, goal.text, "–", "not measured in this run"])
                continue
            }
            let peer = goal.peer + (limits[goal].map { " \($0)" } ?? "")
            table.rows.append([
                goal.title, goal.text, "**\(figure.text(goal.format))**",
                goal.isMet(by: figure.median) ? peer : "[missed](\(goal.link)); \(peer)",
            ])
        }
        return table
    }

    private func details(isQuick: Bool) -> String {
        let introduction = """
            # Details

            Written by `make bench` with RESULTS.md. Compared values were measured side by side, in rounds, in \
            one run.\(Self.quick(isQuick)) Values are medians, with the minimum and maximum of the rounds in brackets. Only \
            the ratios matter: absolute numbers are valid only for this machine, and the load generator shares it.

            \(Machine.describe())
            """
        var times = Table(columns: ["part", "minutes"])
        times.rows = durations.map { [$0.part, ($0.seconds / 60).text(1)] }
        times.rows.append(["all", (durations.reduce(0) { $0 + $1.seconds } / 60).text(1)])
        let last = "## Duration\n\nWithout building the programs.\n\n\(times.markdown)"
        return ([introduction] + sections + [last]).joined(separator: "\n\n") + "\n"
    }
}

extension Report {
    /// Throws if a goal's reason refers to a section that PROFILE.md does not have.
    static func checkSections(of profile: URL) throws {
        let lines = try String(contentsOf: profile, encoding: .utf8).split(separator: "\n")
        let titles = Set(
            lines.filter { $0.hasPrefix("#") }.map { $0.drop { "# ".contains($0) }.lowercased() })
        for goal in Goal.all where !titles.contains(goal.section.lowercased()) {
            throw BenchmarkError("PROFILE.md has no section \"\(goal.section)\" for the goal \"\(goal.title)\".")
        }
    }
}

/// A table in Markdown.
struct Table {
    let columns: [String]
    var rows: [[String]] = []

    var markdown: String {
        let lines = [columns, columns.map { _ in "---" }] + rows
        return lines.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }
}
