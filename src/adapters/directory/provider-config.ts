// The `lookup.providers` of tandem.config.json: their schema, and the providers made from it. A new kind is one more
// schema in the union and one more case in `makeProvider`.

import { isIP } from "node:net";
import { z } from "zod";
import { parseHostPort } from "../../../rules/sip-uri.ts";
import { type EnvironmentLookup, secretOf } from "../../base/secret-text.ts";
import type { LiveProvider, RedirectServers } from "../../domain/lookup/index.ts";
import { MESSAGING_STATUSES, PHONE_TYPES } from "../../domain/lookup/index.ts";
import { across, nameOf, objectsIn, repeatedNames, secret } from "../setting-fields.ts";
import { EnumProvider } from "./enum-provider.ts";
import { STATUS_WORDS, TYPE_WORDS, wordKey } from "./http-answer.ts";
import { HttpProvider } from "./http-provider.ts";
import { type JsonPath, parseJsonPath } from "./json-path.ts";
import { SipProvider } from "./sip-provider.ts";

const PROVIDERS_MAX = 16;
const SERVERS_MAX = 4;
// RFC 9110 5.6.2 and 5.5.
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;
const RESERVED_HEADERS = new Set([
  "accept-encoding",
  "connection",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "te",
  "transfer-encoding",
  "upgrade",
]);

const terms = {
  name: nameOf("provider"),
  callingCodes: z
    .array(z.string().regex(/^[1-9]\d{0,2}$/, "a calling code such as 1 or 49 is wanted"))
    .max(250)
    .default([])
    .describe("Calling codes this provider is asked for, without the plus. Empty: all."),
  deadlineMs: z.int().min(10).max(10_000).default(500).describe("Longest wait for an answer, in milliseconds."),
  concurrencyMax: z.int().min(1).max(1000).default(50).describe("Most requests under way at once."),
  cacheSeconds: z.int().min(0).max(2_592_000).default(86_400).describe("How long a finding is kept. 0: not at all."),
  negativeCacheSeconds: z
    .int()
    .min(0)
    .max(86_400)
    .default(600)
    .describe("How long it is kept that the provider does not know a number."),
};

const carriers = z
  .record(z.string().min(1), z.string().min(1).max(200))
  .default({})
  .describe("Carrier names by the spn parameter of the answer.");

const enumProvider = z
  .strictObject({
    kind: z.literal("enum").describe("Asks a name server for NAPTR records (RFC 6116)."),
    ...terms,
    suffix: z
      .string()
      .max(200)
      .regex(/^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?$/i, "a domain such as e164.arpa is wanted")
      .default("e164.arpa")
      .describe("The domain the reversed digits stand in."),
    servers: z
      .array(z.string().refine(isServer, "must be an IP address, with :port if it is not 53"))
      .max(SERVERS_MAX)
      .default([])
      .describe(
        "Name servers, tried in order: 192.0.2.1, 192.0.2.1:5353 or [2001:db8::1]:53. Empty: the machine's own.",
      ),
    carriers,
  })
  .describe("Number portability by ENUM.");

// RFC 3261 25.1: the characters of a user part, with at least one of the names in braces.
const USER_TEMPLATE = /^(?=.*\{)(?:[A-Za-z0-9\-_.!~*'()&=+$,;?/]|\{(?:number|digits|national)\})+$/;

const sipProvider = z
  .strictObject({
    kind: z.literal("sip").describe("Asks a SIP redirect server, which answers an INVITE with 302 (RFC 4694)."),
    ...terms,
    servers: z
      .array(z.string().refine((text) => parseHostPort(text) !== undefined, "must be a name or address, or with :port"))
      .min(1)
      .max(SERVERS_MAX)
      .describe(
        "Redirect servers, tried in order: 192.0.2.1, [2001:db8::1]:5060 or a name, which without a port is looked up by SRV.",
      ),
    transport: z.enum(["udp", "tcp", "tls"]).default("udp").describe("How the servers are asked."),
    user: z
      .string()
      .max(200)
      .regex(USER_TEMPLATE, "must hold {number}, {digits} or {national}, and what a user part may hold")
      .default("{number}")
      .describe("The user part that is called, with the same names in braces as the url of an HTTP provider."),
    notFoundStatuses: z
      .array(z.int().min(400).max(699))
      .default([404, 410, 484, 603, 604])
      .describe("Status codes by which the server says that it does not know the number."),
    carriers,
  })
  .describe("Number portability by a SIP redirect server; asked from sip.sourceAddresses.");

const jsonPath = z
  .string()
  .max(200)
  .refine((text) => parseJsonPath(text) !== undefined, "must be a path such as carrier.name or results[0].type");

const auth = z
  .discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("basic").describe("User name and password."),
      username: secret,
      password: secret,
    }),
    z.strictObject({ kind: z.literal("bearer").describe("A bearer token."), token: secret }),
    z.strictObject({
      kind: z.literal("header").describe("A key in a header of its own."),
      name: z.string().refine(isFreeHeader, "is not a header that may be set").describe("The header's name."),
      value: secret,
    }),
  ])
  .describe("How the service knows us.");

const httpProvider = z
  .strictObject({
    kind: z.literal("http").describe("Asks a service over HTTP that answers JSON."),
    ...terms,
    method: z.enum(["GET", "POST"]).default("GET").describe("The request's method."),
    url: z
      .string()
      .max(2000)
      .refine(isUrlTemplate, "must be an http(s) URL with {number}, {digits} or {national} in path or query only")
      .describe(
        "{number}: E.164 with the plus, encoded. {digits}: without the plus. {national}: without the calling code.",
      ),
    headers: z
      .record(z.string().refine(isFreeHeader, "is not a header that may be set"), secret)
      .default({})
      .describe("Headers sent along. Values may be env:NAME."),
    auth: auth.optional(),
    body: z
      .strictObject({
        contentType: z
          .string()
          .regex(HEADER_VALUE, "must be printable ASCII")
          .default("application/json")
          .describe("The body's content type."),
        template: z.string().max(10_000).describe("The body, with the same names in braces as the url."),
      })
      .optional()
      .describe("The body of a POST."),
    notFoundStatuses: z
      .array(z.int().min(200).max(499))
      .default([404])
      .describe("Status codes by which the service says that it does not know the number."),
    answer: z
      .strictObject({
        found: jsonPath.optional().describe("False, null, empty or absent there: the number is not known."),
        carrierName: jsonPath.optional().describe("The carrier's name."),
        type: jsonPath.optional().describe("The line type, read through typeWords."),
        status: jsonPath.optional().describe("Whether the number takes messages, read through statusWords."),
        routingNumber: jsonPath.optional().describe("The routing number (LRN) of a ported number."),
      })
      .refine((paths) => Object.keys(paths).length > 0, "must name at least one path")
      .describe("Where the JSON answer holds what."),
    typeWords: z
      .record(z.string().min(1), z.enum(PHONE_TYPES))
      .default({})
      .describe("The service's words for line types, beside those known already."),
    statusWords: z
      .record(z.string().min(1), z.enum(MESSAGING_STATUSES))
      .default({})
      .describe("The service's words for the messaging status, beside those known already."),
  })
  .refine((config) => config.body === undefined || config.method === "POST", {
    ...across,
    path: ["body"],
    message: "is only for POST",
  })
  .describe("Lookup by a service over HTTP.");

export const lookupProviderSchema = z.discriminatedUnion("kind", [enumProvider, httpProvider, sipProvider]);

export const lookupProvidersSchema = z
  .array(lookupProviderSchema)
  .max(PROVIDERS_MAX)
  .refine((all) => repeatedNames(objectsIn(all)).length === 0, {
    ...across,
    message: "every provider needs a name of its own",
  })
  .default([])
  .describe("Live sources of the carrier lookup, asked in this order.");

export type LookupProviderConfig = z.output<typeof lookupProviderSchema>;
type HttpProviderConfig = Extract<LookupProviderConfig, { kind: "http" }>;

export interface ProviderDeps {
  /** The value of an environment variable. */
  readonly secret: EnvironmentLookup;
  /** Undefined when SIP is not available. */
  readonly redirects?: RedirectServers | undefined;
}

export type ClosableProvider = LiveProvider & { close(): Promise<void> };

/** Throws when a secret is missing, or when the provider needs SIP and there is none. */
export function makeProvider(config: LookupProviderConfig, deps: ProviderDeps): ClosableProvider {
  const { name, callingCodes, deadlineMs, concurrencyMax, cacheSeconds, negativeCacheSeconds } = config;
  const provider = providerOf(config, deps);
  return {
    source: config.kind,
    ...{ name, callingCodes, deadlineMs, concurrencyMax, cacheSeconds, negativeCacheSeconds },
    ask: (number, signal) => provider.ask(number, signal),
    close: async () => provider.close?.(),
  };
}

function providerOf(
  config: LookupProviderConfig,
  deps: ProviderDeps,
): Pick<LiveProvider, "ask"> & { close?(): Promise<void> } {
  switch (config.kind) {
    case "enum":
      return new EnumProvider(config);
    case "http":
      return httpProviderOf(config, deps);
    case "sip":
      if (!deps.redirects) throw new Error(`${config.name} needs sip.sourceAddresses`);
      return new SipProvider(config, deps.redirects);
  }
}

function httpProviderOf(config: HttpProviderConfig, deps: ProviderDeps): HttpProvider {
  return new HttpProvider({
    ...config,
    headers: headersOf(config, deps),
    paths: pathsOf(config.answer),
    words: { types: wordsOf(TYPE_WORDS, config.typeWords), statuses: wordsOf(STATUS_WORDS, config.statusWords) },
  });
}

function headersOf(config: HttpProviderConfig, deps: ProviderDeps): Readonly<Record<string, string>> {
  const headers = Object.entries(config.headers).map(([name, value]): [string, string] => [
    name.toLowerCase(),
    secretOf(value, deps.secret),
  ]);
  const { auth } = config;
  if (auth?.kind === "basic") {
    const pair = `${secretOf(auth.username, deps.secret)}:${secretOf(auth.password, deps.secret)}`;
    headers.push(["authorization", `Basic ${Buffer.from(pair).toString("base64")}`]);
  }
  if (auth?.kind === "bearer") headers.push(["authorization", `Bearer ${secretOf(auth.token, deps.secret)}`]);
  if (auth?.kind === "header") headers.push([auth.name.toLowerCase(), secretOf(auth.value, deps.secret)]);
  const unfit = headers.find(([, value]) => !HEADER_VALUE.test(value));
  if (unfit) throw new Error(`${config.name}: header ${unfit[0]} holds characters that cannot be sent`);
  return Object.fromEntries(headers);
}

function pathsOf(answer: HttpProviderConfig["answer"]): Readonly<Record<string, JsonPath>> {
  const paths = Object.entries(answer).flatMap(([field, text]) => {
    const path = parseJsonPath(text ?? "");
    return path ? [[field, path] as const] : [];
  });
  return Object.fromEntries(paths);
}

function wordsOf<Word>(known: Readonly<Record<string, Word>>, added: Readonly<Record<string, Word>>) {
  return new Map([...Object.entries(known), ...Object.entries(added)].map(([word, value]) => [wordKey(word), value]));
}

function isServer(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const [, v6, v4, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const isAddress = v6 === undefined ? isIP(v4 ?? "") === 4 : isIP(v6) === 6;
  return isAddress && Number(port) >= 1 && Number(port) <= 65_535;
}

function isFreeHeader(name: string): boolean {
  return HEADER_NAME.test(name) && !RESERVED_HEADERS.has(name.toLowerCase());
}

function isUrlTemplate(text: string): boolean {
  const plain = text.replace(/\{(?:number|digits|national)\}/g, "0");
  if (/[{}]/.test(plain) || !URL.canParse(plain)) return false;
  const url = new URL(plain);
  const [authority = ""] = text.replace(/^https?:\/\//i, "").split(/[/?]/);
  return /^https?:$/.test(url.protocol) && url.username + url.password + url.hash === "" && !/[{}]/.test(authority);
}
