internal import ArgumentParser
internal import Configuration
internal import CoordinateServer
internal import CoordinateSessions
internal import Logging

struct Serve<Arguments: DataArguments>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "serve",
            abstract: "Serves \(HostProgram.current.title).",
            discussion: """
                Every option can also be set by an environment variable, and in the configuration file; options win over \
                variables, variables over the file.

                Further settings: COORDINATE_API_KEY (clients then need "Authorization: Bearer KEY"), \
                COORDINATE_HOSTS, COORDINATE_ORIGINS and COORDINATE_TRUSTED_PROXIES (lists with commas: names it answers \
                to, other sites whose pages may use it, proxies in front of it), COORDINATE_FORWARDING_HEADER \
                (forwarded, x-forwarded-for or either: the header that the proxies set), \
                COORDINATE_MAX_SESSIONS, COORDINATE_SESSION_IDLE (seconds until an idle session ends), \
                COORDINATE_PASSIVATE_AFTER (seconds until only its events are kept), COORDINATE_MAX_EVENTS (of a session), \
                COORDINATE_ON_CHANGE (quarantine or accept: what becomes of a session that does not replay as it was \
                recorded, or has ended the process twice running), COORDINATE_MAX_WORK (pieces of work under way at a time), COORDINATE_MAX_MEMORY (bytes held for \
                clients; 0: half of what there is), COORDINATE_MAX_CONNECTIONS, COORDINATE_MAX_BODY (bytes), COORDINATE_WORKERS (0: one a core). \
                \(Settings.whereAllAre)

                The first line on the standard output is "listening on URL"; logs go to the standard error. SIGTERM, \
                SIGINT or SIGHUP ends the server once requests under way are answered, a second one at once.

                Exit status: 0 after SIGTERM, SIGINT or SIGHUP, 64 for a wrong option, 69 where the address is not to be had or \
                the journal cannot be reached, 70 where the app has kept all workers for ten seconds, 78 for a wrong \
                setting or file, an app with faults, and a journal that is damaged, newer than this program, or in use.
                """
        )
    }

    @Option(help: ArgumentHelp("The address to listen on (default: 127.0.0.1; COORDINATE_HOST).", valueName: "address"))
    var host: String?

    @Option(help: "The port to listen on, 0 for a free one (default: 8080; COORDINATE_PORT).")
    var port: UInt16?

    @OptionGroup var app: AppOptions<Arguments>

    @Option(
        name: .customLong("public"),
        help: ArgumentHelp(
            """
            The folder of the page, empty for none (default: public, where it has an index.html, else the page that \
            comes with the program; COORDINATE_PUBLIC).
            """, valueName: "folder"))
    var publicFolder: String?

    @Option(
        help: ArgumentHelp(
            "Where sessions are kept: \(HostProgram.current.stores.kinds) (default: memory; COORDINATE_JOURNAL).",
            valueName: "journal"))
    var journal: String?

    @Flag(help: "Tell of each request on the standard error, in one line of JSON (COORDINATE_ACCESS_LOG).")
    var accessLog = false

    func validate() throws {
        try journal.map(HostProgram.current.stores.validate)
    }

    func run() async throws {
        LoggingSystem.bootstrap { QueuedLogHandler(label: $0, queue: .standardError) }
        do {
            let host = HostProgram.current
            let settings = try await Settings(of: host, file: app.config, options: values)
            let app = try host.makeApp(data: settings.appData)
            let journal = try settings.journal.open()
            defer {
                journal.close()
                Server.leave()
            }
            let server = try Server(app: app, journal: journal, configuration: settings.server, hooks: host.hooks)
            try await server.run(isWholeProcess: true) { _ in host.didStart(server) }
        } catch let error as ServerError {
            throw ExitCode(error)
        } catch let error as JournalOpeningError {
            throw ExitCode(error)
        }
    }

    /// The given options, by the keys of the settings.
    private var values: [AbsoluteConfigKey: ConfigValue] {
        var values = app.values
        for (key, value) in [("host", host), ("public", publicFolder), ("journal", journal)] {
            if let value { values[AbsoluteConfigKey([key])] = .init(.string(value), isSecret: false) }
        }
        if let port { values["port"] = .init(.int(Int(port)), isSecret: false) }
        if accessLog { values["accessLog"] = .init(.bool(true), isSecret: false) }
        return values
    }
}
