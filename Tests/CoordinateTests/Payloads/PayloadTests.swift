import Coordinate
import Testing

extension Kiosk {
    struct PayloadTests {
        private let catalog = EventCatalog(Orders.self)
        private let shelf = Shelf()

        private func entry(_ name: String) throws -> EventCatalog.Entry {
            try #require(catalog.entry(named: "orders.\(name)"))
        }

        private func object(_ fields: (String, PlainValue)...) -> PlainValue {
            .object(fields.map { PlainField($0.0, $0.1) })
        }

        // MARK: What there is to send

        @Test func fieldsAreInTheOrderOfTheirDeclaration() throws {
            #expect(try entry("place").fields.map(\.name) == ["lines", "customer", "delivery", "note"])
            let order = Orders.place([], for: Customer(id: "ada"), .express, note: nil)
            let action = Action(title: "", event: order)
            #expect(
                action.payload
                    == object(
                        ("lines", .array([])), ("customer", .string("ada")), ("delivery", .string("express")),
                        ("note", .null)))
        }

        @Test func typesTellWhatIsInAValue() throws {
            let lines = try #require(try entry("place").fields.first?.type)
            #expect(lines.kind == .array)
            let line = try #require(lines.items)
            #expect(line.kind == .object)
            #expect(line.fields.map(\.name) == ["product", "count", "gift"])
            #expect(line.fields.map(\.type.kind) == [.int, .int, .object])
            #expect(line.fields.map(\.type.isOptional) == [false, false, true])
            #expect(line.fields[2].type.fields[1].type.items?.choices == [.int(1), .int(2), .int(3)])

            let filter = try entry("filter").fields.map(\.type)
            #expect(filter.map(\.kind) == [.object, .array, .bool, .string, .array, .int, .double])
            #expect(filter.map(\.isOptional) == [true, false, true, true, false, false, false])
            #expect(filter[1].items?.items?.kind == .string)
            #expect(filter[4].items?.isOptional == true)
            #expect(filter[3].choices == nil)
        }

        @Test func anEnumHasItsCasesAsChoices() throws {
            #expect(Delivery.plainType.choices == [.string("standard"), .string("express"), .string("pickup")])
            #expect(Delivery?.plainType.choices == Delivery.plainType.choices)
        }

        @Test func whatIsKnownByIDHasChoicesWhereTheDependenciesAreAtHand() throws {
            let place = try entry("place")
            #expect(place.fields[1].type.choices == nil)
            let known = place.fields(in: shelf)
            #expect(known[1].type.choices == [.string("ada"), .string("grace"), .string("katherine")])
            #expect(known[0].type.items?.fields[0].type.choices?.count == 20)
            #expect(known[2] == place.fields[2])
            let customers = try entry("filter").fields(in: shelf)[4]
            #expect(customers.type.items?.choices == known[1].type.choices)
        }

        // MARK: What may be left out

        @Test func anOptionalMayBeNullOrLeftOut() throws {
            for payload in [object(), object(("note", .null))] {
                #expect(try entry("note").event(from: payload, in: nil) as? Orders == .note(nil))
            }
            #expect(try entry("note").event(from: object(("note", .string(""))), in: nil) as? Orders == .note(""))
            let line = object(("product", .int(1)), ("count", .int(2)))
            #expect(try Line.resolve(line, in: shelf) == Line(product: Product(id: 1), count: 2, gift: nil))
        }

        static let orders: [Orders] = [
            .open, .note("a\"\\é🏁"), .rate(.two),
            .place(
                [
                    Line(product: Product(id: 7), count: 2, gift: Gift(wish: "", stars: [.one, .three])),
                    Line(product: Product(id: 1), count: 0, gift: nil),
                ], for: Customer(id: "grace"), .pickup, note: nil),
            .filter(
                try? Span(from: -1, to: 0.5), tags: [[], ["a", ""]], onlyGifts: false, Voucher(rawValue: "abcd"),
                [nil, Customer(id: "ada")], limit: .min, factor: -1e9),
        ]

        @Test(arguments: orders) func anEventSurvivesTheWayOutAndIn(event: Orders) throws {
            let action = Action(title: "", event: event)
            let entry = try #require(catalog.entry(named: action.event))
            #expect(try entry.event(from: action.payload, in: shelf) as? Orders == event)
            // Nothing in it is secret, and all of it is declared.
            #expect(entry.recordedFields(of: action.payload) == action.payload)
        }

        // MARK: What is wrong

        struct Wrong: Sendable {
            let event: String
            let payload: PlainValue
            let path: [String]
            let message: String
            var nearest: String?
        }

        private static func placing(
            lines: PlainValue = .array([]), customer: String = "ada", delivery: PlainValue = .string("express")
        ) -> PlainValue {
            .object([
                PlainField("lines", lines), PlainField("customer", .string(customer)), PlainField("delivery", delivery),
            ])
        }

        private static func line(_ fields: [PlainField]) -> PlainValue {
            .array([.object([PlainField("product", .int(1)), PlainField("count", .int(1))]), .object(fields)])
        }

        static let wrong = [
            Wrong(
                event: "note", payload: .object([PlainField("note", .int(1))]), path: ["note"],
                message: "must be a string"),
            Wrong(event: "rate", payload: .object([]), path: ["stars"], message: "is missing"),
            Wrong(
                event: "rate", payload: .object([PlainField("stars", .int(4))]), path: ["stars"],
                message: "must be one of 1, 2, 3"),
            Wrong(
                event: "rate", payload: .object([PlainField("stars", .string("1"))]), path: ["stars"],
                message: "must be a whole number"),
            Wrong(event: "place", payload: .object([]), path: ["lines"], message: "is missing"),
            Wrong(event: "place", payload: placing(lines: .object([])), path: ["lines"], message: "must be a list"),
            Wrong(
                event: "place", payload: placing(lines: .array([.int(1)])), path: ["lines", "0"],
                message: "must be an object"),
            Wrong(
                event: "place", payload: placing(lines: line([PlainField("product", .int(1))])),
                path: ["lines", "1", "count"], message: "is missing"),
            Wrong(
                event: "place", payload: placing(lines: line([PlainField("product", .int(99))])),
                path: ["lines", "1", "product"], message: "is not the id of any Product"),
            Wrong(
                event: "place",
                payload: placing(
                    lines: line([
                        PlainField("product", .int(1)), PlainField("count", .int(1)),
                        PlainField(
                            "gift",
                            .object([PlainField("wish", .string("")), PlainField("stars", .array([.int(1), .int(0)]))])),
                    ])), path: ["lines", "1", "gift", "stars", "1"], message: "must be one of 1, 2, 3"),
            Wrong(
                event: "place", payload: placing(customer: "catherine"), path: ["customer"],
                message: "is not the id of any Customer", nearest: "katherine"),
            Wrong(
                event: "place", payload: placing(customer: "quux"), path: ["customer"],
                message: "is not the id of any Customer"),
            Wrong(
                event: "place", payload: placing(delivery: .string("Expres")), path: ["delivery"],
                message: #"must be one of "standard", "express", "pickup""#, nearest: "express"),
            Wrong(
                event: "filter", payload: .object([PlainField("span", .object([PlainField("from", .int(2))]))]),
                path: ["span", "to"], message: "is missing"),
            Wrong(
                event: "filter",
                payload: .object([
                    PlainField("span", .object([PlainField("from", .int(2)), PlainField("to", .double(1.5))]))
                ]), path: ["span"], message: "must not end before it begins"),
            Wrong(
                event: "filter", payload: .object([PlainField("tags", .array([.array([]), .array([.null])]))]),
                path: ["tags", "1", "0"], message: "must be a string"),
            Wrong(
                event: "filter",
                payload: .object([PlainField("tags", .array([])), PlainField("voucher", .string("12345"))]),
                path: ["voucher"], message: "is not a value of Voucher"),
            Wrong(
                event: "filter", payload: .object([PlainField("tags", .array([])), PlainField("onlyGifts", .int(1))]),
                path: ["onlyGifts"], message: "must be true or false"),
            Wrong(
                event: "filter", payload: .object([PlainField("span", .object([PlainField("from", .string("2"))]))]),
                path: ["span", "from"], message: "must be a number"),
        ]

        @Test(arguments: wrong) func anErrorSaysWhichValueIsWrongAndWhatIsMeant(wrong: Wrong) throws {
            let entry = try entry(wrong.event)
            let error = #expect(throws: EventDecodingError.self) { try entry.event(from: wrong.payload, in: shelf) }
            #expect(error?.path == wrong.path)
            #expect(error?.field == wrong.path[0])
            #expect(error?.message == wrong.message)
            #expect(error?.nearest == wrong.nearest)
        }

        @Test func ofManyChoicesAnErrorNamesAFew() throws {
            enum Letter: String, CaseIterable, PlainValueConvertible { case a, b, c, d, e, f, g, h, i, j, k }
            let error = #expect(throws: PlainValueError.self) { try Letter.resolve(.string("z"), in: nil) }
            #expect(error?.message.hasSuffix(#""j", …"#) == true)
        }

        /// An object of any fields has no description, and is recorded as it is.
        @Test func anObjectOfAnyFieldsIsRecordedAsItIs() throws {
            let labels = object(("a", .string("b")), ("c", .string("d")))
            let entry = try #require(EventCatalog(Notes.self).entry(named: "notes.label"))
            #expect(entry.recordedFields(of: object(("labels", labels))) == object(("labels", labels)))
        }

        private enum Notes: DeclaredEvents {
            case label(Labels)
            static let declaration = EventDeclaration<Self>(
                "notes",
                .event("label", Self.label, "labels") { if case .label(let labels) = $0 { labels } else { nil } })

            struct Labels: PlainValueConvertible, Equatable {
                let plainValue: PlainValue
                static let plainType = PlainType.object([])

                static func resolve(
                    _ value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
                ) throws(PlainValueError) -> Labels { Labels(plainValue: value) }
            }
        }

        // MARK: Secrets

        @Test func aSecretInAnObjectIsRecordedNowhere() throws {
            let account = object(("name", .string("ada")), ("password", .string("engine")))
            let login = try entry("login")
            #expect(login.hasSecrets)
            #expect(
                login.recordedFields(of: object(("account", account), ("pin", .string("1234")), ("more", .int(1))))
                    == object(("account", object(("name", .string("ada"))))))

            let all = try entry("loginAll")
            #expect(all.hasSecrets)
            let recorded = all.recordedFields(of: object(("accounts", .array([account, account])), ("guest", .null)))
            let name = object(("name", .string("ada")))
            #expect(recorded == object(("accounts", .array([name, name])), ("guest", .null)))
            let lost = Account(name: "ada", password: Secret(""))
            #expect(try all.event(from: recorded, in: nil) as? Orders == .loginAll([lost, lost], nil))
        }

        @Test func whoeverSendsAnEventSendsItsSecrets() throws {
            let account = object(("name", .string("ada")))
            let full = object(("name", .string("ada")), ("password", .string("engine")))
            let nameless = object(("name", .string("ada")), ("password", .int(1)))
            let wrong: [(PlainValue, [String], String)] = [
                (object(("accounts", .array([full, account]))), ["accounts", "1", "password"], "is missing"),
                (object(("accounts", .array([nameless]))), ["accounts", "0", "password"], "must be a string"),
                (object(("accounts", .array([])), ("guest", account)), ["guest", "password"], "is missing"),
            ]
            for (payload, path, message) in wrong {
                let error = #expect(throws: EventDecodingError.self) { try entry("loginAll").checkSecrets(of: payload) }
                #expect(error?.path == path)
                #expect(error?.message == message)
            }
            try entry("loginAll").checkSecrets(of: object(("accounts", .array([full])), ("guest", .null)))
            try entry("loginAll").checkSecrets(of: object(("accounts", .array([full]))))
        }
    }
}
