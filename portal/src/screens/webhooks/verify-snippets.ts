// How a receiver verifies a webhook, in several ways.

import { codeTab } from "../../components/client-lines.ts";
import type { CodeTab } from "../../components/code.tsx";

export const VERIFY_SNIPPETS: readonly CodeTab[] = [
  codeTab(
    "TypeScript",
    "ts",
    'import { verifyWebhook } from "@tandem/sdk";',
    "const event = await verifyWebhook({",
    "  payload: await request.text(),",
    "  headers: request.headers,",
    "  secret: process.env.TANDEM_WEBHOOK_SECRET,",
    "});",
    "// throws when the signature is wrong or older than five minutes",
  ),
  codeTab(
    "express",
    "ts",
    'app.post("/tandem", express.raw({ type: "*/*" }), async (request, response) => {',
    "  const { headers, body } = request;",
    "  const event = await verifyWebhook({ payload: body, headers, secret });",
    "  response.sendStatus(204);",
    "});",
  ),
  codeTab(
    "plain node",
    "ts",
    'import { createHmac } from "node:crypto";',
    "// Standard Webhooks: HMAC-SHA256 over id, timestamp and body",
    'const key = Buffer.from(secret.replace("whsec_", ""), "base64");',
    'const signed = [headers["webhook-id"], headers["webhook-timestamp"], body].join(".");',
    'const wanted = createHmac("sha256", key).update(signed).digest("base64");',
    '// one of the signatures in headers["webhook-signature"] is "v1," + wanted',
  ),
];
