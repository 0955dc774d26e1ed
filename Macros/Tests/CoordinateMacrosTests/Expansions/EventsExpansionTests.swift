import Testing

struct EventsExpansionTests {
    @Test func everyCaseIsALineOfTheDeclaration() {
        expectExpansion(
            """
            struct AppEvents {
                @Events("teams")
                enum Teams {
                    case didSelect(_ team: Team)
                    case add(_ product: Product, count: Int, note: String?)
                    @AppOnly case didLoad(_ results: [Result])
                    case reload
                }
            }
            """,
            """
            struct AppEvents {
                enum Teams {
                    case didSelect(_ team: Team)
                    case add(_ product: Product, count: Int, note: String?)
                    case didLoad(_ results: [Result])
                    case reload
                }
            }

            extension AppEvents.Teams: DeclaredEvents, Equatable {
                static let declaration = EventDeclaration<Self>(
                    "teams",
                    .event("didSelect", Self.didSelect, "team") {
                        if case .didSelect(let team) = $0 { team } else { nil }
                    },
                    .event("add", Self.add, "product", "count", "note") {
                        if case .add(let product, let count, let note) = $0 { (product, count, note) } else { nil }
                    },
                    .event("didLoad", Self.didLoad, "results") {
                        if case .didLoad(let results) = $0 { results } else { nil }
                    }.appOnly,
                    .event("reload", .reload)
                )
            }
            """)
    }

    @Test func theDeclarationIsAsPublicAsItsEnum() {
        expectExpansion(
            """
            @Events("menu")
            public enum MenuEvents {
                case open, close
            }
            """,
            """
            public enum MenuEvents {
                case open, close
            }

            extension MenuEvents: DeclaredEvents, Equatable {
                public static let declaration = EventDeclaration<Self>(
                    "menu",
                    .event("open", .open),
                    .event("close", .close)
                )
            }
            """)
    }

    @Test func anExtensionPassesOnItsAccessLevel() {
        expectExpansion(
            """
            package extension AppEvents {
                @Events("menu") enum Menu {
                    case open
                }
            }
            """,
            """
            package extension AppEvents {
                enum Menu {
                    case open
                }
            }

            extension AppEvents.Menu: DeclaredEvents, Equatable {
                package static let declaration = EventDeclaration<Self>(
                    "menu",
                    .event("open", .open)
                )
            }
            """)
    }

    @Test func keywordsAreInBackticksExceptInStrings() {
        expectExpansion(
            """
            @Events("words") enum Words {
                @AppOnly case `default`
                case `init`(in: Int, _ `for`: Int)
            }
            """,
            """
            enum Words {
                case `default`
                case `init`(in: Int, _ `for`: Int)
            }

            extension Words: DeclaredEvents, Equatable {
                static let declaration = EventDeclaration<Self>(
                    "words",
                    .event("default", .`default`).appOnly,
                    .event("init", Self.`init`, "in", "for") {
                        if case .`init`(let `in`, let `for`) = $0 { (`in`, `for`) } else { nil }
                    }
                )
            }
            """)
    }
}
