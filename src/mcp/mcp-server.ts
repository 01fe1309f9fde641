// The server of the Model Context Protocol: it offers tools and passes their calls to `call`. The refusal of an
// operation is the result of the call, so that the model can read the reason.

import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, type CallToolResult, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { requestOf, type Tool, type ToolRequest } from "./tools.ts";

export interface McpOrder {
  readonly version: string;
  readonly tools: readonly Tool[];
  readonly mayWrite: boolean;
  /** How to get permission for tools that change something. */
  readonly writeAdvice: string;
  readonly call: (tool: Tool, request: ToolRequest) => Promise<ToolAnswer>;
}

export interface ToolAnswer {
  readonly status: number;
  /** JSON, or empty. */
  readonly text: string;
}

export function makeMcpServer({ version, tools, mayWrite, writeAdvice, call }: McpOrder): Server {
  const server = new Server({ name: "tandem", version }, { capabilities: { tools: {} } });
  const known = new Map(tools.map((tool) => [tool.name, tool]));
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools
      .filter(({ isRead }) => isRead || mayWrite)
      .map(({ name, description, inputSchema, isRead, method }) => ({
        name,
        description,
        inputSchema,
        annotations: { readOnlyHint: isRead, destructiveHint: method === "DELETE", openWorldHint: !isRead },
      })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: input = {} } }) => {
    const tool = known.get(name);
    if (!tool) return refusal(`There is no tool ${name}. tools/list names those that there are.`);
    if (!tool.isRead && !mayWrite) return refusal(`${name} changes something. ${writeAdvice}`);
    const request = requestOf(tool, input);
    if (!request.ok) return refusal(request.refusal);
    const { status, text } = await call(tool, request.value);
    return { content: [{ type: "text", text: text || `Done (${status}).` }], isError: status >= 400 };
  });
  return server;
}

function refusal(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}
