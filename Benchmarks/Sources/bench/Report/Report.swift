import Foundation

/// `RESULTS.md` and its plots.
struct Report {
    private var sections: [String] = []
    private var plots: [(name: String, svg: String)] = []

    mutating func add(title: String, text: String, table: Table, plot: (name: String, chart: BarChart)? = nil) {
        var parts = ["## \(title)", text, table.markdown]
        if let plot {
            plots.append((plot.name, plot.chart.svg))
            parts.append("![\(plot.chart.title)](plots/\(plot.name).svg)")
        }
        sections.append(parts.joined(separator: "\n\n"))
    }

    /// Writes everything into a folder.
    func write(to folder: URL, isQuick: Bool) throws {
        let quick = isQuick ? " This was `make bench ARGS=--quick`, which is too short to be quoted." : ""
        let introduction = """
            # Results

            Written by `make bench`. Compared values were measured side by side, in rounds, in one run.\(quick) Values are \
            medians, with the minimum and maximum of the rounds in brackets. Only the ratios matter: absolute numbers are \
            valid only for this machine, and the load generator shares it.

            \(Machine.describe())
            """
        let text = ([introduction] + sections).joined(separator: "\n\n") + "\n"
        let plotFolder = folder.appending(path: "plots")
        try FileManager.default.createDirectory(at: plotFolder, withIntermediateDirectories: true)
        for plot in plots {
            try plot.svg.write(to: plotFolder.appending(path: "\(plot.name).svg"), atomically: true, encoding: .utf8)
        }
        try text.write(to: folder.appending(path: "RESULTS.md"), atomically: true, encoding: .utf8)
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
