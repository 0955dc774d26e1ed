import Testing

/// Arguments of the commands that are wrong, or name something that cannot be used.
struct RefusedArgumentsTests {
    /// A command line, its exit status, and a part of the message.
    static let refusals: [(line: String, status: Int32, message: String)] = [
        ("sevre", 64, "sevre"),
        ("serve --prot 0", 64, "--prot"), ("serve --port http", 64, "http"), ("serve --port 65536", 64, "65536"),
        ("serve --port", 64, "--port"), ("serve extra", 64, "extra"), ("serve --journal sqlite:", 64, "sqlite:"),
        ("serve --mcp some", 64, "some"), ("mcp --journal paper", 64, "paper"),
        ("serve --port 0 --journal nonsense:secret", 64, "The journal"),
        ("serve --port 0 --journal postgres://[", 64, "PostgreSQL"),
        ("serve --port 0 --journal postgres://u:secret@[::1/x", 64, "PostgreSQL"),
        ("serve --port 0 --journal postgresql://u:sec%zzret@localhost/x", 64, "PostgreSQL"),
        ("serve --port 0 --journal postgres://u:secret@127.0.0.1:1/x", 69, "127.0.0.1"),
        ("serve --port 0 --event-log config", 78, "The event log config cannot be opened: Is a directory"),
        ("serve --config nowhere.json", 78, "nowhere.json does not exist"),
        ("serve --config config", 78, "config cannot be read. It must be a regular file"),

        ("replay", 64, "path"), ("replay sqlite:", 64, "sqlite:"), ("replay nowhere.ndjson", 78, "Name an exported"),
        ("replay config/server.json", 78, "is no exported journal"), ("replay config", 78, ".ndjson"),
        ("replay config/server.json --port 0", 64, "--port"), ("replay config/server.json --format yaml", 64, "yaml"),
        ("replay config/server.json --app-data nowhere.json", 78, "nowhere.json"),
        ("replay config/server.json --config nowhere.json", 78, "nowhere.json"),
        ("replay config/server.json nowhere.ndjson", 78, "nowhere.ndjson"),
        ("replay nowhere.ndjson public", 78, "nowhere.ndjson"),

        ("export", 64, "session"), ("export abc", 64, "abc"), ("export \(id)", 64, "memory"),
        ("export \(id) --journal papyrus", 64, "papyrus"), ("export \(id) --journal sqlite:", 64, "sqlite:"),
        ("export \(id) --journal memory", 64, "memory"), ("export \(id) --journal sqlite:x --as ruby", 64, "curl"),

        ("erase", 64, "session"), ("erase abc sqlite:x", 64, "abc"), ("erase \(id)", 64, "<store>"),
        ("erase \(id) memory", 64, "memory"),

        ("deploy-check", 64, "<store>"), ("deploy-check /tmp", 64, "/tmp"), ("deploy-check memory", 64, "memory"),
        ("deploy-check sqlite:", 64, "sqlite:"), ("deploy-check sqlite:/none --sample 0", 64, "--sample"),
        ("deploy-check sqlite:/none --sample many", 64, "many"),
        ("deploy-check sqlite:/none --format junit", 64, "junit"),
        ("deploy-check sqlite:/none/sessions.sqlite", 69, "There is no journal"),
        ("deploy-check postgres://127.0.0.1:1/none", 69, ""), ("deploy-check sqlite:/etc/passwd", 78, "/etc/passwd"),
        ("deploy-check sqlite:/none --config none.json", 78, "none.json"),

        ("deploy-check sqlite:/none --strict", 64, "--strict needs --against"),
        ("deploy-check sqlite:/none --strict --record a", 64, "--strict needs --against"),
        ("deploy-check sqlite:/none --record a --against b", 64, "--record with the old version"),
        ("deploy-check sqlite:/none --against nowhere.places", 78, "nowhere.places cannot be read"),
        ("deploy-check sqlite:/none --against config", 78, "config cannot be read"),
        ("deploy-check sqlite:/none --against config/server.json", 78, "config/server.json has no recorded places"),
        ("deploy-check sqlite:/none --record nowhere.places", 69, "There is no journal"),

        ("explore --depth -1", 64, "--depth"), ("explore --max-states 0", 64, "--max-states"),
        ("explore --key colour", 64, "colour"), ("explore --format text", 64, "text"),
        ("explore --seed -1", 64, "--seed"), ("explore --strict=none", 64, "none"),
        ("explore --strict some", 64, "some"), ("explore --depth 1 --diff nowhere.json", 78, "nowhere.json"),
        ("explore --depth 1 --diff config/server.json", 78, "config/server.json"),
        ("explore --depth 1 --cover nowhere.ndjson", 78, "nowhere.ndjson"),
        ("explore --depth 1 --cover config", 78, "config"),
        ("explore --depth 1 --app-data nowhere.json", 78, "nowhere.json"),
        ("explore --depth 1 --tests config/server.json", 78, "config/server.json"),
        ("explore --key path --tests tests", 64, "--key path"),
        ("explore --tests=", 64, "--tests"),
    ]

    private static let id = "AAAAAAAAAAAAAAAAAAAAAA"

    @Test(arguments: refusals)
    func nothingIsDoneAndTheReasonIsGiven(line: String, status: Int32, message: String) async throws {
        // Two spaces enclose an empty argument.
        let arguments = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let outcome = try await Program.outcome(of: arguments)
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(outcome.output == "")
        #expect(!outcome.errors.contains("secret"))
        #expect(!outcome.errors.isEmpty && outcome.errors.contains(message), "\(outcome.errors)")
        // Usage follows a wrong option.
        if status != 64 { #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)") }
    }
}
