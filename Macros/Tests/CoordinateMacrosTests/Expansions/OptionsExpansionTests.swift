import Testing

struct OptionsExpansionTests {
    @Test func everyStoredPropertyIsAnOption() {
        expectExpansion(
            """
            @Options
            struct ShopOptions {
                static let standard = ShopOptions()
                var locale = Language.english
                var testPayments = false, limit: Int?
                var `default`: Int = 3 { didSet { limit = nil } }
                var isGerman: Bool { locale == .german }
                var isEnglish: Bool { get { locale == .english } set { locale = .english } }
                func with(_ language: Language) -> Self { self }
            }
            """,
            """
            struct ShopOptions {
                static let standard = ShopOptions()
                var locale = Language.english
                var testPayments = false, limit: Int?
                var `default`: Int = 3 { didSet { limit = nil } }
                var isGerman: Bool { locale == .german }
                var isEnglish: Bool { get { locale == .english } set { locale = .english } }
                func with(_ language: Language) -> Self { self }
            }

            extension ShopOptions: SessionOptions {
                static let declaration = OptionDeclaration<Self>(
                    .option("locale", \\.locale),
                    .option("testPayments", \\.testPayments),
                    .option("limit", \\.limit),
                    .option("default", \\.`default`)
                )
            }
            """)
    }

    @Test func aPublicStructGetsAnInitializer() {
        expectExpansion(
            """
            @Options
            public struct ShopOptions {
                public var locale = "en"
            }
            """,
            """
            public struct ShopOptions {
                public var locale = "en"

                public init() {}
            }

            extension ShopOptions: SessionOptions {
                public static let declaration = OptionDeclaration<Self>(
                    .option("locale", \\.locale)
                )
            }
            """)
    }

    @Test func anExistingInitializerIsKept() {
        expectExpansion(
            """
            @Options
            public struct ShopOptions {
                public init() {}
            }
            """,
            """
            public struct ShopOptions {
                public init() {}
            }

            extension ShopOptions: SessionOptions {
                public static let declaration = OptionDeclaration<Self>()
            }
            """)
    }

    @Test func aStructWithAnotherInitializerGetsOne() {
        expectExpansion(
            """
            @Options
            struct ShopOptions {
                init(_ locale: String) {}
            }
            """,
            """
            struct ShopOptions {
                init(_ locale: String) {}

                init() {}
            }

            extension ShopOptions: SessionOptions {
                static let declaration = OptionDeclaration<Self>()
            }
            """)
    }
}
