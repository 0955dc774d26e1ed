internal import Coordinate
internal import CoordinateSessions
internal import JSON
internal import MicroHTTPD

extension HTTPRequest {
    /// The precondition of a request on the session's version, checked before anything is done (RFC 9110, section 13).
    ///
    /// - Parameter session: Nil for one that is made for this request: no client can know a version of it.
    borrowing func condition(on session: SessionID?, of app: HostedApp) -> VersionCondition {
        VersionCondition(
            isOneOf: entityTags(.ifMatch)?.versionsToChange(of: session), isNoneOf: knownVersions(of: session, app))
    }

    /// The versions that the client knows already; nil where it does not say so.
    borrowing func knownVersions(of session: SessionID?, _ app: HostedApp) -> VersionCondition.Versions? {
        entityTags(.ifNoneMatch)?.versionsKnown(of: session, app: app)
    }

    /// The tags in a header's lines; nil where there are none.
    borrowing func entityTags(_ name: HTTPField.Name) -> EntityTags? {
        guard hasHeader(name) else { return nil }
        return EntityTags(headers(named: name).joined(separator: ","))
    }

    /// The time for which the client wants to wait for a change (RFC 7240, section 4.3); nil where it does not, or not
    /// for a number of seconds.
    borrowing func waitingTime() -> Duration? {
        guard let text = preference("wait"), text.allSatisfy(\.isASCIIDigit), let seconds = Int(text), seconds > 0
        else { return nil }
        return min(.seconds(seconds), HTTPParkedAnswer.longestWait)
    }

    /// The key and the fingerprint by which a repetition of this request is recognised; nil where it has no key.
    borrowing func retry(of event: EventRequest, in app: HostedApp, isMinimal: Bool) throws(Problem) -> Retry? {
        guard let key = header(.idempotencyKey)?.withoutQuotes else { return nil }
        let isVisible = key.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard isVisible, (1...Retry.maximumKeyLength).contains(key.utf8.count) else {
            throw .malformedRequest(
                "An Idempotency-Key is 1 to \(Retry.maximumKeyLength) visible ASCII characters, such as a UUID.")
        }
        // A fingerprint is recorded, and could be tried against words until one fits: so no secret is in it.
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
        }
        return Retry(key: key, body: json.finish(), isMinimal: isMinimal)
    }

    /// A query item, nil where it is not there.
    ///
    /// - Parameters:
    ///   - expected: The values it may have, as the end of a sentence.
    ///   - read: Reads the value; nil for an invalid one.
    borrowing func queryItem<Value>(
        _ name: String, _ expected: @autoclosure () -> String, _ read: (String) -> Value?
    ) throws(Problem) -> Value? {
        guard let text = queryValue(name) else { return nil }
        guard let value = read(text) else { throw .malformedRequest("The query's \"\(name)\" must be \(expected()).") }
        return value
    }

    /// A query item that is a number, nil where it is not there.
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
    /// The text in a pair of quotes; the whole text where there are none. A string in a structured field has them (RFC
    /// 9651, section 3.3.3), and many clients send it without.
    fileprivate var withoutQuotes: String {
        utf8.count >= 2 && utf8.first == UInt8(ascii: "\"") && utf8.last == UInt8(ascii: "\"")
            ? String(Substring(utf8.dropFirst().dropLast())) : self
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
