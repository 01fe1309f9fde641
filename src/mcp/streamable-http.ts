// Answers one request of the protocol's streamable HTTP transport. There are no sessions: each request is independent,
// so any process can answer it.

import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { type McpOrder, makeMcpServer } from "./mcp-server.ts";

export interface McpRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array | undefined;
}

const PASSED_ON = ["accept", "content-type", "mcp-protocol-version"];

export async function answerMcp(
  order: McpOrder,
  { headers, body }: McpRequest,
): Promise<{ readonly status: number; readonly text: string }> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = makeMcpServer(order);
  // The two types differ only in what may be undefined.
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  try {
    const passedOn = PASSED_ON.flatMap((name): [string, string][] => {
      const value = headers[name];
      return typeof value === "string" ? [[name, value]] : [];
    });
    const request = new Request("http://localhost/mcp", { method: "POST", headers: passedOn, body: body ?? "" });
    const response = await transport.handleRequest(request);
    return { status: response.status, text: await response.text() };
  } finally {
    await server.close();
  }
}
