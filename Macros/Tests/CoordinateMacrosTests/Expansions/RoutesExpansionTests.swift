import Testing

struct RoutesExpansionTests {
    @Test func everyCaseIsALineOfTheDeclaration() {
        expectExpansion(
            """
            extension ShopCoordinator: HasRoutes {
                @Routes
                enum Route {
                    @Path("") case list
                    @Path("team/{team}") case team(_ team: Team)
                    @Path("search?q={query}&page={page}") case search(String, page: Int?)
                }
            }
            """,
            """
            extension ShopCoordinator: HasRoutes {
                enum Route {
                    case list
                    case team(_ team: Team)
                    case search(String, page: Int?)
                }
            }

            extension ShopCoordinator.Route: DeclaredRoutes {
                static let declaration = RouteDeclaration<Self>(
                    .route("", .list),
                    .route("team/{team}", Self.team) {
                        if case .team(let team) = $0 { team } else { nil }
                    },
                    .route("search?q={query}&page={page}", Self.search) {
                        if case .search(let query, let page) = $0 { (query, page) } else { nil }
                    }
                )
            }
            """)
    }

    @Test func aValueWithoutAPlaceIsTheRouteOfAChild() {
        expectExpansion(
            """
            @Routes public enum Route {
                @Path("teams") case teams(TeamsCoordinator.Route?)
                @Path("orders/{order}?tab={tab}") case order(Int, _ tab: Tab, OrderCoordinator.Route?)
                @Path("") case help(Optional<HelpCoordinator.Route>)
            }
            """,
            """
            public enum Route {
                case teams(TeamsCoordinator.Route?)
                case order(Int, _ tab: Tab, OrderCoordinator.Route?)
                case help(Optional<HelpCoordinator.Route>)
            }

            extension Route: DeclaredRoutes {
                public static let declaration = RouteDeclaration<Self>(
                    .nested("teams", Self.teams, endsHere: true) {
                        if case .teams(let child) = $0 { child } else { nil }
                    },
                    .nested("orders/{order}?tab={tab}", Self.order, endsHere: true) {
                        if case .order(let order, let tab, let child) = $0 { (order, tab, child) } else { nil }
                    },
                    .nested("", Self.help) {
                        if case .help(let child) = $0 { child } else { nil }
                    }
                )
            }
            """)
    }

    @Test func aLiteralKeepsItsText() {
        expectExpansion(
            """
            @Routes enum Route {
                @Path(/* the first */ #"list"#) case list
            }
            """,
            """
            enum Route {
                case list
            }

            extension Route: DeclaredRoutes {
                static let declaration = RouteDeclaration<Self>(
                    .route("list", .list)
                )
            }
            """)
    }

    @Test func valuesHaveTheNamesOfTheirPlacesIfThoseAreUnique() {
        expectExpansion(
            """
            @Routes enum Route {
                @Path("compare/{driver}/{driver}") case compare(Driver, Driver)
                @Path("{first name}/{class}/{2}") case odd(String, String, Int)
            }
            """,
            """
            enum Route {
                case compare(Driver, Driver)
                case odd(String, String, Int)
            }

            extension Route: DeclaredRoutes {
                static let declaration = RouteDeclaration<Self>(
                    .route("compare/{driver}/{driver}", Self.compare) {
                        if case .compare(let driver, let value2) = $0 { (driver, value2) } else { nil }
                    },
                    .route("{first name}/{class}/{2}", Self.odd) {
                        if case .odd(let value1, let value2, let value3) = $0 { (value1, value2, value3) } else { nil }
                    }
                )
            }
            """)
    }
}
