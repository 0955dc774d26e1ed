import Coordinate
import Testing

struct RoutePathReadingTests {
    @Test(arguments: [
        ("/", []), ("/main", ["main"]), ("/main/teams", ["main", "teams"]), ("/a%2Fb/c", ["a/b", "c"]),
        ("/a%2fb", ["a/b"]), ("/%C3%A9", ["é"]), ("/é", ["é"]), ("/a%20b", ["a b"]), ("/a+b", ["a+b"]),
        ("/100%25", ["100%"]), ("/%2525", ["%25"]), ("/%00", ["\0"]), ("/.", ["."]), ("/a/../b", ["a", "..", "b"]),
        ("/%3F", ["?"]), ("/a b", ["a b"]), ("/%23", ["#"]), ("/a&b=c", ["a&b=c"]), ("/a/\u{338}b", ["a", "\u{338}b"]),
    ])
    func aPathIsReadPartByPart(path: String, components: [String]) {
        #expect(RoutePath(path)?.components == components)
        #expect(RoutePath(path)?.query == [])
    }

    @Test(arguments: [
        ("//", [""]), ("///", ["", ""]), ("//main", ["", "main"]), ("/main/", ["main", ""]),
        ("/main//", ["main", "", ""]), ("/main//teams", ["main", "", "teams"]),
        ("/main/teams/", ["main", "teams", ""]),
        ("//?q=", [""]), ("/a/?q=", ["a", ""]),
    ])
    func aPartMayBeEmpty(path: String, components: [String]) throws {
        let read = try #require(RoutePath(path))
        #expect(read.components == components)
        #expect("/\(read)" == path)
        #expect(!read.isEmpty)
    }

    @Test(arguments: [
        ("/search?q=shoes", "q", "shoes"), ("/search?q=", "q", ""), ("/search?q", "q", ""), ("/?q=a", "q", "a"),
        ("/search?q=a+b", "q", "a b"), ("/search?q=a%20b", "q", "a b"), ("/search?q=a%2Bb", "q", "a+b"),
        ("/search?q=a=b", "q", "a=b"), ("/search?q=a%26b", "q", "a&b"), ("/search?q=a/b?c", "q", "a/b?c"),
        ("/search?q=%23", "q", "#"), ("/search?a+b=c", "a b", "c"), ("/search?%71=%C3%A9", "q", "é"),
        ("/search?q=é", "q", "é"), ("/search?q=%25", "q", "%"),
    ])
    func anItemOfAQueryIsRead(path: String, name: String, value: String) {
        #expect(RoutePath(path)?.query == [RoutePath.Item(name, value)])
    }

    @Test func itemsAreReadInTheirOrder() throws {
        let path = try #require(RoutePath("/a/b?x=1&y=&x=2"))
        #expect(path.components == ["a", "b"])
        #expect(path.query == [RoutePath.Item("x", "1"), RoutePath.Item("y", ""), RoutePath.Item("x", "2")])
        #expect(path.description == "a/b?x=1&y=&x=2")
    }

    @Test(arguments: [
        "", "main", "main/teams", "/%", "/a%", "/a%2", "/%zz", "/%2", "/%+1", "/% 1", "/%FF", "/%C3", "/a/%ED%A0%80",
        " /main", "?q=a", "#", "/#", "/main#top", "/main?q=a#top", "/main?", "/?", "/main?&", "/main?q=a&",
        "/main?&q=a", "/main?q=a&&p=b", "/main?=a", "/main?q=%", "/main?q=%2", "/main?q=%zz", "/main?q=%FF",
        "/main?%=a", "/main?%C3=a",
    ])
    func whatIsNoPathIsRefused(path: String) { #expect(RoutePath(path) == nil) }

    @Test(arguments: [
        ("/a%2fb", "a%2Fb"), ("/%61", "a"), ("/é", "%C3%A9"), ("/a b", "a%20b"), ("/", ""), ("/a/b", "a/b"),
        ("/a+b", "a%2Bb"), ("//", "/"), ("/a?q=b+c", "a?q=b%20c"), ("/a?%71=b/c?d=e", "a?q=b%2Fc%3Fd%3De"),
        ("/a?q", "a?q="), ("/?q=a", "?q=a"), ("//?q=a", "/?q=a"),
    ])
    func onePathHasOneSpelling(path: String, description: String) {
        #expect(RoutePath(path)?.description == description)
        #expect(RoutePath("/\(description)") == RoutePath(path))
    }
}
