internal import ArgumentParser
internal import CoordinateServer
internal import Foundation

struct OpenAPI: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "openapi",
            abstract: "Prints the API's description, with the app's types.",
            discussion: """
                It is OpenAPI 3.1 in JSON, as in a server's GET /openapi.json: generators create typed clients from \
                it. Each event of the app is a schema.

                Exit status: 0; 64 for a wrong option; 69 if the standard output cannot be written; 78 if the \
                description is not installed beside the program, or the app cannot be created.
                """
        )
    }

    @Flag(help: "Print the description that fits every app, as in GET /openapi.json?generic.")
    var generic = false

    @OptionGroup var app: AppOptions

    func run() async throws {
        try await ExitCode.reportingErrors {
            let app = generic ? nil : try await app.load().app
            guard let description = app.map(ShippedPage.description(of:)) ?? ShippedPage.description else {
                throw ServerError.configuration(ShippedPage.remedy)
            }
            try ExitCode.write(Data(description))
        }
    }
}
