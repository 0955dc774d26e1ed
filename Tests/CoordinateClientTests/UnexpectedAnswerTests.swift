import CoordinateClient
import CoordinateTesting
import Racing
import ServerFixtures
import SessionFixtures
import Testing

/// The message about an answer that is not the expected one.
@Suite(.racing) struct UnexpectedAnswerTests {
    @Test func aRefusalIsASentenceWithAdvice() async throws {
        let error = await #expect(throws: UnexpectedAnswer.self) { try await client.emit("profile.edt") }
        #expect(
            error?.message == """
                Expected 200, but the server refused the request: 422 /problems/unknown-event. \
                There is no such event. Did you mean profile.edit?
                """)
        #expect(error?.problem?.didYouMean == "profile.edit")
    }

    @Test func aRefusalWithoutANearNameListsTheKnownOnes() async throws {
        let error = await #expect(throws: UnexpectedAnswer.self) { try await client.open("/nowhere") }
        #expect(error?.message.contains(" Known are: /splash, /main/teams, ") == true)
        #expect(error?.problem?.known?.first == "/splash")
    }

    @Test func anotherAnswerIsShownAsItIs() async throws {
        let answer = try await client.get("/livez")
        let error = #expect(throws: UnexpectedAnswer.self) { try answer.decode(JSON.self, status: 201) }
        #expect(error?.message == #"Expected 201, but the answer was 200: {"status":"ok"}"#)
        #expect(error?.problem == nil)
    }
}
