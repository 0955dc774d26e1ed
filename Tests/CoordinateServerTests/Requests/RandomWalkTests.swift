import CoordinateTesting
import SeededGenerator
import Testing

/// A walk that performs only offered actions, at random but the same for a seed.
struct RandomWalkTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func offeredActionsAreHandledAndDocumentsAgree(seed: UInt64) async throws {
        try await withRacing { server in
            let client = server.client()
            var generator = SeededGenerator(state: seed)
            var route = try await client.route()
            var document = try await client.get("/route").json
            for step in 1...300 {
                let actions = document.actions
                #expect(Set(actions.map(\.request)) == Set(route.offeredActions.map(\.request)))
                let action = try #require(actions.randomElement(using: &generator), "a dead end at \(route.path)")

                let answer = try await client.post("/events", json: action)
                try #require(answer.status == 200, "\(action) at \(route.path): \(answer.text)")
                let outcome = try answer.decode(Document.Outcome.self)
                #expect(outcome.version == step)
                #expect(outcome.handled, "\(action) at \(route.path)")
                #expect(outcome.trace.first?.coordinator == route.leaf)
                #expect(outcome.trace.last?.coordinator == outcome.handledBy)
                #expect(outcome.trace.map(\.intercepted).filter { $0 }.count == 1)

                let next = try await client.get("/route")
                #expect(answer.text.hasSuffix("\"route\":\(next.text)}"), "the same bytes")
                document = try next.json
                #expect(outcome.path == document["path"]?.string)
                #expect(outcome.leaf == document["leaf"]?.string)
                route = try #require(outcome.route)
                check(route)
            }
            let journal = try await client.journal()
            #expect(journal.events.map(\.version) == Array(1...300))
            #expect(journal.events.allSatisfy { $0.handled })
        }
    }

    @Test func theSameEventsLeadToTheSameTree() async throws {
        try await withRacing { server in
            let first = server.client()
            var generator = SeededGenerator(state: 5)
            var route = try await first.route()
            for _ in 0..<200 {
                let action = try #require(route.offeredActions.randomElement(using: &generator))
                route = try #require(try await first.emit(action).route)
            }
            let second = server.client()
            for entry in try await first.journal().events {
                try await second.emit(entry.event, entry.payload, at: entry.at)
            }
            let session = try #require(first.sessionID)
            let other = try #require(second.sessionID)
            #expect(try await second.get("/route").text.replacing(other, with: session) == first.get("/route").text)
        }
    }

    /// Checks what must hold in every state.
    private func check(_ route: Document.Route) {
        let nodes = route.tree.all
        #expect(Set(nodes.map(\.id)).count == nodes.count)
        for node in nodes {
            #expect(node.id == route.tree.id || node.id.hasPrefix(route.tree.id + "/"))
            #expect(node.kind != "leaf" || node.children.isEmpty)
            #expect(node.kind != "container" || node.children.count <= 1)
            #expect((node.index == nil) == node.children.isEmpty)
            #expect(node.children.allSatisfy { $0.id.hasPrefix(node.id + "/") })
        }

        var chain = [route.tree]
        while let node = chain.last, let next = node.presented.first ?? node.index.map({ node.children[$0] }) {
            chain.append(next)
        }
        #expect(chain.allSatisfy { $0.started })
        #expect(chain.last?.id == route.leaf)
        #expect(chain.last?.title == route.screen.title)
        #expect("/" + chain.compactMap(\.route).joined(separator: "/") == route.path)

        #expect(route.breadcrumbs.last?.path == route.path)
        #expect(route.breadcrumbs.last?.title == route.screen.title)
        let stack = chain.last { $0.kind == "navigation" }
        if let stack { #expect(route.breadcrumbs.map(\.title) == stack.children.map(\.title)) }
        let under = (stack?.children.count ?? 0) > 1 ? route.breadcrumbs.dropLast().last?.title : nil
        #expect(route.navigation.back?.title == under)
        #expect(Set(route.screen.rows.map(\.id)).count == route.screen.rows.count)

        let isInModal = chain.contains { !$0.presented.isEmpty }
        #expect((route.navigation.dismiss != nil) == isInModal)
        let tabs = isInModal ? [] : chain.last { $0.kind == "tabBar" }?.children ?? []
        #expect(route.navigation.tabs.map(\.badge) == tabs.map(\.badge))
        #expect(route.navigation.tabs.count(where: \.selected) == (tabs.isEmpty ? 0 : 1))
    }
}

extension JSON {
    /// Every object with an event in this document, in a fixed order.
    fileprivate var actions: [JSON] {
        if self["event"] != nil { return [self] }
        return array.flatMap(\.actions) + object.sorted { $0.key < $1.key }.flatMap(\.value.actions)
    }

    /// An action without its title and its form.
    fileprivate var request: JSON {
        .object(object.filter { $0.key != "title" && $0.key != "inputs" })
    }
}

extension Document.Action {
    /// The event as a request.
    fileprivate var request: JSON { ["event": .string(event), "payload": payload] }
}
