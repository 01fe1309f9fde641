// The same request in several languages, filled with the user's values. The token never stands in the page: it is
// `$TANDEM_TOKEN`, which `npm start` prints and keeps in data/demo.env.

import type { CodeTab } from "./code.tsx";

export interface TextOrder {
  readonly accountSid: string;
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

const shellQuoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

export function textSnippets({ accountSid, from, to, text }: TextOrder): readonly CodeTab[] {
  const { origin } = location;
  return [
    {
      name: "curl",
      language: "sh",
      text: [
        `curl -u ${accountSid}:$TANDEM_TOKEN \\`,
        `  ${origin}/messaging/v1/OutboundMessages \\`,
        `  --data-urlencode From=${from} \\`,
        `  --data-urlencode To=${to} \\`,
        `  --data-urlencode ${shellQuoted(`Text=${text}`)}`,
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
        `await client.messages.send({ from: "${from}", to: "${to}", text: ${JSON.stringify(text)} });`,
      ].join("\n"),
    },
    {
      name: "twilio client",
      language: "ts",
      text: [
        'import twilio from "twilio";',
        "// The official client; only its address changes (docs/migrating-from-twilio.md).",
        `const client = twilio("${accountSid}", process.env.TANDEM_TOKEN);`,
        `client.api.baseUrl = "${origin}";`,
        `await client.messages.create({ from: "${from}", to: "${to}", body: ${JSON.stringify(text)} });`,
      ].join("\n"),
    },
    {
      name: "tandem CLI",
      language: "sh",
      text: `tandem send --from ${from} --to ${to} --text ${shellQuoted(text)}`,
    },
  ];
}
