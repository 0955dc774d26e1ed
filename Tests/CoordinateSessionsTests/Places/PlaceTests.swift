import Coordinate
import Testing

@testable import CoordinateSessions

/// What a release must not lose: places that one version of an app recorded, kept by another.
struct PlaceTests {
    private static let header =
        #"{"journal":2,"app":"List","appVersion":"1","options":{},"createdAt":"2026-11-21T09:30:00Z","seed":7,"path":"/list"}"#
    private static let opening =
        #"{"version":1,"time":"2026-11-21T09:30:01Z","event":"navigation.open","payload":{"path":"/secret"},"#
        + #""at":"ListCoordinator","handled":true,"handledBy":"ListCoordinator","path":"/login","origin":"client","pending":null}"#

    /// What the new version loses, as the error says it; `nil` if it loses nothing.
    private func loss(
        from old: ListApp = ListApp(), to new: ListApp, in journal: [String] = [header]
    ) throws -> JournalReplayError? {
        let journal = Array(journal.joined(separator: "\n").utf8)
        let places = try old.places(in: journal)
        // Nothing is lost without a change.
        try old.replay(journal, keeping: places)
        do throws(JournalReplayError) {
            try new.replay(journal, keeping: places)
            return nil
        } catch {
            return error
        }
    }

    private static func release(_ change: (inout List) -> Void) -> ListApp {
        var app = ListApp(version: "2")
        change(&app.list)
        return app
    }

    // MARK: Losses

    private typealias Change = @Sendable (inout List) -> Void

    private static let facts: Change = { $0.facts = ["total": "41.90", "items": "2"] }

    /// Changes of an older and a newer release, and what is lost between them.
    private static let losses: [(String, old: Change, new: Change)] = [
        (#"row "Milk" (milk) is gone."#, { _ in }, { $0.rows["milk"] = nil }),
        (#"row "Milk" (milk) is gone."#, { _ in }, { $0.rows = ["oats": "Milk", "eggs": "Eggs"] }),
        (#"offer "Buy" of "Milk" (list.didTake) is gone."#, { _ in }, { $0.buttons = [] }),
        (#"offer "Add" (list.add) is gone."#, { _ in }, { $0.inputs = [] }),
        (#"input "Amount" (list.add.amount) is gone."#, { _ in }, { $0.inputs = ["text"] }),
        (#"pending "reminder" is gone."#, { _ in }, { $0.timers = [] }),
        (#"pending "reminder" is gone."#, { _ in }, { $0.timers = ["Reminder"] }),
        (#"pending "reminder" is gone."#, { $0.timers = ["reminder", "reminder"] }, { _ in }),
        ("status was ready, and is failed now.", { _ in }, { $0.status = .failed }),
        ("style was page, and is sheet now.", { _ in }, { $0.hasSheet = true }),
        ("fact total was 41.90, and is 40.00 now.", facts, { $0.facts = ["total": "40.00", "items": "2"] }),
        ("fact total was 41.90, and is gone.", facts, { $0.facts = ["items": "2"] }),
    ]

    @Test(arguments: losses)
    private func aLossIsNamedByItsFirstCause(reason: String, old: Change, new: Change) throws {
        let error = try #require(try loss(from: Self.release(old), to: Self.release(new)))
        #expect(error.line == 1)
        #expect(error.description.hasPrefix("Line 1: at the start, \(reason) Compared with what was recorded:\n"))
    }

    @Test func aParkedLinkIsKept() throws {
        let journal = [Self.header, Self.opening]
        #expect(try loss(to: Self.release { _ in }, in: journal) == nil)
        // The new version grants the link at once, and accepts that the path differs.
        var open = Self.release { $0.isOpen = true }
        open.migration = { $0.acceptsDifferences = true }
        let error = try #require(try loss(to: open, in: journal))
        #expect(error.line == 2)
        #expect(error.description.hasPrefix("Line 2: after navigation.open, path was /login, and is /secret now."))
    }

    /// On another screen, its rows and buttons are not listed as well.
    @Test func theFailureShowsBothScreens() throws {
        let error = try #require(
            try loss(
                to: Self.release {
                    $0.rows["milk"] = nil
                    $0.title = "List"
                    $0.inputs = ["text"]
                }))
        #expect(
            error.description == """
                Line 1: at the start, row "Milk" (milk) is gone. Compared with what was recorded:
                  /list
                  List (page)
                - title: Groceries
                - Milk  [Buy]
                + title: List
                  Eggs  [Buy]
                - [Add] (Text, Amount)
                + [Add] (Text)
                  pending: reminder
                """)
    }

    /// A person sees no difference between two rows, so the ids are shown.
    @Test func aFailureThatNoScreenShowsHasDetails() throws {
        let error = try #require(try loss(to: Self.release { $0.rows = ["oats": "Milk", "eggs": "Eggs"] }))
        #expect(
            error.description.contains("\n- milk · Milk  [Buy list.didTake {\"item\":\"milk\"} at ScreenCoordinator]\n")
        )
    }

    // MARK: Changes and gains

    private func comparison(from old: ListApp, to new: ListApp) throws -> PlaceComparison {
        let places = try [old, new].map { app in
            try Place(line: Array(app.places(in: Self.header.utf8).split(separator: UInt8(ascii: "\n"))[1]))
        }
        return PlaceComparison(of: places[1], with: places[0], new.events)
    }

    private static let changes: [([String], @Sendable (inout List) -> Void)] = [
        (["text title was Groceries, and is List now"], { $0.title = "List" }),
        ([#"text message was "", and is Hello now"#], { $0.message = "Hello" }),
        ([#"text of "Milk" (row title) was Milk, and is "Oat milk" now"#], { $0.rows["milk"] = "Oat milk" }),
        ([#"value of "Milk" (row value) was "", and is 2 now"#], { $0.value = "2" }),
        ([#"text of "Milk" (row subtitle) was "", and is "1 l" now"#], { $0.subtitle = "1 l" }),
        ([#"value "Text" (list.add.text) was bread, and is butter now"#], { $0.entered = "butter" }),
        (
            ["Milk", "Eggs"].map { #"text of "\#($0)" (title of list.didTake) was Buy, and is Take now"# },
            { $0.buttons = ["Take"] }
        ),
        (
            [("Milk", "Eggs"), ("Eggs", "Milk")].map {
                #"text "Buy" (row of list.didTake) was \#($0), and is \#($1) now"#
            },
            { $0.isSwapped = true }
        ),
        ([#"text "Text" (error of list.add.text) was "", and is "too long" now"#], { $0.error = "too long" }),
    ]

    /// What is beside the rows may change, and come and go.
    @Test func textsOfSectionsAndContentMayChange() throws {
        let old = Self.release {
            $0.sections = [.init(id: "food", title: "Food", footer: "Fresh"), .init(id: "more", footer: "Or more")]
            $0.content = [1, 2]
            $0.rows = [:]
            $0.emptyText = "Nothing to buy"
        }
        let new = Self.release {
            $0.sections = [.init(id: "food", title: "Groceries", footer: "Frozen"), .init(id: "new", footer: "New")]
            $0.content = [3]
            $0.rows = [:]
            $0.emptyText = "Done"
        }
        #expect(try loss(from: old, to: new) == nil)
        #expect(try loss(from: new, to: old) == nil)
        #expect(
            try comparison(from: old, to: new).changed.map(\.description) == [
                "text section food was Food, and is Groceries now", "text footer food was Fresh, and is Frozen now",
                #"text footer more was "Or more", and is gone"#, #"text empty was "Nothing to buy", and is Done now"#,
                "text content was [1,2], and is [3] now", #"text footer new was "", and is New now"#,
            ])
    }

    @Test func aChoiceThatIsGoneIsAChange() throws {
        let old = Self.release { $0.choices = [1, 2, 3] }
        let changed = try comparison(from: old, to: Self.release { $0.choices = [1, 3] }).changed
        #expect(changed.map(\.description) == [#"value "Amount" (choice of list.add.amount) was 2, and is gone"#])
    }

    @Test(arguments: changes)
    func textsAndValuesMayChange(changes: [String], change: @Sendable (inout List) -> Void) throws {
        let new = Self.release(change)
        #expect(try loss(to: new) == nil)
        let comparison = try comparison(from: ListApp(), to: new)
        #expect(comparison.changed.map(\.description) == changes)
        #expect(comparison.gained == 0)
    }

    @Test func moreMayBeOffered() throws {
        let new = Self.release {
            $0.rows["rice"] = "Rice"
            $0.buttons = ["Buy", "Again"]
            $0.timers = ["reminder", "other"]
            $0.facts = ["total": "1"]
        }
        #expect(try loss(to: new) == nil)
        let comparison = try comparison(from: ListApp(), to: new)
        #expect(comparison.changed.isEmpty)
        // The buttons have the same event, and what a new row offers is part of it.
        #expect(comparison.gained == 3)
        let form = try self.comparison(from: Self.release { $0.inputs = ["text"] }, to: ListApp())
        #expect(form.gained == 1)
    }

    /// Buttons of one row with the same event are told apart by their titles.
    @Test func buttonsKeepTheirTitles() throws {
        let old = Self.release { $0.buttons = ["Less", "Remove"] }
        let new = Self.release {
            $0.buttons = ["Remove", "Less"]
            $0.title = "List"
        }
        #expect(try comparison(from: old, to: new).changed.map(\.name) == ["title"])
    }

    /// Two rows with one title, and a text with every kind of character, are read as they were written.
    @Test func anyTextCanBeRecorded() throws {
        let text = "a\"b\\c\nd\u{0}e\u{7F}\u{2028}🏁 é"
        let old = Self.release {
            $0.rows = ["\(text)": text, "2": text]
            $0.title = text
            $0.facts = [text: text]
            $0.timers = [text]
        }
        #expect(try loss(from: old, to: old) == nil)
        let error = try #require(try loss(from: old, to: Self.release { $0.rows = ["2": text] }))
        #expect(error.description.contains("is gone"))
    }

    // MARK: Migration

    private static func renamed(_ migration: @escaping @Sendable (inout RecordedEvent) -> Void) -> ListApp {
        var app = release {
            $0.isRenamed = true
            $0.inputs = []
        }
        app.migration = migration
        return app
    }

    private static let withoutForm = release { $0.inputs = [] }

    @Test func whatAMigrationRenamesIsNotLost() throws {
        let migrated = Self.renamed {
            $0.rename("list.didTake", to: "item.didBuy")
            $0.renameCoordinator("ScreenCoordinator", to: "ItemsCoordinator")
        }
        var old = Self.withoutForm
        old.version = "1"
        #expect(try loss(from: old, to: migrated) == nil)
        let missing = try #require(
            try loss(from: old, to: Self.renamed { $0.rename("list.didTake", to: "item.didBuy") }))
        #expect(
            missing.description.contains(
                #"offer "Buy" of "Milk" (list.didTake) was list.didTake {"item":"milk"} at ScreenCoordinator, and is item.didBuy"#
            ), "\(missing)")
        #expect(try loss(from: old, to: Self.renamed { _ in }) != nil)
        // What the event is split into may begin with what the button sends today, and may go elsewhere.
        let split = Self.renamed {
            $0.split("list.didTake") { event in
                [
                    .init(name: "item.didBuy", payload: event.payload, at: "ListCoordinator"),
                    .init(name: "list.didRing", payload: .object([]), at: event.at),
                ]
            }
            $0.renameCoordinator("ScreenCoordinator", to: "ItemsCoordinator")
        }
        #expect(try loss(from: old, to: split) == nil)
        // The buttons of a dropped event are gone, although their sessions continue.
        #expect(try loss(from: old, to: Self.renamed { $0.drop("list.didTake") }) != nil)
    }

    /// The loss of a release with places that were edited as if an older version had recorded them.
    private func loss(
        from old: ListApp = release { _ in }, to new: ListApp, replacing recorded: String, with older: String,
        in journal: [String] = [header]
    ) throws -> JournalReplayError? {
        let journal = Array(journal.joined(separator: "\n").utf8)
        let places = String(decoding: try old.places(in: journal), as: UTF8.self).replacing(recorded, with: older)
        do throws(JournalReplayError) {
            try new.replay(journal, keeping: places.utf8)
            return nil
        } catch {
            return error
        }
    }

    /// Also at the start of a session, which has no event.
    @Test func migratedPathsAreKept() throws {
        var new = Self.release { _ in }
        new.version = "3"
        let (now, then) = (#""path":"/list""#, #""path":"/things""#)
        #expect(try loss(to: new, replacing: now, with: then) != nil)
        new.migration = { if $0.isRecorded(before: "3") { $0.path = $0.path.replacing("/things", with: "/list") } }
        #expect(try loss(to: new, replacing: now, with: then) == nil)
        #expect(try loss(to: new, replacing: #""/login""#, with: #""/logon""#, in: [Self.header, Self.opening]) == nil)
    }

    /// A class may get another name and keep the id of its coordinator, and the other way round.
    @Test func coordinatorsAreTheSameByTheirIDs() throws {
        var new = Self.release { _ in }
        new.version = "3"
        let coordinator = #""coordinator":"ScreenCoordinator""#
        #expect(try loss(to: new, replacing: coordinator, with: #""coordinator":"OldCoordinator""#) == nil)
        let leaf = #""leaf":"ListCoordinator/ScreenCoordinator""#
        #expect(try loss(to: new, replacing: leaf, with: #""leaf":"ListCoordinator/old-2""#) == nil)
    }

    @Test func placesOfTheSameVersionAreNotMigrated() throws {
        var same = Self.withoutForm
        same.migration = { $0.rename("list.didTake", to: "item.didBuy") }
        #expect(try loss(from: Self.withoutForm, to: same) == nil)
    }

    // MARK: Files

    @Test func placesAreChecked() throws {
        let journal = Array(Self.header.utf8)
        let places = String(decoding: try ListApp().places(in: journal), as: UTF8.self)
        for (text, reason) in [
            ("", #"The places cannot be read. Line 1: "#),
            (
                places.replacing(#""List","#, with: #""Other","#),
                "These are places of the app Other, but this app is List."
            ),
            (
                places.replacing(#""status""#, with: #""state""#),
                #"The places cannot be read. Line 2: its field "status" must"#
            ),
            (
                places + places.split(separator: "\n")[1],
                "The places cannot be read. Line 3: there is another place of version 0 above it."
            ),
            (String(places.prefix { $0 != "\n" }), "There is no place of version 0."),
            (
                places + places.split(separator: "\n")[1].replacing(#""version":0"#, with: #""version":4"#),
                "There is a place of version 4, but the journal ends at version 0."
            ),
        ] {
            let error = #expect(throws: JournalReplayError.self) { try ListApp().replay(journal, keeping: text.utf8) }
            #expect(error?.description.hasPrefix(reason) == true, "\(text): \(String(describing: error))")
        }
    }
}
