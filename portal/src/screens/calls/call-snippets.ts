// The order of a call in several languages, filled with the user's values; the token is always `$TANDEM_TOKEN`.

import type { CallOrder } from "@tandem/sdk";
import type { CodeTab } from "../../components/code.tsx";

const shellQuoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

export function callSnippets(accountSid: string, order: CallOrder): readonly CodeTab[] {
  const { origin } = location;
  const body = JSON.stringify(order, null, 2);
  return [
    {
      name: "curl",
      language: "sh",
      text: [
        `curl -u ${accountSid}:$TANDEM_TOKEN \\`,
        `  ${origin}/v1/Voice/Calls \\`,
        "  -H 'Content-Type: application/json' \\",
        `  -d ${shellQuoted(body)}`,
      ].join("\n"),
    },
    {
      name: "TypeScript",
      language: "ts",
      text: [
        'import { createClient } from "@tandem/sdk";',
        "const client = createClient({",
        `  baseUrl: "${origin}",`,
        `  accountSid: "${accountSid}",`,
        "  token: process.env.TANDEM_TOKEN,",
        "});",
        `await client.calls.place(${body.replace(/"(\w+)":/g, "$1:")});`,
      ].join("\n"),
    },
    { name: "twilio client", language: "ts", text: twilioLines(accountSid, order) },
    { name: "tandem CLI", language: "sh", text: cliLine(order) },
  ];
}

function twilioLines(accountSid: string, { from, to, callerId = "$NUMBER", record }: CallOrder): string {
  const dial = `<Dial${record ? ' record="record-from-answer-dual"' : ""}>${to}</Dial>`;
  return [
    'import twilio from "twilio";',
    "// The official client; only its address changes (docs/migrating-from-twilio.md).",
    `const client = twilio("${accountSid}", process.env.TANDEM_TOKEN);`,
    `client.api.baseUrl = "${location.origin}";`,
    "await client.calls.create({",
    `  from: "${callerId}",`,
    `  to: "${from}",`,
    `  twiml: '<Response>${dial}</Response>',`,
    "});",
  ].join("\n");
}

function cliLine({ from, to, callerId, record, requireKeyPress }: CallOrder): string {
  const options = [callerId && `--caller-id ${callerId}`, record && "--record", requireKeyPress && "--key"].filter(
    Boolean,
  );
  return ["tandem call", shellQuotedParty(from), shellQuotedParty(to), ...options].join(" ");
}

const shellQuotedParty = (party: string) => (/^[+\w@.:-]*$/.test(party) ? party : shellQuoted(party));
