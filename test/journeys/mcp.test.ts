// The tools of the Model Context Protocol, as the protocol's own client sees them: over HTTP and over the command line.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { basic, json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";

/** The demo account, which has numbers. */
const tandem = useTandem({});
const open: Client[] = [];
let number = "";

beforeAll(async () => {
  const { items } = (await (await tandem.get("/v1/Phones?PageSize=1")).json()) as { items: { number: string }[] };
  number = items[0]?.number ?? "";
});

afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

async function connect(transport: unknown): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport as Transport);
  open.push(client);
  return client;
}

function overHttp(token: string): Promise<Client> {
  const headers = basic(tandem.accountSid, token);
  return connect(new StreamableHTTPClientTransport(new URL(`${tandem.url}/mcp`), { requestInit: { headers } }));
}

function overStdio(...flags: readonly string[]): Promise<Client> {
  const env = { PATH: process.env.PATH ?? "", TANDEM_URL: tandem.url, TANDEM_ACCOUNT_SID: tandem.accountSid };
  return connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ["dist/tandem.js", "mcp", ...flags],
      env: { ...env, TANDEM_TOKEN: tandem.token },
      stderr: "ignore",
    }),
  );
}

async function writingToken(): Promise<string> {
  const answer = await tandem.get("/v1/Account/tokens", json("POST", { toolWrites: true }));
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { token: string }).token;
}

interface Result {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
}

async function call(client: Client, name: string, input: Record<string, unknown>) {
  const { isError = false, content } = (await client.callTool({ name, arguments: input })) as unknown as Result;
  return { isError, text: content[0]?.text ?? "" };
}

describe.each([
  ["HTTP", { reading: () => overHttp(tandem.token), writing: async () => overHttp(await writingToken()) }],
  ["the command line", { reading: () => overStdio(), writing: () => overStdio("--allow-writes") }],
])("a language model over %s", (_way, { reading, writing }) => {
  test("is offered what reads, looks up and tries, and looks a number up", async () => {
    const client = await reading();
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["lookUpNumber", "lookUpNumbers", "dryRunMessage", "listCalls"]));
    expect(names).not.toEqual(expect.arrayContaining(["sendMessage"]));
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
    const { isError, text } = await call(client, "lookUpNumber", { Number: "+14155552671" });
    expect(isError).toBe(false);
    expect(JSON.parse(text)).toMatchObject({ number: "+14155552671" });
  });

  test("changes nothing unless it is allowed to", async () => {
    const client = await reading();
    const order = { From: number, To: "+14155550123", Text: "Hello" };
    const refused = await call(client, "sendMessage", order);
    expect(refused).toEqual({ isError: true, text: expect.stringMatching(/toolWrites|--allow-writes/) });
    expect(await call(client, "dryRunMessage", order)).toMatchObject({ isError: false });
  });

  test("gets no other operation's answer where it leaves the sid out", async () => {
    const client = await reading();
    for (const sid of [undefined, null, "", ".."]) {
      const { isError, text } = await call(client, "getOutboundMessage", { sid });
      expect([isError, text]).toEqual([true, "getOutboundMessage needs a value for sid."]);
    }
  });

  test("sends a text where it is allowed to, once for a key, and reads why one was refused", async () => {
    const client = await writing();
    const order = { From: number, To: "+14155550123", Text: "Hello", "Idempotency-Key": `key ${_way}` };
    const [sent, again] = [await call(client, "sendMessage", order), await call(client, "sendMessage", order)];
    expect(sent.isError).toBe(false);
    const { sid } = JSON.parse(sent.text) as { sid: string };
    expect(JSON.parse(again.text)).toMatchObject({ sid });
    expect(JSON.parse((await call(client, "getOutboundMessage", { sid })).text)).toMatchObject({ sid });
    const wrong = await call(client, "sendMessage", { ...order, "Idempotency-Key": "other", Body: "Hi", To: "x" });
    expect(wrong.isError).toBe(true);
    expect(JSON.parse(wrong.text)).toMatchObject({ status: 400, errors: { Body: expect.anything() } });
  });
});

test("every tool describes its input by a schema that validators read, and its examples are valid", async () => {
  const { tools } = await (await overStdio("--allow-writes")).listTools();
  expect(tools.length).toBeGreaterThan(70);
  const ajv = new Ajv({ strict: false, formats: { "search-id": true } });
  addFormats.default(ajv);
  for (const { name, description = "", inputSchema } of tools) {
    const validate = ajv.compile(inputSchema);
    const example = /^Example: (.*)$/m.exec(description)?.[1];
    if (example === undefined) continue;
    const given = JSON.parse(example) as Record<string, unknown>;
    const needed = inputSchema.required ?? [];
    const others = Object.fromEntries(needed.filter((one) => !(one in given)).map((one) => [one, "x"]));
    expect(validate({ ...others, ...given }), `${name}: ${ajv.errorsText(validate.errors)}`).toBe(true);
  }
});

test("a member that may be null takes null, beside words of its own and of others", async () => {
  const { tools } = await (await overStdio("--allow-writes")).listTools();
  const schema = tools.find(({ name }) => name === "sendMessage")?.inputSchema ?? {};
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, object>> };
  const ajv = new Ajv({ strict: false });
  for (const [name, word] of Object.entries({ Priority: "High", CallbackStatuses: "Final" })) {
    const validate = ajv.compile(properties[name] ?? false);
    expect([name, validate(word), validate(null), validate("no such word")]).toEqual([name, true, true, false]);
  }
});

test("an outsider is asked to sign in", async () => {
  const answer = await fetch(`${tandem.url}/mcp`, { ...json("POST", {}), redirect: "error" });
  expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, 'Basic realm="tandem"']);
});

test("a body that is no request of the protocol gets a clear error", async () => {
  const post = async (body: string | Uint8Array<ArrayBuffer>) => {
    const headers = {
      ...basic(tandem.accountSid, tandem.token),
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    return fetch(`${tandem.url}/mcp`, { method: "POST", headers, body });
  };
  const value = fc.anything({ maxDepth: 3, withNullPrototype: false });
  const message = fc.record(
    {
      jsonrpc: fc.constantFrom("2.0", "1.0", 2),
      id: fc.oneof(fc.integer(), fc.string(), value),
      method: fc.oneof(fc.constantFrom("tools/call", "tools/list", "initialize", "x"), fc.string()),
      params: fc.oneof(value, fc.record({ name: fc.string(), arguments: value }, { requiredKeys: [] })),
    },
    { requiredKeys: [] },
  );
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string({ maxLength: 200 }),
    fc.oneof(message, fc.array(message, { maxLength: 3 }), value).map((one) => JSON.stringify(one) ?? ""),
  );
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const answer = await post(body);
      const text = await answer.text();
      expect([200, 202, 400]).toContain(answer.status);
      if (answer.status !== 202) expect(JSON.parse(text)).toBeTypeOf("object");
      if (answer.status === 400) expect(JSON.parse(text)).toMatchObject({ error: { message: expect.any(String) } });
    }),
    { numRuns: 1_000 },
  );
  // The server is unaffected.
  expect((await (await overHttp(tandem.token)).listTools()).tools.length).toBeGreaterThan(30);
});
