// Receives webhooks with Node alone: TANDEM_WEBHOOK_SECRET=whsec_… node plain-node.mjs [PORT]
import { createServer } from "node:http";
import { verifyWebhook } from "@tandem/sdk";

const secret = process.env.TANDEM_WEBHOOK_SECRET;
const seen = new Set();

const server = createServer(async (request, response) => {
  // The raw bytes are signed, not the parsed JSON.
  const payload = Buffer.concat(await request.toArray());
  try {
    const { id, event } = await verifyWebhook({ payload, headers: request.headers, secret });
    if (!seen.has(id)) console.log(request.headers["x-event-type"], JSON.stringify(event));
    // The same webhook may be delivered again: store the ids of those you have handled in a database.
    seen.add(id);
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(400).end(error.message);
  }
});
server.listen(Number(process.argv[2] ?? 3000), "127.0.0.1", () => console.log(`port ${server.address().port}`));
