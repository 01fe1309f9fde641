// `tandem mcp`: the account's operations as tools of the Model Context Protocol, on standard input and output, for
// programs that run language models. The tools come from the server's OpenAPI document.

import type { Command } from "commander";
import packageJson from "../../../package.json" with { type: "json" };
import type { ToolAnswer } from "../../mcp/mcp-server.ts";
import { type OpenApiDocument, type Tool, type ToolRequest, toolsOf } from "../../mcp/tools.ts";
import { type AccountFlags, addAccountOptions } from "../account-options.ts";
import { findCredentials } from "../credentials.ts";
import { RefusedError } from "../exit-codes.ts";

const HELP = `
Tools that only read, look up or try are offered; --allow-writes offers the others too: sending, calling, changing.
Every call is a request with the limits of the account.

Example, in the settings of a program that runs language models:
  { "mcpServers": { "tandem": { "command": "/path/to/tandem/tandem", "args": ["mcp"] } } }
`;

const DOCUMENT = "/swagger/v1/swagger.json";
const WRITE_ADVICE = "It is not offered: tandem mcp was started without --allow-writes.";

interface McpFlags extends AccountFlags {
  readonly allowWrites?: true;
}

export function addMcpCommand(program: Command): void {
  const command = program
    .command("mcp")
    .summary("the API as tools for language models")
    .description("Offer the API as tools of the Model Context Protocol, on standard input and output.")
    .option("--allow-writes", "offer what sends, calls and changes too")
    .option("--json", "print refusals as JSON")
    .addHelpText("after", HELP);
  addAccountOptions(command).action(async (flags: McpFlags) => {
    const { baseUrl, accountSid, token } = findCredentials(flags, process.env);
    const base = baseUrl.replace(/\/$/, "");
    const authorization = `Basic ${Buffer.from(`${accountSid}:${token}`).toString("base64")}`;
    const tools = toolsOf(await readDocument(base));
    const [{ makeMcpServer }, { StdioServerTransport }] = await Promise.all([
      import("../../mcp/mcp-server.ts"),
      import("@modelcontextprotocol/sdk/server/stdio.js"),
    ]);
    const server = makeMcpServer({
      version: packageJson.version,
      tools,
      mayWrite: flags.allowWrites === true,
      writeAdvice: WRITE_ADVICE,
      call: (tool, request) => callServer(base, authorization, tool, request),
    });
    const ended = new Promise<void>((resolve) => {
      server.onclose = resolve;
      process.stdin.once("end", resolve);
    });
    await server.connect(new StdioServerTransport());
    await ended;
    await server.close();
  });
}

async function readDocument(base: string): Promise<OpenApiDocument> {
  try {
    const answer = await fetch(`${base}${DOCUMENT}`);
    if (answer.ok) return (await answer.json()) as OpenApiDocument;
    throw new Error(`it answered ${answer.status}`);
  } catch (fault) {
    throw new RefusedError(`The tools could not be read from ${base}${DOCUMENT}: ${reasonOf(fault)}.`);
  }
}

async function callServer(
  base: string,
  authorization: string,
  { method }: Tool,
  { path, query, headers, body }: ToolRequest,
): Promise<ToolAnswer> {
  const search = new URLSearchParams(query).toString();
  try {
    const answer = await fetch(`${base}${path}${search && `?${search}`}`, {
      method,
      headers: { authorization, ...headers, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, text: await answer.text() };
  } catch (fault) {
    return { status: 503, text: `The server at ${base} could not be reached: ${reasonOf(fault)}.` };
  }
}

function reasonOf(fault: unknown): string {
  const { message, cause } = fault as Error;
  return cause instanceof Error ? cause.message || message : message;
}
