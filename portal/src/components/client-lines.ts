// Code snippets that work as pasted into a clean shell in the server's folder: each begins with the line that sets
// TANDEM_TOKEN. The page never contains the token: the demo account's is in a file, any other is typed in.

import type { Session } from "../api/session.ts";
import type { CodeTab } from "./code.tsx";

export interface Caller {
  readonly kind: Session["kind"];
  readonly accountSid: string;
  /** The file with the account's credentials, where there is one. */
  readonly demoEnv: string | null;
}

export const callerOf = ({ kind, accountSid, demoEnv }: Session): Caller => ({
  kind,
  accountSid: accountSid ?? "AC…",
  demoEnv,
});

export const codeTab = (name: string, language: CodeTab["language"], ...lines: readonly string[]): CodeTab => ({
  name,
  language,
  text: lines.join("\n"),
});

function tokenLine({ demoEnv }: Caller): string {
  return demoEnv === null
    ? "read -rs TANDEM_TOKEN; export TANDEM_TOKEN"
    : `set -a; . ${shellWord(demoEnv.includes("/") ? demoEnv : `./${demoEnv}`)}; set +a`;
}

export const curlTab = (caller: Caller, ...lines: readonly string[]): CodeTab =>
  codeTab("curl", "sh", tokenLine(caller), lines.join(" \\\n  "));

/** The credentials of every request by curl. */
export const curlUser = ({ accountSid }: Caller): string => `-u "${accountSid}:$TANDEM_TOKEN"`;

const nodeLines = (lines: readonly string[]) => ["node --input-type=module <<'END'", ...lines, "END"];

/** `imports` come before the client, which the lines call. */
export const sdkTab = (caller: Caller, lines: readonly string[], imports: readonly string[] = []): CodeTab =>
  codeTab("TypeScript", "ts", tokenLine(caller), ...nodeLines([...imports, ...sdkClientLines(caller), ...lines]));

/** In a folder of its own, because it needs a package that Tandem does not. */
export function twilioTab(caller: Caller, domain: "api" | "lookups", ...lines: readonly string[]): CodeTab {
  const folder = 'cd "$(mktemp -d)" && npm install --silent twilio';
  return codeTab(
    "twilio client",
    "ts",
    tokenLine(caller),
    folder,
    ...nodeLines([...twilioClientLines(caller, domain), ...lines]),
  );
}

/** `words`: what follows `tandem`. */
export const cliTab = (caller: Caller, words: string): CodeTab =>
  codeTab("tandem CLI", "sh", ...commandLines(caller, words));

/** The demo account's file says where the server is, too. */
export function commandLines(caller: Caller, words: string): readonly string[] {
  if (caller.kind === "Operator") {
    const token = "read -rs TANDEM_OPERATOR_TOKEN; export TANDEM_OPERATOR_TOKEN";
    return [token, `export TANDEM_URL=${location.origin}`, `node dist/tandem.js operator ${words}`];
  }
  const where = `export TANDEM_URL=${location.origin} TANDEM_ACCOUNT_SID=${caller.accountSid}`;
  return [tokenLine(caller), ...(caller.demoEnv === null ? [where] : []), `node dist/tandem.js ${words}`];
}

function sdkClientLines({ accountSid }: Caller): readonly string[] {
  return [
    'import { createClient } from "@tandem/sdk";',
    "const client = createClient({",
    `  baseUrl: "${location.origin}",`,
    `  accountSid: "${accountSid}",`,
    "  token: process.env.TANDEM_TOKEN,",
    "});",
  ];
}

function twilioClientLines({ accountSid }: Caller, domain: "api" | "lookups"): readonly string[] {
  return [
    'import twilio from "twilio";',
    "// The official client; only its address changes (docs/migrating-from-twilio.md).",
    `const client = twilio("${accountSid}", process.env.TANDEM_TOKEN);`,
    `client.${domain}.baseUrl = "${location.origin}";`,
  ];
}

/** Quotes the text if the shell would interpret it. */
export function shellWord(text: string): string {
  return /^[\w+@.:/,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
