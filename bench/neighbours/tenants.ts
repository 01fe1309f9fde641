// A server with two accounts, a small and a greedy one. Each has a number that may send and be called, and limits that
// do not matter.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { basic, json, startTandem, type Tandem } from "../../test/tandem.ts";

export interface Tenant {
  readonly sid: string;
  readonly number: string;
  readonly authorization: string;
  /** The answer, whatever its status. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** The body of the answer; throws unless it is a success. */
  call<Body>(path: string, init?: RequestInit): Promise<Body>;
  post<Body>(path: string, body: object): Promise<Body>;
  send(message: object): Promise<{ readonly sid: string }>;
  /** Makes an event: a number opts out of messages from the account. */
  optOut(number: string): Promise<unknown>;
}

export interface Tenants {
  readonly tandem: Tandem;
  readonly small: Tenant;
  readonly greedy: Tenant;
  close(): Promise<void>;
}

const MESSAGES = "/messaging/v1/OutboundMessages";
const MANY = { requests: 1_000_000_000, windowSeconds: 1 };
const LIMITS = Object.fromEntries(
  [
    "lookup",
    "lookupBatch",
    "send",
    "sendToRecipient",
    "read",
    "session",
    "write",
    "call",
    "concurrentCalls",
    "webhooks",
  ].map((name) => [name, MANY]),
);

/** `config` is the content of tandem.config.json; without it everything outside is simulated. */
export async function startTenants(config?: object): Promise<Tenants> {
  const folder = mkdtempSync(join(tmpdir(), "tandem-neighbours-"));
  const file = join(folder, "tandem.config.json");
  if (config) writeFileSync(file, JSON.stringify(config));
  const environment = { TANDEM_LOG_LEVEL: "error", ...(config && { TANDEM_CONFIG: file }) };
  const tandem = await startTandem({ environment });
  return {
    tandem,
    // Toll-free numbers need no campaign.
    small: await newTenant(tandem, "Small", "+18005550190"),
    greedy: await newTenant(tandem, "Greedy", "+18005550191"),
    async close() {
      await tandem.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

async function newTenant(tandem: Tandem, name: string, number: string): Promise<Tenant> {
  const order = { name, features: ["voice"], limits: LIMITS, allowedCountries: ["US"] };
  const asOperator = async (path: string, body: object) =>
    bodyOf<{ sid: string; token: string }>(path, await tandem.operator(path, json("POST", body)));
  const { sid, token } = await asOperator("/operator/v1/Accounts", order);
  await asOperator("/operator/v1/Numbers", { numbers: [number] });
  const headers = basic(sid, token);
  const request: Tenant["request"] = (path, init) =>
    fetch(tandem.url + path, { ...init, headers: { ...headers, ...init?.headers } });
  const call = async <Body>(path: string, init?: RequestInit) => bodyOf<Body>(path, await request(path, init));
  const post = <Body>(path: string, body: object) => call<Body>(path, json("POST", body));
  const { sid: messagingConfigSid } = await post<{ sid: string }>("/v1/MessagingConfigs", { name });
  await post("/v1/Phones", { phone: number, messagingConfigSid });
  return {
    sid,
    number,
    authorization: headers.Authorization,
    request,
    call,
    post,
    send: (message) => post(MESSAGES, { From: number, ...message }),
    optOut: (recipient) => post("/v1/OptOuts", { number: recipient, scopeType: "SenderPhoneNumber", scope: number }),
  };
}

async function bodyOf<Body>(path: string, answer: Response): Promise<Body> {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
  return (text === "" ? undefined : JSON.parse(text)) as Body;
}
