extension SessionClient {
    /// Waits until the route of this client's session meets a condition. Use it for changes that the client does not
    /// cause, such as the outcome of work, a timer, or another client's event.
    ///
    /// ```swift
    /// clock.advance(by: .seconds(300))
    /// let route = try await client.wait { route in route.path == "/cart/expired" }
    /// ```
    ///
    /// The server answers when the route has changed, so nothing sleeps. After several changes in a row, the client may
    /// see only the last one.
    ///
    /// - Parameters:
    ///   - limit: The longest time to wait, by default a minute. It is counted in whole seconds.
    ///   - condition: Called with the current route, and with every later one.
    /// - Returns: The first route that meets the condition.
    /// - Throws: ``NotReached`` if the condition is not met in time, ``UnexpectedAnswer`` if there is no route, and the
    ///   errors of the condition.
    @discardableResult
    public func wait(
        atMost limit: Duration = .seconds(60),
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
        until condition: (Document.Route) throws -> Bool
    ) async throws -> Document.Route {
        let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        return try await waitedRoute("/route", atMost: limit, from: callSite, until: condition)
    }

    /// Waits until no work is pending in this client's session. Does not wait for timers.
    ///
    /// ```swift
    /// try await client.emit("checkout.pay")
    /// #expect(try await client.settle().path == "/thanks")
    /// ```
    ///
    /// - Parameter limit: The longest time to wait, by default a minute.
    /// - Returns: The route after all outcomes of work.
    /// - Throws: ``NotReached`` if work is still pending after that time.
    @discardableResult
    public func settle(
        atMost limit: Duration = .seconds(60),
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> Document.Route {
        let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        return try await waitedRoute("/route?until=settled", atMost: limit, from: callSite) { route in
            route.pending.allSatisfy { $0.kind == "timer" }
        }
    }

    private func waitedRoute(
        _ path: String, atMost limit: Duration, from callSite: CallSite,
        until condition: (Document.Route) throws -> Bool
    ) async throws -> Document.Route {
        let end = ContinuousClock.now + limit
        var known: Document.Route?
        var headers: [String: String] = [:]
        // Less than the time after which a request times out.
        let longest = min(20, limits.requestTime.components.seconds / 2)
        while true {
            headers["Prefer"] = "wait=\(max(1, min(longest, (end - .now).components.seconds)))"
            let answer = try await get(path, headers: headers, from: callSite)
            if answer.status != 304 {
                let route = try answer.decode(Document.Route.self, status: 200)
                if try condition(route) { return route }
                known = route
                headers["If-None-Match"] = answer.header("ETag")
            }
            if let known, ContinuousClock.now >= end {
                throw NotReached(route: known, limit: limit, callSite: callSite)
            }
        }
    }
}

/// The error for a session that did not reach the awaited state.
public struct NotReached: ClientError {
    /// The last route that the client saw.
    public let route: Document.Route
    /// The time for which the client waited.
    public let limit: Duration
    public let callSite: CallSite

    public var message: String {
        let pending = route.pending.map { "\($0.kind) \($0.name)" }.joined(separator: ", ")
        return "The condition was not met within \(limit). The session is at \(route.path), version \(route.version), "
            + "with " + (pending.isEmpty ? "nothing pending" : "\(pending) pending")
    }
}
