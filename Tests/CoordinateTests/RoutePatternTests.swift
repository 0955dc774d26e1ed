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
    func aMalformedPatternIsFound(pattern: String) {
        #expect(RoutePattern(pattern).problem != nil)
    }

    @Test(arguments: [
        ("a", []), ("a/{b}", [false]), ("a/{b}?c={d}", [false, false]), ("a?c={d}", [true]),
        ("a/{b}?c={d}", [false, true]),
    ])
    func thereIsOnePlaceForEachValue(pattern: String, optional: [Bool]) {
        #expect(RoutePattern(pattern).problem(optional: optional) == nil)
        #expect(RoutePattern(pattern).problem(optional: optional + [false]) != nil)
        if !optional.isEmpty { #expect(RoutePattern(pattern).problem(optional: optional.dropLast()) != nil) }
    }

    @Test func onlyAnItemOfAQueryCanBeLeftOut() {
        #expect(RoutePattern("a/{b}").problem(optional: [true]) != nil)
        #expect(RoutePattern("a/{b}?c={d}").problem(optional: [true, false]) != nil)
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
