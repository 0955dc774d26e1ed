import CoordinateTesting
import Testing
import WebDriver

extension Inspector {
    /// The fields of forms, created from inputs as in a route document, without an app.
    struct FormFieldTests {
        /// A form with one input, created and shown by the page's own modules: `show(input, version)` shows it again,
        /// and `sent` contains its requests.
        private static let form = """
            const [{ Forms }, { Problem }] =
              await Promise.all(["forms", "api"].map((each) => import(`/inspector/${each}.js`)));
            const sent = [];
            let refusal = null;
            // A separate place, because the page may show its own forms again at any time.
            const place = document.body.appendChild(document.createElement("section"));
            const forms = new Forms({
              send: async (request) => {
                sent.push(request);
                if (refusal) throw new Problem(refusal);
                return 1;
              },
              report: (problem) => sent.push(problem.detail),
              finish: () => {},
            });
            const show = (input, version) => {
              const { value } = input;
              const whole = { title: "Title", error: null, choices: null, required: true, secret: false, ...input };
              const action = {
                title: "Send", event: "a.b", payload: { fixed: 1, field: value }, inputs: [{ field: "field", ...whole }],
              };
              forms.begin({ session: "s", leaf: "l", version }, true);
              const key = forms.key("here", action);
              const element = forms.element(key);
              if (!element.isConnected) place.replaceChildren(element);
              forms.show(key, action);
              forms.end();
              return element;
            };
            const control = () => place.querySelector("[data-field=field]");
            const submit = async () => {
              place.querySelector("form").requestSubmit();
              await new Promise((done) => setTimeout(done));
            };
            """

        /// The value of a script that uses a form.
        private func evaluate(_ script: String, _ arguments: JSON...) async throws -> JSON {
            try await withInspector { page, _ in
                let body = "return (async (given) => { \(Self.form) \(script) })(arguments[0]);"
                return try await page.evaluate(body, .array(arguments))
            }
        }

        @Test(
            arguments: [
                (["type": "string", "value": ""], "text", "Ada", "Ada"),
                (["type": "string", "value": "a\nb"], "textarea", "a\nc", "a\nc"),
                (["type": "string", "value": "x", "required": false], "text", "", .null),
                (["type": "string", "value": "x"], "text", "", ""),
                (["type": "integer", "value": 1], "number", "2", 2),
                (["type": "number", "value": 1, "required": false], "number", "0.5", 0.5),
                (["type": "number", "value": 1], "number", "", .null),
                (["type": "boolean", "value": .null, "required": false], "select-one", "false", false),
                (["type": "object", "value": ["a": 1]], "textarea", #"{"a": 2}"#, ["a": 2]),
                (["type": "array", "value": [1]], "textarea", "no JSON", "no JSON"),
                (
                    [
                        "type": "integer", "value": 1,
                        "choices": [["value": 1, "title": "One"], ["value": 2, "title": "Two"]],
                    ],
                    "select-one", "2", 2
                ),
                (
                    [
                        "type": "string", "value": "a", "required": false, "choices": [["value": "a", "title": "A"]],
                    ], "select-one", "", .null
                ),
                (["type": "string", "value": .null, "secret": true], "password", "s", "s"),
            ] as [(JSON, JSON, JSON, JSON)])
        func enteredValuesAreSentWithTheirType(input: JSON, type: JSON, typed: JSON, sent: JSON) async throws {
            let result = try await evaluate(
                """
                const [input, typed] = given;
                show(input, 0);
                control().value = typed;
                await submit();
                const { field = null, ...rest } = sent[0].payload;
                return [control().type, field, rest];
                """, input, typed)
            #expect(result == [type, sent, ["fixed": 1]])
        }

        @Test(
            arguments: [
                ["type": "string", "value": ""], ["type": "string", "value": "a\nb"],
                ["type": "string", "value": .null],
                ["type": "string", "value": "", "required": false], ["type": "integer", "value": .null],
                ["type": "number", "value": 1.25], ["type": "boolean", "value": true],
                ["type": "object", "value": ["a": [1, ["b": .null]]]],
                ["type": "string", "value": "gone", "choices": [["value": "a", "title": "A"]]],
                [
                    "type": "string", "value": "",
                    "choices": [["value": "", "title": "None"], ["value": "a", "title": "A"]],
                ],
            ] as [JSON])
        func unchangedValuesAreSentAsOffered(input: JSON) async throws {
            let result = try await evaluate("show(given[0], 0); await submit(); return sent[0];", input)
            #expect(result == ["event": "a.b", "payload": ["fixed": 1, "field": input["value"] ?? .null]])
        }

        @Test func theSuggestedValueIsOfferedAtTheField() async throws {
            let result = try await evaluate(
                """
                refusal = { detail: "There is no such team.", pointer: "/payload/field", didYouMean: "haas" };
                show({ type: "string", value: "" }, 0);
                control().value = "has";
                await submit();
                const error = place.querySelector(".field-error");
                const before = [said(error), control().ariaInvalid, document.activeElement === control()];
                show({ type: "string", value: "" }, 1);
                error.querySelector("button").click();
                return [...before, control().value, error.hidden, control().ariaInvalid];
                """)
            #expect(result == ["There is no such team.Did you mean haas?", "true", true, "haas", true, .null])
        }

        @Test func aProblemWithAnotherFieldIsReported() async throws {
            let result = try await evaluate(
                """
                refusal = { detail: "Wait a moment.", status: 503 };
                show({ type: "string", value: "" }, 0);
                control().value = "kept";
                await submit();
                return [sent[1], control().value];
                """)
            #expect(result == ["Wait a moment.", "kept"])
        }

        /// A sent message leaves an empty field, as the app shows it, although the app's value did not change.
        @Test func afterSendingTheFieldHasTheAppsValue() async throws {
            let result = try await evaluate(
                """
                show({ type: "string", value: "" }, 0);
                control().value = "Hello";
                await submit();
                const before = control().value;
                show({ type: "string", value: "" }, 1);
                return [before, control().value];
                """)
            #expect(result == ["Hello", ""])
        }

        @Test func whatIsTypedAfterSendingStays() async throws {
            let result = try await evaluate(
                """
                show({ type: "string", value: "" }, 0);
                control().value = "Hello";
                await submit();
                control().value = "Hello again";
                show({ type: "string", value: "" }, 1);
                return control().value;
                """)
            #expect(result == "Hello again")
        }

        @Test func aChoiceThatIsNoLongerOfferedIsReplaced() async throws {
            let result = try await evaluate(
                """
                const choices = (...values) => values.map((value) => ({ value, title: value.toUpperCase() }));
                show({ type: "string", value: "a", choices: choices("a", "b", "c") }, 0);
                control().value = "b";
                show({ type: "string", value: "a", choices: choices("c", "b", "a") }, 1);
                const kept = control().value;
                show({ type: "string", value: "a", choices: choices("a", "c") }, 2);
                return [kept, control().value, [...control().options].map(({ label }) => label)];
                """)
            #expect(result == ["b", "a", ["A", "C"]])
        }
    }
}
