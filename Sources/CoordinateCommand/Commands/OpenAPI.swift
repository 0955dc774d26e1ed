internal import ArgumentParser
internal import CoordinateServer
internal import Foundation

struct OpenAPI: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi",
        abstract: "Prints the API's description.",
        discussion: """
            It is OpenAPI 3.1 in JSON, as in a server's GET /openapi.json, and the same for every app. An app's GET \
            /catalog lists its events and paths.

            Exit status: 0; 64 for a wrong option; 69 if the standard output cannot be written; 78 if the description is not installed beside the program.
            """
    )

    func run() async throws {
        try await ExitCode.reportingErrors {
            guard let description = ShippedPage.description else { throw ServerError.configuration(ShippedPage.remedy) }
            try ExitCode.write(Data(description))
        }
    }
}
