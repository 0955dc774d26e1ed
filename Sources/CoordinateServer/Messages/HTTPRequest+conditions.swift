internal import Coordinate
internal import CoordinateSessions
internal import JSON
package import MicroHTTPD

extension HTTPRequest {
    /// The request's precondition on the session's version, checked before anything is done (RFC 9110, section 13).
    ///
    /// - Parameter session: `nil` for a session that is created for this request, whose versions no client can know.
    borrowing func condition(on session: SessionID?, of app: HostedApp) -> VersionCondition {
        VersionCondition(
            isOneOf: entityTags(.ifMatch)?.versionsToChange(of: session),
            isNoneOf: entityTags(.ifNoneMatch)?.versionsKnown(of: session, app: app))
    }

    /// The versions that the client already knows; `nil` if it names none, or wants indented JSON, which has no tag.
    borrowing func knownVersions(of session: SessionID?, _ app: HostedApp) -> VersionCondition.Versions? {
        knownTags()?.versionsKnown(of: session, app: app)
    }

    /// The tags of the contents that the client already has; `nil` if it names none, or wants indented JSON, which has no
    /// tag.
    package borrowing func knownTags(isJSON: Bool = true) -> EntityTags? {
        isJSON && wantsIndentedJSON ? nil : entityTags(.ifNoneMatch)
    }

    /// The tags in a header's lines; `nil` if there are none.
    borrowing func entityTags(_ name: HTTPField.Name) -> EntityTags? {
        hasHeader(name) ? EntityTags(headers(named: name).joined(separator: ",")) : nil
    }

    /// The time that the client wants to wait for a change (RFC 7240, section 4.3); `nil` if it names no number of
    /// seconds.
    package borrowing func waitingTime() -> Duration? {
        guard let text = preference("wait"), text.allSatisfy(\.isASCIIDigit), let seconds = Int(text), seconds > 0
        else { return nil }
        return min(.seconds(seconds), HTTPAnswer.longestWait)
    }

    /// The key and fingerprint that identify a repetition of this request; `nil` without a key.
    borrowing func retry(of event: EventRequest, in app: HostedApp, isMinimal: Bool) throws(Problem) -> Retry? {
        guard let key = header(.idempotencyKey)?.withoutQuotes else { return nil }
        guard Retry.isKey(key) else { throw .malformedRequest(Retry.keyRule) }
        // A fingerprint is recorded, and could be tested against guesses, so it contains no secret.
        guard let entry = app.events.entry(named: event.name), entry.hasSecrets else {
            return Retry(key: key, body: body, isMinimal: isMinimal)
        }
        var json = JSONWriter<[UInt8]>()
        json.object {
            $0.field("event", event.name)
            $0.key("payload")
            $0.plain(entry.recordedFields(of: event.payload))
            $0.field("at", event.at)
            if let pending = event.pending { $0.field("pending", pending) }
            if event.origin != .client { $0.field("origin", event.origin.rawValue) }
        }
        return Retry(key: key, body: json.finish(), isMinimal: isMinimal)
    }

    /// A query item; `nil` if it is missing.
    ///
    /// - Parameters:
    ///   - expected: The valid values, as the end of a sentence.
    ///   - read: Reads the value; returns `nil` if it is not valid.
    borrowing func queryItem<Value>(
        _ name: String, _ expected: @autoclosure () -> String, _ read: (String) -> Value?
    ) throws(Problem) -> Value? {
        guard let text = queryValue(name) else { return nil }
        guard let value = read(text) else {
            throw .malformedRequest("The query item \"\(name)\" must be \(expected()).")
        }
        return value
    }

    /// A query item that is a whole number; `nil` if it is missing.
    borrowing func wholeNumber(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        try queryItem(
            name,
            "a whole number: \(range.lowerBound) \(range.upperBound == .max ? "or more" : "to \(range.upperBound)")"
        ) { text in
            guard text.allSatisfy(\.isASCIIDigit), let number = Int(text), range.contains(number) else { return nil }
            return number
        }
    }
}

extension String {
    /// The text within quotes, or the whole text if it has none. A string in a structured field has quotes (RFC 9651,
    /// section 3.3.3), but many clients leave them out.
    fileprivate var withoutQuotes: String {
        utf8.count >= 2 && utf8.first == UInt8(ascii: "\"") && utf8.last == UInt8(ascii: "\"")
            ? String(Substring(utf8.dropFirst().dropLast())) : self
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
