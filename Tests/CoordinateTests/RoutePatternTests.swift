import Testing

@testable import Coordinate

struct RoutePatternTests {
    @Test(arguments: [
        ("", ""), ("team/{team}", "team/{team}"), ("/team//{team}/", "team/{team}"), ("again/payment", "again/payment"),
        ("search?q={query}", "search?q={query}"), ("?q={query}", "?q={query}"),
        ("{a}/b/{c}?d={e}&f={g}", "{a}/b/{c}?d={e}&f={g}"), ("a?q={q}&p={q}", "a?q={q}&p={q}"),
    ])
    func aPatternIsListedAsItIsRead(pattern: String, listed: String) {
        #expect(RoutePattern(pattern).description == listed)
        #expect(RoutePattern(pattern).problem == nil)
    }

    @Test(arguments: [
        "{", "}", "{}", "a/{b", "a/b}", "a/{b}c", "a/{{b}}", "a/x{b}", "a?", "a?q", "a?q=", "a?q=b", "a?q={b", "a?q={}",
        "a?={b}", "a?q={b}&", "a?&q={b}", "a?q={b}&q={c}", "a?{b}", "a?q={b}={c}",
    ])
    func aMalformedPatternIsFound(pattern: String) { #expect(RoutePattern(pattern).problem != nil) }

    @Test(arguments: [
        ("a", []), ("a/{b}", [PlaceInRoutes.anywhere]), ("a/{b}?c={d}", [.anywhere, .anywhere]), ("a?c={d}", [.query]),
        ("a/{b}?c={d}", [.anywhere, .query]),
    ])
    func thereIsOnePlaceForEachValue(pattern: String, values: [PlaceInRoutes]) {
        #expect(RoutePattern(pattern).problem(of: values) == nil)
        #expect(RoutePattern(pattern).problem(of: values + [.anywhere]) != nil)
        if !values.isEmpty { #expect(RoutePattern(pattern).problem(of: values.dropLast()) != nil) }
    }

    @Test func onlyAnItemOfAQueryCanBeLeftOut() {
        #expect(RoutePattern("a/{b}").problem(of: [.query]) != nil)
        #expect(RoutePattern("a/{b}?c={d}").problem(of: [.query, .anywhere]) != nil)
    }

    @Test func listsObjectsAndSecretsAreInNoPath() {
        #expect(RoutePattern("a/{b}").problem(of: [.nowhere]) != nil)
        #expect(RoutePattern("a?b={b}").problem(of: [.nowhere]) != nil)
        #expect([Int].placeInRoutes == .nowhere)
        #expect([Int]?.placeInRoutes == .nowhere)
        #expect(Secret.placeInRoutes == .nowhere)
        #expect(Int?.placeInRoutes == .query)
        #expect(Int.placeInRoutes == .anywhere)
    }

    @Test(arguments: [
        ("", "", ""), ("main", "", "main"), ("", "main", "main"), ("main", "teams", "main/teams"),
        ("a?b={c}", "", "a?b={c}"), ("", "a?b={c}", "a?b={c}"), ("a?b={c}", "d?e={f}", "a/d?b={c}&e={f}"),
        ("{a}", "{b}?c={d}", "{a}/{b}?c={d}"),
    ])
    func patternsAreJoinedAsPathsAre(first: String, second: String, whole: String) {
        #expect(RoutePattern(first).appending(RoutePattern(second)).description == whole)
    }

    @Test func aNameMayStandInOneQueryOnce() {
        let outer = RoutePattern("a?q={b}")
        #expect(outer.appending(RoutePattern("c?p={d}")).problem == nil)
        #expect(outer.appending(RoutePattern("c?q={d}")).problem != nil)
        #expect(outer.appending(RoutePattern("c?q")).problem != nil)
    }
}
