// Receives webhooks with Fastify: TANDEM_WEBHOOK_SECRET=whsec_… node fastify.mjs [PORT]
import { verifyWebhook } from "@tandem/sdk";
import { fastify } from "fastify";

const secret = process.env.TANDEM_WEBHOOK_SECRET;
const app = fastify();

// The raw bytes are signed: keep them instead of the parsed JSON.
app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
app.post("/", async (request, reply) => {
  try {
    const { id, event } = await verifyWebhook({ payload: request.body, headers: request.headers, secret });
    console.log(request.headers["x-event-type"], JSON.stringify(event), id);
    return reply.code(204).send();
  } catch (error) {
    return reply.code(400).send(error.message);
  }
});

const address = await app.listen({ port: Number(process.argv[2] ?? 3000), host: "127.0.0.1" });
console.log(`port ${new URL(address).port}`);
