// The official TypeScript SDK of the Model Context Protocol, which checks each result against the tool's output schema.
// PyPI's playwright contains it. `node typescript.mjs SDK URL`.
import assert from "node:assert/strict";
import { createRequire } from "node:module";

const [sdk, url] = process.argv.slice(2);
const { Client, StreamableHTTPClientTransport } = createRequire(import.meta.url)(sdk);
const client = new Client({ name: "test", version: "1" });
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
const { tools } = await client.listTools();

for (const tool of tools) {
    for (const schema of [tool.inputSchema, tool.outputSchema]) {
        assert.equal(schema.type, "object");
        for (const word of ["oneOf", "anyOf", "allOf", "not", "enum"]) assert(!(word in schema), `${tool.name}: ${word}`);
    }
}

/** The result of a tool that does what it is asked for. */
async function use(name, input = {}) {
    const result = await client.callTool({ name, arguments: input });
    assert(!result.isError, JSON.stringify(result));
    return result.structuredContent;
}

/** The problem of a tool that does not: a model reads its text. */
async function mistake(name, input) {
    const result = await client.callTool({ name, arguments: input });
    assert.equal(result.isError, true, name);
    assert.equal(result.structuredContent, undefined);
    const problem = JSON.parse(result.content[0].text);
    assert.match(problem.type, /^\/problems\//);
    return problem;
}

const { session } = await use("open_session", { options: "{}" });
const good = {
    open_session: { path: "/main/teams" },
    read_screen: { session },
    press: { session, title: "Continue" },
    open_link: { session, path: "/main/teams/team/ferrari" },
    list_events: {},
    read_history: { session, limit: "1" },
    fork_session: { session, version: 1 },
    wait: { session, until: "changed", version: "1", seconds: 1 },
    export_journal: { session },
    end_session: { session },
};
assert.deepEqual(tools.map((tool) => tool.name), Object.keys(good));
for (const [name, input] of Object.entries(good)) {
    const problem = await mistake(name, { ...input, nothing: 1 });
    assert.equal(problem.pointer, "/nothing");
    await use(name, input);
}
for (const name of ["read_screen", "press", "wait", "end_session"]) {
    assert.equal((await mistake(name, good[name])).type, "/problems/session-not-found");
}

const other = (await use("open_session", { path: "/main/teams" })).session;
assert.equal((await mistake("press", { session: other, title: "Ferari" })).didYouMean, "Ferrari");
assert.equal((await mistake("press", { session: other, event: "teams.didSelect", payload: "{team" })).pointer, "/payload");
const waiting = use("wait", { session: other, until: "changed" });
const pressed = await use("press", { session: other, event: "teams.didSelect", payload: '{"team": "ferrari"}' });
assert.equal((await waiting).version, pressed.version);
await client.close();
