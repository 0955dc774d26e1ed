"""A client that calls tools with either version of the official SDK, and checks every schema and result."""

import contextlib
import json

from jsonschema import Draft202012Validator

from servers import ROOT

try:
    from mcp.client.client import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client

    # The handshake of older revisions, and the revision without one.
    MODES = ["legacy", "auto"]
except ImportError:
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client
    from mcp.client.streamable_http import streamable_http_client

    Client = None
    MODES = ["legacy"]


def parameters(server):
    command, *arguments = server.command
    return StdioServerParameters(command=command, args=arguments, env=server.environment, cwd=ROOT)


@contextlib.asynccontextmanager
async def connected(server, mode):
    """The SDK's client, and the revision on which it agrees with the server."""
    with open(server.folder / "log", "a") as log:
        program = stdio_client(parameters(server), errlog=log) if server.over == "program" else None
        if Client is not None:
            async with Client(program or server.url, mode=mode) as client:
                yield client, client.protocol_version
        else:
            async with program or streamable_http_client(server.url) as streams:
                async with ClientSession(*streams[:2]) as session:
                    hello = await session.initialize()
                    yield session, hello.protocolVersion


class Agent:
    """An agent that reads every schema, and believes no result that does not fit its schema."""

    def __init__(self, client, revision):
        self.client = client
        self.revision = revision
        self.tools = {}

    async def list_tools(self):
        listed = (await self.client.list_tools()).model_dump(by_alias=True, mode="json", exclude_none=True)
        for tool in listed["tools"]:
            Draft202012Validator.check_schema(tool["inputSchema"])
            Draft202012Validator.check_schema(tool["outputSchema"])
            assert tool["description"] and tool["annotations"], tool
            self.tools[tool["name"]] = tool
        return list(self.tools)

    async def call(self, tool, **arguments):
        Draft202012Validator(self.tools[tool]["inputSchema"]).validate(arguments)
        answer = await self.client.call_tool(tool, arguments)
        result = answer.model_dump(by_alias=True, mode="json")
        content = json.loads(result["content"][0]["text"])
        is_error = bool(result["isError"])
        assert result["structuredContent"] == (None if is_error else content)
        return content, is_error

    async def use(self, tool, **arguments):
        """The result of a tool that does what it is asked for."""
        content, is_error = await self.call(tool, **arguments)
        assert not is_error, content
        Draft202012Validator(self.tools[tool]["outputSchema"]).validate(content)
        for form in forms(content.get("screen")):
            Draft202012Validator.check_schema(form)
        return content

    async def mistake(self, tool, **arguments):
        """The problem of a tool that does not."""
        content, is_error = await self.call(tool, **arguments)
        assert is_error, content
        assert content["type"].startswith("/problems/") and content["detail"], content
        return content

    async def fill_in(self, session, title, **typed):
        """Presses the button of a form, with values that fit its schema."""
        screen = (await self.use("read_screen", session=session))["screen"]
        action = next(action for action in screen["actions"] if action["title"] == title)
        shown = {
            field: value for field, value in action["payload"].items() if field in action["input_schema"]["properties"]}
        Draft202012Validator(action["input_schema"]).validate({**shown, **typed})
        return await self.use("press", session=session, title=title, input=typed)


def forms(value):
    """All schemas of forms within a value."""
    if isinstance(value, list):
        for element in value:
            yield from forms(element)
    elif isinstance(value, dict):
        if "input_schema" in value:
            yield value["input_schema"]
        for element in value.values():
            yield from forms(element)
