import Testing

/// Every error of the macros: the sentence, its place, and the source after its fix-its.
struct ComplaintTests {
    @Test(arguments: eventRows + routeRows + optionRows)
    func everyErrorSaysWhatToDo(_ row: Row) throws {
        let complaints = Expansion(row.source).complaints
        let complaint = try #require(complaints.first)
        #expect(complaints.count == 1, "\(complaints.map(\.sentence))")
        #expect(complaint.sentence == row.sentence)
        #expect(complaint.place.hasPrefix(row.place), "\(complaint.place)")
        #expect(complaint.corrected == row.corrected)
    }

    @Test(arguments: (eventRows + routeRows + optionRows).flatMap(\.corrected))
    func noErrorRemainsAfterAFixIt(_ source: String) {
        #expect(Expansion(source).complaints.map(\.sentence) == [])
    }

    @Test func allErrorsAreReportedAtOnce() {
        let expansion = Expansion(
            """
            @Events("") enum Teams {
                case select(Team), select
                case compare(_ team: Team, team: Team)
            }
            """)
        #expect(expansion.complaints.map { $0.place.prefix(6) } == ["\"\") en", "select", "Team),", "team: "])
    }

    struct Row: CustomTestStringConvertible {
        let source: String
        let place: String
        let sentence: String
        let corrected: [String]

        init(_ source: String, at place: String, _ sentence: String, corrected: [String] = []) {
            self.source = source
            self.place = place
            self.sentence = sentence
            self.corrected = corrected
        }

        var testDescription: String { sentence }
    }

    static let eventRows = [
        Row(
            #"@Events("teams") struct Teams {}"#, at: "@Events",
            "@Events declares the cases of an enum: write the events as one"),
        Row(
            #"@Events("teams") enum Teams<T> { case reload }"#, at: "<T>",
            "@Events stores a declaration, which a generic type cannot: take the parameters of 'Teams' away"),
        Row(
            #"final class League<T> { @Events("teams") enum Teams { case reload } }"#, at: "@Events",
            "@Events stores a declaration, which a type in a generic one cannot: move 'Teams' out of 'League'"),
        Row(
            #"struct AppEvents { @Events("teams") private enum Teams { case reload } }"#, at: "private",
            "@Events writes an extension, which sees nothing private: make 'Teams' fileprivate",
            corrected: [#"struct AppEvents { @Events("teams") fileprivate enum Teams { case reload } }"#]),
        Row(
            #"struct App { private struct AppEvents { @Events("teams") enum Teams { case reload } } }"#, at: "@Events",
            "@Events writes an extension, which sees nothing private: make 'AppEvents' fileprivate"),
        Row(
            #"@Events("teams") enum Teams { case reload; static let declaration = 1 }"#, at: "declaration = 1",
            "@Events writes 'declaration' itself: take this one away, or the macro"),
        Row(
            #"@Events("") enum Teams { case reload }"#, at: #""")"#,
            "the domain is empty: an event's full name is 'domain.case', so name the domain"),
        Row(
            #"@Events("app.teams") enum Teams { case reload }"#, at: #""app.teams""#,
            "the domain 'app.teams' has a dot: an event's full name is 'domain.case', so write it without a dot"),
        Row(
            #"@Events("app teams") enum Teams { case reload }"#, at: #""app teams""#,
            "the domain 'app teams' has a space: an event's full name is 'domain.case', so write it without a space"),
        Row(
            #"@Events(domain) enum Teams { case reload }"#, at: "domain)",
            #"the domain of events is a literal without values in it: "teams""#),
        Row(
            #"@Events("\(domain)") enum Teams { case reload }"#, at: #""\(domain)""#,
            #"the domain of events is a literal without values in it: "teams""#),
        Row(
            #"@Events("navigation") enum Teams { case reload }"#, at: #""navigation""#,
            "the domain 'navigation' is the library's own: name this one otherwise"),
        Row(
            #"@Events("teams") enum Teams { case select(_ team: Team), select(_ driver: Driver) }"#,
            at: "select(_ driver",
            "two cases are called 'select', which @Events knows them by: name this one otherwise"),
        Row(
            #"@Events("teams") enum Teams { case select(Int) }"#, at: "Int)",
            "a value of 'select' has no name, and is a field of its payload: name it",
            corrected: [#"@Events("teams") enum Teams { case select(_ int: Int) }"#]),
        Row(
            #"@Events("teams") enum Teams { case select(_: League.Team?) }"#, at: "_: League",
            "a value of 'select' has no name, and is a field of its payload: name it",
            corrected: [#"@Events("teams") enum Teams { case select(_ team: League.Team?) }"#]),
        Row(
            #"@Events("teams") enum Teams { case open(URLRequest) }"#, at: "URLRequest)",
            "a value of 'open' has no name, and is a field of its payload: name it",
            corrected: [#"@Events("teams") enum Teams { case open(_ urlRequest: URLRequest) }"#]),
        Row(
            #"@Events("teams") enum Teams { case select([Team]) }"#, at: "[Team])",
            "a value of 'select' has no name, and is a field of its payload: name it"),
        Row(
            #"@Events("teams") enum Teams { case compare(_ team: Team, Team) }"#, at: "Team)",
            "a value of 'compare' has no name, and is a field of its payload: name it"),
        Row(
            #"@Events("teams") enum Teams { case compare(_ team: Team, team: Team) }"#, at: "team: Team)",
            """
            two values of 'compare' are called 'team', and a payload has one field of a name: give this one another
            """),
        Row(
            #"@Events("teams") indirect enum Teams { case reload }"#, at: "indirect",
            "the values of a case are plain and hold no other case of its enum: take 'indirect' away",
            corrected: [#"@Events("teams") enum Teams { case reload }"#]),
        Row(
            #"@Events("teams") enum Teams { indirect case again(_ event: Teams) }"#, at: "indirect",
            "the values of a case are plain and hold no other case of its enum: take 'indirect' away",
            corrected: [#"@Events("teams") enum Teams { case again(_ event: Teams) }"#]),
        Row(
            """
            @Events("teams") enum Teams {
                #if DEBUG
                case crash
                #endif
            }
            """, at: "#if DEBUG",
            "@Events cannot tell whether an #if holds: move the cases out of it, or declare all by hand"),
        Row(
            #"enum Teams { @AppOnly case didLoad }"#, at: "@AppOnly",
            "@AppOnly is read by @Events: write that in front of 'Teams', or take this away"),
        Row(
            #"@Events("teams") enum Teams { @AppOnly func didLoad() {} }"#, at: "@AppOnly",
            "@AppOnly marks a case of an enum: write it in front of one"),
    ]

    static let routeRows = [
        Row(
            "@Routes final class Route {}", at: "@Routes",
            "@Routes declares the cases of an enum: write the routes as one"),
        Row(
            "@Routes enum Route { case list }", at: "list",
            #"'list' has no path: write one in front of the case, '@Path("list")'"#,
            corrected: [#"@Routes enum Route { @Path("list") case list }"#]),
        Row(
            "@Routes enum Route { case compare(_ driver: Driver, Team) }", at: "compare",
            #"'compare' has no path: write one in front of the case, '@Path("compare/{driver}/{team}")'"#,
            corrected: [
                #"@Routes enum Route { @Path("compare/{driver}/{team}") case compare(_ driver: Driver, Team) }"#
            ]),
        Row(
            #"@Routes enum Route { @Path("") case list, filter }"#, at: "@Path",
            "@Path belongs to one case: write each of these in a line of its own"),
        Row(
            #"@Routes enum Route { @Path("") @Path("list") case list }"#, at: #"@Path("list")"#,
            "'list' has a path already: take one away, or declare these routes by hand"),
        Row(
            #"@Routes enum Route { @Path("list/\(0)") case list }"#, at: #""list"#,
            #"a path is a literal without values in it: "team/{team}""#),
        Row(
            #"@Routes enum Route { @Path("team/{team") case team(Team) }"#, at: #""team/{team""#,
            "'{team' is neither a word nor a name in braces: write a word, or '{name}' for a value"),
        Row(
            #"@Routes enum Route { @Path("{}") case team(Team) }"#, at: #""{}""#,
            "'{}' is neither a word nor a name in braces: write a word, or '{name}' for a value"),
        Row(
            #"@Routes enum Route { @Path("search?query") case search(String) }"#, at: #""search?"#,
            "'query' is no item of a query: write 'name={value}'"),
        Row(
            #"@Routes enum Route { @Path("search?q={a}&q={b}") case search(String, String) }"#, at: #""search?"#,
            "the query has two items 'q': give one of them another name"),
        Row(
            #"@Routes enum Route { @Path("compare/{driver}") case compare(Driver, Driver, Driver) }"#,
            at: #""compare"#,
            "the path has 1 place in braces, and 'compare' has 3 values: write a place for each"),
        Row(
            #"@Routes enum Route { @Path("team/{team}/{tab}") case team(Team) }"#, at: #""team"#,
            "the path has 2 places in braces, and 'team' has 1 value: write a place for each"),
        Row(
            #"@Routes enum Route { @Path("team") case team(_ team: Team) }"#, at: "_ team: Team",
            """
            the path has no place for this value: write the path "team/{team}", or 'Team?' where it is the route of a \
            child
            """,
            corrected: [
                #"@Routes enum Route { @Path("team/{team}") case team(_ team: Team) }"#,
                #"@Routes enum Route { @Path("team") case team(_ team: Team?) }"#,
            ]),
        Row(
            #"@Routes enum Route { @Path("search?q={query}") case search(String, page: Int?) }"#, at: "page: Int?",
            #"the path has no place for this value: write the path "search?q={query}&page={page}""#,
            corrected: [
                #"@Routes enum Route { @Path("search?q={query}&page={page}") case search(String, page: Int?) }"#
            ]),
        Row(
            #"@Routes enum Route { @Path("{a}/{b}/{c}/{d}") case deep(A, B, C, D, Child.Route?) }"#, at: "deep(",
            """
            'deep' has 4 values besides the child's route, and three are the most: make one type of some of them
            """),
        Row(
            #"@Routes enum Route { @Path("list/{page}") case list(page: Int?) }"#, at: "page: Int?",
            "an optional value stands in the query: write '?page={page}' at the end of the path, or 'Int' here"),
        Row(
            #"@Routes enum Route { @Path("teams?ids={ids}") case teams(_ ids: [Int]) }"#, at: "_ ids",
            "a list cannot stand in a path: take it out of 'teams'"),
        Row(
            #"@Routes enum Route { @Path("reset?code={code}") case reset(_ code: Secret?) }"#, at: "_ code",
            "a secret cannot stand in a path: take it out of 'reset'"),
        Row(
            #"@Routes enum Route { @Path("{to}/{from}") case trip(from: Int, to: Int) }"#, at: #""{to}"#,
            """
            the values of 'trip' have another order than their places, those of the query last: write them in the \
            order to, from
            """),
        Row(
            #"@Routes enum Route { @Path("list") case list; @Path("/list") case all }"#, at: #""/list""#,
            "'list' is at this path already: give 'all' one of its own"),
        Row(
            #"@Routes enum Route { @Path("{id}") case team(Int); @Path("{number}") case driver(Int) }"#,
            at: #""{number}""#,
            "'team' is at this path already: give 'driver' one of its own"),
        Row(
            #"@Routes enum Route { @Path("") case list; @Path("a") case list(Child.Route?) }"#, at: "list(Child",
            "two cases are called 'list', which @Routes knows them by: name this one otherwise"),
        Row(
            #"enum Route { @Path("") case list }"#, at: "@Path",
            "@Path is read by @Routes: write that in front of 'Route', or take this away"),
    ]

    static let optionRows = [
        Row(
            "@Options enum ShopOptions {}", at: "@Options",
            "@Options declares the properties of a struct: write the options as one"),
        Row(
            "@Options struct ShopOptions { let locale = 1 }", at: "let",
            "a session sets 'locale', which a constant cannot be: write 'var', or 'static let' where it is none",
            corrected: ["@Options struct ShopOptions { var locale = 1 }"]),
        Row(
            "@Options struct ShopOptions { var limit: Int }", at: "limit",
            "'limit' has no value where a client sets none: write a default, '= …', or make it optional"),
        Row(
            "@Options struct ShopOptions { private var limit = 1 }", at: "private",
            "an option is there to be set: take 'private' away from 'limit'",
            corrected: ["@Options struct ShopOptions { var limit = 1 }"]),
        Row(
            "@Options struct ShopOptions { lazy var limit = 1 }", at: "lazy",
            "an option has its default from the beginning: take 'lazy' away from 'limit'",
            corrected: ["@Options struct ShopOptions { var limit = 1 }"]),
        Row(
            "@Options struct ShopOptions { var (first, last) = (1, 2) }", at: "(first",
            "an option has a name of its own: write a 'var' for each"),
        Row(
            "@Options struct ShopOptions { var pin: Secret? }", at: "Secret?",
            "options are recorded with their session, so 'pin' cannot be a secret: send it in an event"),
        Row(
            """
            @Options struct ShopOptions {
                #if DEBUG
                var limit = 1
                #endif
            }
            """, at: "#if DEBUG",
            "@Options cannot tell whether an #if holds: move the options out of it, or declare all by hand"),
        Row(
            "struct App<T> { @Options struct ShopOptions { var limit = 1 } }", at: "@Options",
            "@Options stores a declaration, which a type in a generic one cannot: move 'ShopOptions' out of 'App'"),
    ]
}
