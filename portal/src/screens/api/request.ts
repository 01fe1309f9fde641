// A request made from the form: its field texts become an address and a body, and the response is kept whole.

import { pageHeaders } from "../../api/client.ts";
import { prettyJson } from "../../components/highlight.ts";
import type { Input, Operation, Place } from "./openapi.ts";

/** The text of every field, by place and name. An empty one is not sent. */
export type Values = Readonly<Record<string, string>>;

export const keyOf = ({ place, name }: { readonly place: Place; readonly name: string }): string => `${place}.${name}`;

/** The values that are sent in a place. */
export function given(operation: Operation, values: Values, place: Place): Readonly<Record<string, unknown>> {
  const sent = operation.inputs
    .filter((input) => input.place === place && (values[keyOf(input)] ?? "") !== "")
    .map((input) => [input.name, parsedOf(input, values[keyOf(input)] ?? "")] as const);
  return Object.fromEntries(sent);
}

/** Text that is not JSON is sent as text: the server reports what is wrong with it. */
function parsedOf({ kind }: Input, text: string): unknown {
  if (kind === "text") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function addressOf(operation: Operation, values: Values): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[keyOf({ place: "path", name })] ?? "").replace("%2B", "+"),
  );
  const query = new URLSearchParams(
    Object.entries(given(operation, values, "query")).map(([name, value]) => [name, String(value)]),
  ).toString();
  return query === "" ? path : `${path}?${query}`;
}

export interface Answered {
  readonly status: number;
  readonly statusText: string;
  readonly ms: number;
  readonly requestId: string | undefined;
  readonly headers: string;
  readonly body: string;
  readonly isJson: boolean;
}

const SHOWN_MAX = 20_000;
const TIMEOUT_MS = 30_000;

/** Sends the request once, with the session of this page. */
export async function sendOnce(operation: Operation, values: Values): Promise<Answered> {
  const begun = performance.now();
  const hasBody = operation.body === "json";
  const response = await fetch(addressOf(operation, values), {
    method: operation.method,
    headers: {
      ...pageHeaders(),
      ...(hasBody && { "Content-Type": "application/json" }),
    },
    ...(hasBody && { body: JSON.stringify(given(operation, values, "body")) }),
    credentials: "same-origin",
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const bytes = await response.arrayBuffer();
  const ms = Math.round(performance.now() - begun);
  const type = response.headers.get("Content-Type") ?? "";
  const isJson = /json/.test(type);
  return {
    status: response.status,
    statusText: response.statusText,
    ms,
    requestId: response.headers.get("X-Request-Id") ?? undefined,
    headers: [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n"),
    body: shown(bytes, type, isJson),
    isJson,
  };
}

function shown(bytes: ArrayBuffer, type: string, isJson: boolean): string {
  if (bytes.byteLength === 0) return "(no body)";
  if (!isJson && !type.startsWith("text/")) return `(${bytes.byteLength.toLocaleString()} bytes of ${type})`;
  const text = new TextDecoder().decode(bytes);
  const whole = isJson ? prettyJson(text) : text;
  return whole.length > SHOWN_MAX
    ? `${whole.slice(0, SHOWN_MAX)}\n… ${whole.length - SHOWN_MAX} characters more`
    : whole;
}
