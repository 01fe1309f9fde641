// Receives webhooks with Express: TANDEM_WEBHOOK_SECRET=whsec_… node express.mjs [PORT]
import { verifyWebhook } from "@tandem/sdk";
import express from "express";

const secret = process.env.TANDEM_WEBHOOK_SECRET;
const app = express();

// The raw bytes are signed, so express.json() must not read them first.
app.post("/", express.raw({ type: "application/json" }), async (request, response) => {
  const { id, event } = await verifyWebhook({ payload: request.body, headers: request.headers, secret });
  console.log(request.get("x-event-type"), JSON.stringify(event), id);
  response.sendStatus(204);
});
app.use((error, _request, response, _next) => response.status(400).send(error.message));

const server = app.listen(Number(process.argv[2] ?? 3000), "127.0.0.1", () => {
  console.log(`port ${server.address().port}`);
});
