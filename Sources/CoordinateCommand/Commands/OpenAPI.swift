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

            Exit status: 0; 64 for a wrong option; 78 if the description is not installed beside the program.
            """
    )

    func run() async throws {
        guard let description = ShippedPage.description else {
            ExitCode.complain(ShippedPage.remedy)
            throw ExitCode.unusable
        }
        try ExitCode.write(Data(description))
    }
}
