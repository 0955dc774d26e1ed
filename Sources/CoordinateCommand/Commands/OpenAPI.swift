internal import ArgumentParser
internal import CoordinateServer
internal import Foundation

struct OpenAPI: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi",
        abstract: "Prints the description of the API.",
        discussion: """
            It is OpenAPI 3.1 in JSON, what a server answers GET /openapi.json with, and the same for every app: the \
            events and paths of an app are in its GET /catalog.

            Exit status: 0, 64 for a wrong option, 78 where the description was not installed beside the program.
            """
    )

    func run() async throws {
        guard let description = ShippedPage.description else {
            ExitCode.complain(ShippedPage.remedy)
            throw ExitCode.unusable
        }
        try? FileHandle.standardOutput.write(contentsOf: Data(description))
    }
}
