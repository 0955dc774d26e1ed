package import Coordinate
package import MicroHTTPD

/// The parts of a server while it is created. A ``HostEndpoint`` adds to them.
package struct ServerParts: Sendable {
    package let app: any CoordinatedApp
    package var files: PublicFiles
    package var endpoints = API.endpoints
    /// The endpoints below `/x/`, which metrics and logs do not tell apart.
    var ownEndpoints: [Endpoint] = []
    package var pages: PageFolder?

    init(of app: any CoordinatedApp, files: PublicFiles) {
        self.app = app
        self.files = files
    }
}

/// A path, and all paths below it, to which the server answers with pages for people. Refusals are pages as well.
package final class PageFolder: Sendable {
    package typealias Conversion = @Sendable (HTTPResponse) -> HTTPResponse
    package typealias MakeConversion =
        @Sendable (
            _ api: API, _ request: borrowing HTTPRequest, _ requester: Requester?
        ) -> Conversion
    package typealias BodyPlan =
        @Sendable (
            _ api: API, _ request: borrowing HTTPRequest, _ isRefused: Bool
        ) -> HTTPBodyPlan?

    /// The path, such as `/app`.
    let root: String
    let conversion: MakeConversion
    let bodyPlan: BodyPlan

    /// - Parameters:
    ///   - bodyPlan: The plan for a body. `nil` for a refused request whose body is not read.
    ///   - conversion: Returns the function that converts a response to a page, if it is none. The requester is `nil` until
    ///     the gate has let the request in.
    package init(root: String, bodyPlan: @escaping BodyPlan, conversion: @escaping MakeConversion) {
        self.root = root
        self.bodyPlan = bodyPlan
        self.conversion = conversion
    }
}

extension API {
    /// Whether a request is for a page.
    func isForPage(_ request: borrowing HTTPRequest) -> Bool {
        guard let pages else { return false }
        return request.withPath { path in path.hasPart(pages.root.utf8.span, at: 0) }
    }

    /// Converts the answer to a request of a person: problems become pages, and JSON is indented.
    ///
    /// - Parameter passage: The passage of a request that the gate has let in; `nil` for any other.
    func convertForPeople(_ request: borrowing HTTPRequest, by passage: Passage? = nil) {
        let redaction = passage?.redaction
        if let pages, isForPage(request) {
            request.convertAnswer(by: pages.conversion(self, request, passage?.requester))
        } else if request.wantsIndentedJSON {
            request.convertAnswer { response in (redaction?(response) ?? response).indented }
        } else if let redaction {
            request.convertAnswer { response in redaction(response) }
        }
    }
}
