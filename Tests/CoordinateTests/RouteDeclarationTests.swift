import Coordinate
import Testing

/// What can be declared, and that it is read as it is written.
struct RouteDeclarationTests {
    private let shop = ShopRoute.declaration

    private func route(at link: String) -> ShopRoute? {
        RoutePath(link).flatMap { shop.route(at: $0, in: nil) }
    }

    @Test(arguments: [
        (ShopRoute.home, "/"), (.article(""), "/article/"), (.article("a/b"), "/article/a%2Fb"),
        (.article("\n"), "/article/%0A"), (.number(.min), "/number/-9223372036854775808"),
        (.price(1e300), "/price/1e%2B300"), (.price(-0.5), "/price/-0.5"), (.sale(true), "/sale/true/today"),
        (.compare("", ""), "/compare//"), (.day(2026, 11, 21), "/day/2026/11/21"),
        (.visit(1, 2, 3, place: "a b", zone: nil), "/visit/1/2/3?place=a%20b"),
        (.visit(1, 2, 3, place: "", zone: "+"), "/visit/1/2/3?place=&zone=%2B"),
        (.search("shoes"), "/search?q=shoes"), (.search(""), "/search?q="),
        (.results("a", page: 2, isNew: nil), "/results?q=a&page=2"),
        (.results("a", page: nil, isNew: false), "/results?q=a&is%20new=false"),
        (.filter(nil), "/filter"), (.filter(""), "/filter?by="),
        (.order("17", .overview), "/orders/17"), (.order("17", .payment), "/orders/17/again/payment"),
        (.order("", .overview), "/orders/"), (.order("17", .list(page: 2)), "/orders/17?page=2"),
        (.shelf("a", 1, .item("b", from: "c")), "/shelf/a/item/b?row=1&from=c"),
        (.box(1, 2, label: nil, .note("")), "/box/1/2/note/"),
        (
            .box(1, 2, label: "a", .deeper("b", .topic("c", language: "d"))),
            "/box/1/2/deeper/help/c/in?label=a&level=b&language=d"
        ),
        (.help(.help), "/help"), (.help(.topic("a", language: nil)), "/help/a/in"),
    ])
    func aRouteIsReadFromItsPathWithItsQueryAtTheEnd(route: ShopRoute, link: String) {
        #expect(shop.wholePath(of: route).map { "/\($0)" } == link)
        #expect(RoutePath(link) == shop.wholePath(of: route))
        #expect(self.route(at: link) == route)
    }

    @Test(arguments: [
        ("/search?q=red+shoes", ShopRoute.search("red shoes")), ("/search?q=a%2bb", .search("a+b")),
        ("/search?q", .search("")), ("/results?page=2&q=a", .results("a", page: 2, isNew: nil)),
        ("/shelf/a/item/b?from=c&row=1", .shelf("a", 1, .item("b", from: "c"))),
    ])
    func aLinkMayBeSpeltOtherwise(link: String, route: ShopRoute) {
        #expect(self.route(at: link) == route)
    }

    @Test(arguments: [
        "/search", "/search/", "/search?p=a", "/search?q=a&p=b", "/search?q=a&q=a", "/search?Q=a", "/search/a?q=b",
        "//search?q=a",
        "/results?q=a&page=x", "/results?q=a&page=", "/results?page=2", "/results?q=a&page=1&page=2",
        "/filter?by=a&by=b", "/article/a?q=b", "/?q=a", "//", "/article", "/article/a/", "/number/", "/day/2026/13/1",
        "/orders", "/orders/17/", "/orders/17/again", "/orders/17/payment", "/orders/17?page=",
        "/orders/17?page=1&page=2",
        "/orders/17/again/payment?page=1", "/shelf/a", "/shelf/a?row=-1", "/shelf/a?row=1&row=2",
        "/shelf/a?row=1&label=b",
        "/box/1/x", "/box/1/2?row=1", "/help/", "//help", "/help/a", "/help/a/in?row=1", "/orders/17/help",
    ])
    func whatNoPatternFitsLeadsNowhere(link: String) { #expect(route(at: link) == nil) }

    @Test func patternsHaveNoStraySlashes() {
        let below = [
            "", "/again/payment", "/note/{note}", "?page={page}", "/item/{item}?from={place}",
            "/deeper/help?level={level}", "/deeper/help/{topic}/in?level={level}&language={language}",
        ]
        let patterns = shop.patterns
        #expect(patterns == RouteCatalog(ShopRoute.self).patterns)
        #expect(Set(patterns).count == patterns.count)
        for pattern in below { #expect(patterns.contains("orders/{order}\(pattern)")) }
        #expect(patterns.first == "")
        #expect(patterns.contains("search?q={query}"))
        #expect(patterns.contains("shelf/{shelf}/item/{item}?row={row}&from={place}"))
        #expect(patterns.suffix(2) == ["help", "help/{topic}/in?language={language}"])
    }

    @Test func withoutItsChildARouteHasItsOwnPath() {
        #expect(shop.path(of: .shelf("a", 1, .payment))?.description == "shelf/a?row=1")
        #expect(shop.path(of: .help(.help))?.isEmpty == true)
        #expect(shop.wholePath(of: .order("17", nil))?.description == "orders/17")
    }

    @Test func anEmptyValueMayBeAllOfAPath() throws {
        enum Route: DeclaredRoutes {
            case nothing
            case name(String)
            case names(String, String)
            static let declaration = RouteDeclaration<Self>(
                .route("", .nothing),
                .route("{name}", Self.name) { if case .name(let name) = $0 { name } else { nil } },
                .route("{name}/{name}", Self.names) {
                    if case .names(let one, let other) = $0 { (one, other) } else { nil }
                })
        }
        for (route, link) in [
            (Route.nothing, "/"), (.name(""), "//"), (.name("a"), "/a"), (.names("", ""), "///"),
            (.names("", "a"), "//a"), (.names("a", ""), "/a/"),
        ] {
            let path = try #require(Route.declaration.path(of: route))
            #expect("/\(path)" == link)
            #expect(RoutePath(link) == path)
            #expect(Route.declaration.route(at: path, in: nil) == route)
        }
    }
}
