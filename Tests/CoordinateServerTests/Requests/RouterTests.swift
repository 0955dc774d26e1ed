import MicroHTTPD
import Testing

@testable import CoordinateServer

struct RouterTests {
    private static let router = Router(
        ["/a", "/a/{id}", "/a/{id}/b", "/c/d"].map { path in
            Endpoint(.get, path, .read) { _, _, _ in .now(HTTPResponse(status: 200)) }
        } + [Endpoint(.put, "/a", .read) { _, _, _ in .now(HTTPResponse(status: 200)) }])

    private func match(_ path: String) -> (pattern: String, id: String?)? {
        guard let match = Self.router.match(path.utf8.span) else { return nil }
        let id = match.value.map { String(decoding: Array(path.utf8)[$0], as: UTF8.self) }
        return (Self.router.endpoints(of: match)[0].pattern, id)
    }

    @Test(arguments: [
        ("/a", "/a", nil), ("/a/x", "/a/{id}", "x"), ("/a/", "/a/{id}", ""), ("/a/x/b", "/a/{id}/b", "x"),
        ("/a/%2F/b", "/a/{id}/b", "%2F"), ("/c/d", "/c/d", nil), ("/a/b", "/a/{id}", "b"), ("/a//b", "/a/{id}/b", ""),
    ])
    func aPathLeadsToItsEndpoint(path: String, pattern: String, id: String?) throws {
        let found = try #require(match(path))
        #expect(found.pattern == pattern)
        #expect(found.id == id)
    }

    @Test(arguments: [
        "", "/", "*", "a", "/b", "/A", "/a/x/c", "/a/x/b/", "/a/x/b/c", "/a/x/bb", "//a", "/c", "/c/", "/c/e", "/c/dd",
        "/c/d/", "/c//d", "/c/d?", "/%61", "/aa", "/ac",
    ])
    func unknownPathsLeadNowhere(path: String) { #expect(match(path) == nil) }

    @Test func aPathHasOneEndpointPerMethod() throws {
        let found = Self.router.match("/a".utf8.span)
        let match = try #require(found)
        #expect(Self.router.endpoints(of: match).map(\.method) == [.get, .put])
        #expect(Self.router.number(of: match, for: .get) == 0)
        #expect(Self.router.number(of: match, for: .put) == 4)
        #expect(Self.router.number(of: match, for: .post) == nil)
    }
}
