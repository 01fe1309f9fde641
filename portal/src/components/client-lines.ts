// The beginning of code snippets: a client that is signed in as the account. The page never contains the token:
// snippets use `$TANDEM_TOKEN`, which `npm start` prints and keeps in data/demo.env.

import type { CodeTab } from "./code.tsx";

export const codeTab = (name: string, language: CodeTab["language"], ...lines: readonly string[]): CodeTab => ({
  name,
  language,
  text: lines.join("\n"),
});

export function sdkClientLines(accountSid: string): readonly string[] {
  return [
    'import { createClient } from "@tandem/sdk";',
    "const client = createClient({",
    `  baseUrl: "${location.origin}",`,
    `  accountSid: "${accountSid}",`,
    "  token: process.env.TANDEM_TOKEN,",
    "});",
  ];
}

export function twilioClientLines(accountSid: string, domain: "api" | "lookups" = "api"): readonly string[] {
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
