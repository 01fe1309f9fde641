import { expect, test } from "vitest";
import { ask, type ClientOrder } from "./exchange.ts";
import { type Account, type EventPayloads, type ProblemCode, type TandemClient, verifyWebhook } from "./index.ts";

// Never run: the compiler reads it, and complains of an expected error that is none.
async function wrongCalls(client: TandemClient, order: ClientOrder) {
  // @ts-expect-error A body's member that is not in the document.
  await client.messages.send({ from: "+14155550150", to: "+14155550100", txt: "Hi" });
  // @ts-expect-error A member that is always wanted.
  await client.messages.send({ to: "+14155550100", text: "Hi" });
  // @ts-expect-error A dry run is `rehearse`.
  await client.messages.send({ from: "+14155550150", to: "+14155550100", dryRun: true });
  // @ts-expect-error A word that the enum does not have.
  await client.phones.list({ status: "Gone" });
  // @ts-expect-error A filter of another list.
  await client.phones.list({ errorCode: 1002 });
  // @ts-expect-error Left out is not the same as undefined.
  await client.phones.list({ pageSize: undefined });
  const { data: phone } = await client.phones.get("+14155550150");
  // @ts-expect-error What is answered is not changed.
  phone.name = "Shop";
  // @ts-expect-error A member that no answer has.
  phone.nickname;
  // @ts-expect-error A path that the document does not have.
  await ask(order, "GET /v1/Telephones", {});
  // @ts-expect-error A method that the path does not have.
  await ask(order, "PATCH /v1/Phones", {});
  // @ts-expect-error The path's own parameter.
  await ask(order, "GET /v1/Phones/{phone}", {});
  const { data: accounts } = await ask(order, "GET /operator/v1/Accounts", { query: { pageSize: 1 } });
  const shown: readonly Account[] = accounts.items;
  // @ts-expect-error An account that is operated on is not one that is asked for.
  shown[0]?.supportContact;
  const { event } = await verifyWebhook<EventPayloads["OptOutChanged"]>({ payload: "", headers: {}, secret: "" });
  const known: readonly string[] = [event.WebhookSid, event.EventDate, event.Number, event.Scope];
  // @ts-expect-error A field of another event.
  known.includes(event.Segments);
  // @ts-expect-error A code that no refusal has.
  const code: ProblemCode = "recipient-lost";
  known.includes(code);
  const webhook = await verifyWebhook({ payload: "", headers: {}, secret: "" });
  if (webhook.shape === "B" && webhook.type === "CallRecordingCompleted") {
    const sizes: readonly number[] = webhook.event.segments.map(({ sizeBytes }) => sizeBytes);
    // @ts-expect-error Shape B has no WebhookSid.
    sizes.includes(webhook.event.webhookSid);
  }
  if (webhook.shape === "A" && webhook.type === "OptOutChanged") known.includes(webhook.event.WebhookSid);
  // @ts-expect-error Only some events have a text.
  known.includes(webhook.event.Text);
  for await (const logged of client.events.list()) {
    if (logged.type === "InboundMessageReceived") known.includes(logged.payload.Text);
    // @ts-expect-error A field of another event.
    if (logged.type === "OptOutChanged") known.includes(logged.payload.Text);
  }
}

test("the compiler refuses calls that the document does not allow", () => {
  expect(wrongCalls).toBeTypeOf("function");
});
