// Clients that three npm generators make from the whole document, without a network: a program that sends a message,
// looks a number up and receives webhooks compiles with each of them under strict rules and without a cast, and really
// sends and looks up. The program also contains what the types forbid, and the compiler has to report it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import openapiTypescript, { astToString } from "openapi-typescript";
import { generate } from "openapi-typescript-codegen";
import { generateApi } from "swagger-typescript-api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useTandem } from "../use-tandem.ts";
import { newMessenger, newSender } from "./messages.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DOCUMENT = join(ROOT, "api/tandem.json");
const TO = "+14155550100";

interface Order {
  readonly url: string;
  readonly accountSid: string;
  readonly token: string;
  readonly from: string;
  readonly to: string;
}

const ORDER =
  "interface Order { readonly url: string; readonly accountSid: string; readonly token: string; readonly from: string; readonly to: string }";

/** A handler of webhooks, the same for every generator: `payload` returns the generated name of a document's type. */
const handlers = (payload: (name: string) => string) => `
export function takeMessage(event: ${payload("InboundMessageReceivedPayload")}): string {
  // @ts-expect-error A member of another event.
  event.Segments;
  return event.AdditionalRecipients.map((other) => other.length).join() + event.From + event.Text;
}
export function takeStatus(event: ${payload("OutboundMessageStatusChangedPayloadB")}): boolean {
  // @ts-expect-error Shape A calls it Status.
  event.Status;
  // @ts-expect-error A status that no message has.
  const isLost = event.status === "Lost";
  return event.status === "Delivered" && event.errorCode === 0 && !isLost;
}
export function takeForm(event: ${payload("InboundMessageReceivedPayloadTwilio")}): string {
  return event.MessageSid + event.Body.trim() + (event.MediaUrl0 ?? "");
}
export function takeRecording(body: string): string[] {
  const event: ${payload("CallRecordingCompletedPayload")} = JSON.parse(body);
  return event.Segments.map(({ Url }) => Url);
}
`;

const PROGRAMS: Readonly<Record<string, string>> = {
  "swagger-typescript-api": `
import { Api, type CallRecordingCompletedPayload, type InboundMessageReceivedPayload, type InboundMessageReceivedPayloadTwilio, type OutboundMessageStatusChangedPayloadB } from "./api";
${ORDER}
export async function run({ url, accountSid, token, from, to }: Order) {
  const headers = { Authorization: "Basic " + btoa(accountSid + ":" + token) };
  const { messaging, carrierLookup } = new Api({ baseUrl: url, baseApiParams: { headers } });
  const { data: message } = await messaging.sendMessage({ From: from, To: to, Text: "Hi" });
  // @ts-expect-error Only a dry run says so.
  message.wouldSend;
  const { data: dry } = await messaging.dryRunMessage({ From: from, To: to, Text: "Hi" });
  const { data: found } = await carrierLookup.lookUpNumber(to);
  return { sid: message.sid, status: message.status, wouldSend: dry.wouldSend, number: found.number };
}
${handlers((name) => name)}`,
  "openapi-typescript": `
import createClient from "openapi-fetch";
import type { components, paths } from "./api";
${ORDER}
export async function run({ url, accountSid, token, from, to }: Order) {
  const headers = { Authorization: "Basic " + btoa(accountSid + ":" + token) };
  const client = createClient<paths>({ baseUrl: url, headers });
  const body = { From: from, To: to, Text: "Hi" };
  const { data: message, error } = await client.POST("/messaging/v1/OutboundMessages", { body });
  if (!message) throw new Error(error.code + error.errorMessage);
  // @ts-expect-error Only a dry run says so.
  message.wouldSend;
  const { data: dry } = await client.POST("/messaging/v1/OutboundMessages/dryRun", { body });
  const path = { Number: to };
  const { data: found } = await client.GET("/carrierLookup/v1/Numbers/{Number}", { params: { path } });
  return { sid: message.sid, status: message.status, wouldSend: dry?.wouldSend, number: found?.number };
}
${handlers((name) => `components["schemas"]["${name}"]`)}`,
  "openapi-typescript-codegen": `
import { type CallRecordingCompletedPayload, type InboundMessageReceivedPayload, type InboundMessageReceivedPayloadTwilio, LookupService, MessagesService, OpenAPI, type OutboundMessageStatusChangedPayloadB } from "./api";
${ORDER}
export async function run({ url, accountSid, token, from, to }: Order) {
  Object.assign(OpenAPI, { BASE: url, USERNAME: accountSid, PASSWORD: token });
  const requestBody = { From: from, To: to, Text: "Hi" };
  const message = await MessagesService.sendMessage({ requestBody });
  // @ts-expect-error Only a dry run says so.
  message.wouldSend;
  const dry = await MessagesService.dryRunMessage({ requestBody });
  const found = await LookupService.lookUpNumber({ number: to });
  return { sid: message.sid, status: message.status, wouldSend: dry.wouldSend, number: found.number };
}
${handlers((name) => name)}`,
};

let folder: string;
const tandem = useTandem();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tandem-clients-"));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  for (const [name, program] of Object.entries(PROGRAMS)) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "program.ts"), program);
  }
  await generateApi({
    input: DOCUMENT,
    output: join(folder, "swagger-typescript-api"),
    fileName: "api.ts",
    silent: true,
  });
  writeFileSync(
    join(folder, "openapi-typescript/api.ts"),
    astToString(await openapiTypescript(pathToFileURL(DOCUMENT))),
  );
  await generate({ input: DOCUMENT, output: join(folder, "openapi-typescript-codegen/api"), useOptions: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

test("the programs compile under strict rules", async () => {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: "ES2022",
    module: "ESNext",
    moduleResolution: "bundler",
    lib: ["ES2023", "DOM", "DOM.Iterable"],
    types: [],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: Object.keys(PROGRAMS) }));
  const tsc = join(ROOT, "node_modules/@typescript/native/bin/tsc");
  const compiler = spawn(process.execPath, [tsc, "-p", folder], { stdio: ["ignore", "pipe", "pipe"] });
  const said: unknown[] = [];
  for (const output of [compiler.stdout, compiler.stderr])
    output.setEncoding("utf8").on("data", (text) => said.push(text));
  const [status] = await once(compiler, "close");
  expect(said.join("")).toBe("");
  expect(status).toBe(0);
});

test.each(Object.keys(PROGRAMS))("a client of %s sends, tries and looks up", async (name) => {
  const account = await newMessenger(tandem);
  const { number: from } = await newSender(tandem, tandem.database, account);
  const outfile = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [join(folder, name, "program.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
  const { run } = (await import(pathToFileURL(outfile).href)) as { run(order: Order): Promise<object> };
  const { sid: accountSid, token } = account;
  const done = await run({ url: tandem.url, accountSid, token, from, to: TO });
  const sid = expect.stringMatching(/^OM[0-9a-f]{32}$/);
  expect(done).toStrictEqual({ sid, status: "Queued", wouldSend: true, number: TO });
});
