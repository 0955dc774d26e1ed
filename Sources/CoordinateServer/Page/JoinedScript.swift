/// One script of a module and all that it imports: each becomes a function that returns its exports, and runs once.
///
/// The modules name what they share in statements at the beginning of lines:
///
/// ```js
/// import { make, setText as text } from "./dom.js";
/// import * as keys from "../keys.js";
///
/// export const rows = [];
/// ```
///
/// Circles and any other forms, such as `export default`, cannot be joined. Lines with nothing but a comment are left out,
/// so no text of several lines may have such a line.
struct JoinedScript {
    private(set) var text = ""
    /// The names that each module exports, by its path.
    private var exports: [String: [Substring]] = [:]
    /// The number of each module that was begun, by its path. Its exports are in the constant `module0`, for example.
    private var numbers: [String: Int] = [:]
    private let textOf: (String) -> String?

    /// - Parameters:
    ///   - entry: The path of the module that the page loads.
    ///   - textOf: Returns the text of the file at a path.
    init(of entry: String, _ textOf: @escaping (String) -> String?) throws(UnknownForm) {
        self.textOf = textOf
        try add(entry)
    }

    /// Adds a module behind those that it imports.
    private mutating func add(_ path: String) throws(UnknownForm) {
        guard exports[path] == nil else { return }
        guard numbers[path] == nil else { throw UnknownForm("\(path) imports itself by way of others.") }
        guard let source = textOf(path) else { throw UnknownForm("There is no module \(path).") }
        let number = numbers.count
        numbers[path] = number
        var names: [Substring] = []
        var body = ""
        var lines = try source.linesWithoutComments(in: path)[...]
        while let line = lines.popFirst() {
            if line.hasPrefix("import ") {
                var statement = String(line)
                while !statement.hasSuffix("\";"), let next = lines.popFirst() { statement += next }
                body += try constants(importedBy: statement, in: path)
            } else if line.hasPrefix("export ") {
                names.append(try Self.name(exportedBy: line, in: path))
                body += line.dropFirst("export ".count)
            } else {
                body += line
            }
            body += "\n"
            if line.first != " ", line.contains("await "), !line.contains("async ") {
                throw UnknownForm("\(path) waits outside of functions: \(line)")
            }
        }
        guard !body.contains("import("), !body.contains("import.meta") else {
            throw UnknownForm("\(path) uses import in an expression.")
        }
        text += "const module\(number) = (() => {\n\(body)return { \(names.joined(separator: ", ")) };\n})();\n"
        exports[path] = names
    }

    /// The statement that names the same as an import: `const { make, setText: text } = module4;`
    private mutating func constants(importedBy statement: String, in path: String) throws(UnknownForm) -> String {
        let unknown = UnknownForm("\(path) has an import of another form: \(statement)")
        let parts = statement.dropFirst("import ".count).split(separator: "\"", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2] == ";", let source = Self.path(parts[1], from: path) else { throw unknown }
        try add(source)
        guard let number = numbers[source], let exported = exports[source] else { throw unknown }
        guard !parts[0].isEmpty else { return "" }
        guard parts[0].hasSuffix(" from ") else { throw unknown }
        let clause = parts[0].dropLast(" from ".count)
        if clause.hasPrefix("* as ") { return "const \(clause.dropFirst("* as ".count)) = module\(number);" }
        guard clause.hasPrefix("{"), clause.hasSuffix("}") else { throw unknown }
        var names: [String] = []
        for item in clause.dropFirst().dropLast().split(separator: ",") {
            let words = item.split(separator: " ")
            if words.isEmpty { continue }
            guard exported.contains(words[0]), words.count == 1 || words.count == 3 && words[1] == "as" else {
                throw UnknownForm("\(path) imports\(item) from \(source), which does not export it.")
            }
            names.append(words.count == 1 ? String(words[0]) : "\(words[0]): \(words[2])")
        }
        return "const { \(names.joined(separator: ", ")) } = module\(number);"
    }

    /// The name of an exported function, class or constant.
    private static func name(exportedBy line: Substring, in path: String) throws(UnknownForm) -> Substring {
        var words = line.split(separator: " ").dropFirst()
        if words.first == "async" { words.removeFirst() }
        let name = words.dropFirst().first?.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" } ?? ""
        guard let kind = words.first, ["function", "class", "const"].contains(kind), !name.isEmpty else {
            throw UnknownForm("\(path) has an export of another form: \(line)")
        }
        return name
    }

    /// The path that a module names, such as `../dom.js`; `nil` if it names a package.
    private static func path(_ name: Substring, from path: String) -> String? {
        guard name.hasPrefix("/") || name.hasPrefix("./") || name.hasPrefix("../") else { return nil }
        var parts = name.hasPrefix("/") ? [] : path.split(separator: "/").dropLast()
        for part in name.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }
}

/// The reason why modules or style sheets cannot be joined.
struct UnknownForm: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension String {
    /// The lines of a script or a style sheet, except blank ones and those with nothing but a comment.
    func linesWithoutComments(in path: String) throws(UnknownForm) -> [Substring] {
        var lines: [Substring] = []
        var isInComment = false
        for bytes in utf8.split(separator: UInt8(ascii: "\n")) {
            let code = Substring(bytes.drop { $0 == UInt8(ascii: " ") })
            if isInComment || code.hasPrefix("/*") {
                let end = code.firstRange(of: "*/")
                if isInComment, let end, end.upperBound != code.endIndex {
                    throw UnknownForm("\(path) has code behind a comment of several lines: \(code)")
                }
                isInComment = end == nil
                if end == nil || end?.upperBound == code.endIndex { continue }
            }
            if !code.isEmpty, !code.hasPrefix("//") { lines.append(Substring(bytes)) }
        }
        return lines
    }
}
