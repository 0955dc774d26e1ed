/// A page that loads one script in place of its modules, and one style sheet in place of its own ones.
///
/// Both are named by the hash of their content, so browsers keep them for good. The style sheets below `/web/` stay files
/// of their own before that one, because the app's pages load them as well, and servers replace the theme.
struct JoinedPage {
    let html: String
    /// The script and the style sheet, by their paths.
    let files: [String: PublicFile]

    /// - Parameter textOf: Returns the text of the file at a path.
    /// - Returns: `nil` if the page loads no module.
    init?(_ page: String, _ textOf: @escaping (String) -> String?) throws(UnknownForm) {
        guard let entry = Self.entry(of: page) else { return nil }
        let script = PublicFile.namedByHash(try JoinedScript(of: entry, textOf).text, entry)
        var files = [script.path: script.file]
        var sheets: [String] = []
        var lines: [String] = []
        // The first of the page's own style sheets, and of all that the page loads.
        var (first, top): (Int?, Int?)
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            let code = line.drop { $0 == " " }
            if code.hasPrefix("<link ") || code.hasPrefix("<script "), top == nil { top = lines.count }
            if let path = code.between("<link rel=\"stylesheet\" href=\"", "\">"), !path.hasPrefix("/web/") {
                sheets.append(String(path))
                if first == nil { first = lines.count }
            } else if !code.hasPrefix("<link rel=\"modulepreload\"")
                && code.between(Self.module, Self.moduleEnd) != entry[...]
            {
                lines.append(String(line))
            }
        }
        if let first {
            let styles = PublicFile.namedByHash(
                try Self.styles(of: sheets, textOf), entry.replacing(".js", with: ".css"))
            files[styles.path] = styles.file
            lines.insert("  <link rel=\"stylesheet\" href=\"\(styles.path)\">", at: first)
        }
        // It is the largest file, so it is the first that the browser requests, on the connection that is already open.
        lines.insert("  \(Self.module)\(script.path)\(Self.moduleEnd)", at: top ?? 0)
        html = lines.joined(separator: "\n")
        self.files = files
    }

    private static let module = "<script type=\"module\" src=\""
    private static let moduleEnd = "\"></script>"

    /// The path of the module that a page loads; `nil` if it loads none.
    static func entry(of page: String) -> String? {
        page.split(separator: "\n").lazy
            .compactMap { $0.drop { $0 == " " }.between(module, moduleEnd) }.first
            .map { String($0) }
    }

    /// The texts of style sheets, one after the other.
    private static func styles(
        of paths: [String], _ textOf: (String) -> String?
    ) throws(UnknownForm) -> String {
        var styles = ""
        for path in paths {
            guard let text = textOf(path) else { throw UnknownForm("There is no style sheet \(path).") }
            for line in try text.linesWithoutComments(in: path) {
                styles += line
                styles += "\n"
            }
        }
        guard !styles.contains("@import"), !styles.contains("url(") else {
            throw UnknownForm("A style sheet loads files by their address: \(paths.joined(separator: ", "))")
        }
        return styles
    }
}

extension Substring {
    /// What this text has between a start and an end; `nil` if it does not have both.
    fileprivate func between(_ start: String, _ end: String) -> Substring? {
        hasPrefix(start) && hasSuffix(end) ? dropFirst(start.count).dropLast(end.count) : nil
    }
}
