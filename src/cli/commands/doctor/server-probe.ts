// Checks whether a Tandem server is running and ready, and if none is, whether the port is free.

import { once } from "node:events";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { createServer } from "node:net";
import { type Finding, fail, ok, warn } from "./finding.ts";

const ANSWER_MS_MAX = 3_000;
const ANSWER_BYTES_MAX = 64 * 1024;

export interface ServerOrder {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  /** The URL that the server of this data directory has recorded. */
  readonly knownUrl: string | undefined;
}

export interface ServerReport {
  readonly findings: readonly Finding[];
  /** How far its clock is ahead of ours. */
  readonly aheadMs?: number;
}

type Probe =
  | {
      readonly kind: "tandem";
      readonly faults: readonly string[];
      readonly linksDown: readonly string[];
      readonly aheadMs: number | undefined;
    }
  | { readonly kind: "other" }
  | { readonly kind: "none" };

export async function checkServer(order: ServerOrder): Promise<ServerReport> {
  const known = order.knownUrl === undefined ? undefined : await probe(order.knownUrl);
  if (known?.kind === "tandem" && order.knownUrl !== undefined) return report(order.knownUrl, known);
  if (order.port === 0) return { findings: [ok("Port", "any free one, at the start"), notRunning()] };
  const url = configuredUrl(order);
  const found = await probe(url);
  if (found.kind === "tandem") return report(url, found);
  return { findings: [await checkPort(order), notRunning()] };
}

function report(url: string, { faults, linksDown, aheadMs }: Extract<Probe, { kind: "tandem" }>): ServerReport {
  const server =
    faults.length === 0
      ? ok("Server", `ready at ${url}`)
      : fail("Server", `runs at ${url} but is not ready: ${faults.join("; ")}`, "Its log on standard error tells why.");
  return {
    findings: [
      ok("Port", `in use by Tandem at ${url}`),
      server,
      ...linksDown.map((name) => warn("Carrier link", `${name} is down`, "GET /operator/v1/Links tells why.")),
    ],
    ...(aheadMs === undefined ? {} : { aheadMs }),
  };
}

function notRunning(): Finding {
  return ok("Server", "not running; `tandem serve` starts it");
}

function configuredUrl({ host, isTls, port }: ServerOrder): string {
  const reached = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `${isTls ? "https" : "http"}://${reached.includes(":") ? `[${reached}]` : reached}:${port}`;
}

/** Binds the port briefly, as the server will do. */
async function checkPort({ host, port }: ServerOrder): Promise<Finding> {
  const check = "Port";
  const listener = createServer();
  try {
    await once(listener.listen({ host, port, exclusive: true }), "listening");
    return ok(check, `${port} on ${host} is free`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const elsewhere = "or set TANDEM_PORT to another port (0 for any free one)";
    switch (code) {
      case "EADDRINUSE":
        return fail(check, `${port} on ${host} is taken by another program`, `Stop it, ${elsewhere}.`);
      case "EACCES":
        return fail(check, `${port} is not for this user`, `Put a proxy in front, ${elsewhere}.`);
      case "EADDRNOTAVAIL":
      case "ENOTFOUND":
      case "EAI_AGAIN":
        return fail(check, `${host} is no address of this machine`, "Set TANDEM_HOST to one, as 127.0.0.1 or 0.0.0.0.");
      default:
        return warn(check, `${port} on ${host}: ${message}`, `Look at TANDEM_HOST, ${elsewhere}.`);
    }
  } finally {
    await new Promise((resolve) => listener.close(resolve));
  }
}

async function probe(url: string): Promise<Probe> {
  const answer = await get(`${url}/readyz`);
  if (answer === "none") return { kind: "none" };
  const body = bodyOf(answer.text);
  if (!body || answer.requestId === undefined) return { kind: "other" };
  const faults = Object.entries(body.checks).flatMap(([name, said]) => (said === "ok" ? [] : [`${name} ${said}`]));
  const linksDown = Object.entries(body.links).flatMap(([name, state]) => (state === "down" ? [name] : []));
  const at = Date.parse(answer.date ?? "");
  // The header has whole seconds, so it is half a second behind on average.
  return { kind: "tandem", faults, linksDown, aheadMs: Number.isNaN(at) ? undefined : at + 500 - Date.now() };
}

interface ReadyBody {
  readonly checks: Readonly<Record<string, unknown>>;
  readonly links: Readonly<Record<string, unknown>>;
}

function bodyOf(text: string): ReadyBody | undefined {
  try {
    const { checks, links } = JSON.parse(text) as { checks?: unknown; links?: unknown };
    return isObject(checks) ? { checks, links: isObject(links) ? links : {} } : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object";
}

interface ProbeAnswer {
  readonly text: string;
  readonly requestId: string | undefined;
  readonly date: string | undefined;
}

function get(url: string): Promise<ProbeAnswer | "none"> {
  return new Promise((resolve) => {
    if (!URL.canParse(url)) return resolve("none");
    // The certificate may be for the public name, so it is not verified. No secret is sent.
    const options = { timeout: ANSWER_MS_MAX, rejectUnauthorized: false, agent: false };
    const ask = (url.startsWith("https:") ? requestHttps : requestHttp)(url, options, (response) => {
      const { headers } = response;
      const done = () => resolve({ text, requestId: headers["x-request-id"]?.toString(), date: headers.date });
      let text = "";
      response.on("data", (chunk: Buffer) => {
        text += chunk.toString("utf8");
        if (text.length > ANSWER_BYTES_MAX) ask.destroy();
      });
      response.once("close", done);
    });
    ask.once("timeout", () => ask.destroy());
    ask.once("error", () => resolve("none"));
    ask.end();
    return undefined;
  });
}
