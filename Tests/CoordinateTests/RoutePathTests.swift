import Testing

@testable import Coordinate

struct RoutePathTests {
    private enum Route: DeclaredRoutes {
        case home
        case page(String)
        case edit(String)
        case amount(Double)

        static let declaration = RouteDeclaration<Self>(
            .route("", .home),
            .route("page/{page}", Self.page) { if case .page(let name) = $0 { name } else { nil } },
            .route("page/{page}/edit", Self.edit) { if case .edit(let name) = $0 { name } else { nil } },
            .route("amount/{amount}", Self.amount) { if case .amount(let amount) = $0 { amount } else { nil } }
        )
    }

    @Test(arguments: [
        ("ferrari", "ferrari"), ("a-b.c_d~e", "a-b.c_d~e"), ("a/b", "a%2Fb"), ("a b", "a%20b"), ("100%", "100%25"),
        ("é", "%C3%A9"), ("?#&", "%3F%23%26"), ("{x}", "%7Bx%7D"), ("", ""), ("\u{1F3C1}", "%F0%9F%8F%81"),
    ])
    func aValueIsPercentEncoded(value: String, encoded: String) {
        #expect(RoutePath.encode(value) == encoded)
        #expect(Route.page(value).path?.description == "page/\(encoded)")
    }

    @Test func aPatternMayGoOnAfterItsValue() {
        #expect(Route.edit("a b").path?.description == "page/a%20b/edit")
        #expect(Route.amount(1.5).path?.description == "amount/1.5")
        #expect(Route.declaration.patterns == ["", "page/{page}", "page/{page}/edit", "amount/{amount}"])
    }

    @Test func pathsAreJoinedByOneSlash() throws {
        let path = try #require(Route.page("a").path)
        #expect(RoutePath.empty.appending(path) == path)
        #expect(path.appending(.empty) == path)
        #expect(path.appending(nil) == path)
        #expect(path.appending(Route.page("b").path).description == "page/a/page/b")
        #expect(Route.home.path?.isEmpty == true)
    }

    @Test(arguments: [
        ("/", "/", "/"), ("/", "//", "//"), ("//", "/", "//"), ("//", "//", "///"), ("/a", "//", "/a/"),
        ("//", "/a", "//a"), ("/a/", "/b", "/a//b"), ("/a", "//b", "/a//b"), ("///", "///", "/////"),
        ("/a?x=1", "/b", "/a/b?x=1"), ("/a", "/b?y=2", "/a/b?y=2"), ("/a?x=1", "/b?y=2", "/a/b?x=1&y=2"),
        ("/?x=1", "/b?y=2", "/b?x=1&y=2"), ("/a?x=1", "/?y=2", "/a?x=1&y=2"), ("/?x=1", "/", "/?x=1"),
        ("/", "/?y=2", "/?y=2"), ("/a?x=1", "//", "/a/?x=1"), ("//", "/?y=2", "//?y=2"), ("/?x=1", "//", "//?x=1"),
        ("/a?x=1&x=2", "/b?x=3", "/a/b?x=1&x=2&x=3"),
    ])
    func joinedPathsHaveTheirPartsAndThenTheirQueries(first: String, second: String, whole: String) throws {
        let (one, other) = (try #require(RoutePath(first)), try #require(RoutePath(second)))
        let joined = one.appending(other)
        #expect(joined.link == whole)
        #expect("/\(joined)" == whole)
        #expect(joined == RoutePath(whole))
        #expect(joined.components == one.components + other.components)
        #expect(joined.query == one.query + other.query)
    }

    @Test func onlyDeclaredRoutesHaveAPath() {
        #expect(RoutePath(route: Route.page("a"))?.description == "page/a")
        #expect(RoutePath(route: 1) == nil)
        #expect(RoutePath(route: nil) == nil)
    }
}
