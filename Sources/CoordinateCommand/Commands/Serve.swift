internal import ArgumentParser
internal import Configuration
internal import CoordinateMCP
internal import CoordinateServer

struct Serve: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "serve",
            abstract: "Serves \(HostProgram.current.title).",
            discussion: """
                Every option can also be set by an environment variable or in the configuration file. Options override \
                variables, and variables override the file.

                Further settings: COORDINATE_API_KEY (the operator sends it as "Authorization: Bearer KEY"); the lists with \
                commas COORDINATE_HOSTS (names to which the server answers), COORDINATE_ORIGINS (other sites whose \
                pages may use it) and COORDINATE_TRUSTED_PROXIES (proxies in front of it); \
                COORDINATE_FORWARDING_HEADER (forwarded, x-forwarded-for or either: the header that the proxies set); \
                COORDINATE_WEB_THEME (a style sheet for the app's web pages); COORDINATE_MAX_SESSIONS; \
                COORDINATE_SESSION_IDLE (seconds until an idle session ends); \
                COORDINATE_PASSIVATE_AFTER (seconds until only its events are kept); COORDINATE_MAX_EVENTS (per \
                session); COORDINATE_ON_CHANGE (quarantine or accept: the policy for a session whose replay differs, \
                or that has crashed the process twice in a row); COORDINATE_MAX_WORK (background tasks at a time); \
                COORDINATE_MAX_MEMORY (bytes held for clients; 0: half of the available memory); \
                COORDINATE_MAX_CONNECTIONS; COORDINATE_MAX_BODY (bytes); COORDINATE_WORKERS (0: one per core). \
                \(Settings.listHint)

                The first line on the standard output is "listening on URL". Logs go to the standard error. SIGTERM, \
                SIGINT or SIGHUP ends the server once the requests in progress are answered; a second one ends it at \
                once.

                Exit status: 0 after SIGTERM, SIGINT or SIGHUP; 1 after a second one; 64 for a wrong option; 69 if the \
                address is not available or the journal cannot be reached; 70 if the app has blocked all workers, or \
                all lanes, for ten seconds; 78 for a wrong setting or file, an app with faults, or a journal that is \
                damaged, newer than this program, or in use.
                """
        )
    }

    @Option(help: ArgumentHelp("The address to listen on (default: 127.0.0.1; COORDINATE_HOST).", valueName: "address"))
    var host: String?

    @Option(help: "The port to listen on, 0 for a free one (default: 8080; COORDINATE_PORT).")
    var port: UInt16?

    @OptionGroup var app: AppOptions

    @Option(
        name: .customLong("public"),
        help: ArgumentHelp(
            """
            The folder of files to serve beside the page that comes with the program, or instead if it has an \
            index.html; empty for no files (default: public, if it exists; COORDINATE_PUBLIC).
            """, valueName: "folder"))
    var publicFolder: String?

    @OptionGroup var store: JournalOption

    @Flag(help: "Log each request to the standard error, as one line of JSON (COORDINATE_ACCESS_LOG).")
    var accessLog = false

    @Option(
        help: ArgumentHelp(
            "Log each committed event to a file, or - for the standard output, as one line of JSON (COORDINATE_EVENT_LOG).",
            valueName: "path"))
    var eventLog: String?

    @Flag(
        name: .customLong("no-web"),
        help: "Do not serve the app as web pages at /app (COORDINATE_WEB_PAGES=false).")
    var noWeb = false

    @Option(
        help: ArgumentHelp(
            "The name of the session's cookie, and the first part of the login's (COORDINATE_COOKIE_NAME).",
            valueName: "name"))
    var cookieName: String?

    @Option(
        help: ArgumentHelp(
            """
            The clients let in without the API key: full (everything with a session whose id they know), app (only \
            what its screen offers), or none (default: none with an API key, else full; COORDINATE_CLIENTS).
            """, valueName: "clients"))
    var clients: ClientOption?

    @Option(
        help: ArgumentHelp(
            "The tools for agents at /mcp: off, read (those that only read) or full (default: full; COORDINATE_MCP).",
            valueName: "tools"))
    var mcp: MCPOption?

    func run() async throws {
        let program = HostProgram.current
        let options = app.values([
            "host": host.map { .string($0) }, "port": port.map { .int(Int($0)) },
            "public": publicFolder.map { .string($0) }, "journal": store.journal.map { .string($0) },
            "accessLog": accessLog ? .bool(true) : nil, "eventLog": eventLog.map { .string($0) },
            "webPages": noWeb ? .bool(false) : nil, "mcp": mcp.map { .string($0.rawValue) },
            "security.cookieName": cookieName.map { .string($0) },
            "security.clients": clients.map { .string($0.rawValue) },
        ])
        try await program.withServer(file: app.config, options: options) { server, _ in
            try await server.run(isWholeProcess: true) { _ in program.didStart(server) }
        }
    }
}

/// The values of `--clients`.
enum ClientOption: String, CaseIterable, ExpressibleByArgument {
    case full, app, none
}

/// The values of `--mcp`.
enum MCPOption: String, CaseIterable, ExpressibleByArgument {
    case off, read, full

    var access: MCPAccess? { MCPAccess(rawValue: rawValue) }
}
