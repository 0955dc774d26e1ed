import Foundation

/// The machine of the measurements. The results are valid only for it.
struct Machine {
    /// Describes the machine as a Markdown list.
    static func describe() -> String {
        let processor = field("model name", of: "/proc/cpuinfo") ?? "unknown"
        let memory = field("MemTotal", of: "/proc/meminfo") ?? "unknown"
        let kernel = firstLine(of: "/proc/sys/kernel/osrelease") ?? "unknown"
        let libraries = ["libmicrohttpd", "sqlite3", "libpq"].map { name in
            "\(name) \(output("pkg-config", ["--modversion", name]) ?? "of unknown version")"
        }
        let compiler = output("swift", ["--version"])?.split(separator: "\n").first { $0.contains("Swift version") }
        return """
            - processor: \(processor), \(ProcessInfo.processInfo.processorCount) cores; memory: \(memory)
            - Linux \(kernel); \(libraries.joined(separator: ", ")); \(compiler ?? "Swift of unknown version")
            - load average at the end: \(firstLine(of: "/proc/loadavg") ?? "unknown")
            """
    }

    private static func field(_ name: String, of path: String) -> String? {
        let lines = (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n") ?? []
        return lines.first { $0.hasPrefix(name) }?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces)
    }

    private static func firstLine(of path: String) -> String? {
        (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n").first.map(String.init)
    }

    private static func output(_ program: String, _ arguments: [String]) -> String? {
        try? Program(named: program)?.run(arguments).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
