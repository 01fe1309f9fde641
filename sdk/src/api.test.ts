import { expect, test } from "vitest";
import { ask, type ClientOrder } from "./exchange.ts";
import { type Account, type EventPayloads, type ProblemCode, type TandemClient, verifyWebhook } from "./index.ts";

// Never run: the compiler checks it, and reports an expected error that does not occur.
async function wrongCalls(client: TandemClient, order: ClientOrder) {
  // @ts-expect-error A body's member that is not in the document.
  await client.messages.send({ from: "+14155550150", to: "+14155550100", txt: "Hi" });
  // @ts-expect-error A required member is missing.
  await client.messages.send({ to: "+14155550100", text: "Hi" });
  // @ts-expect-error A dry run is `rehearse`.
  await client.messages.send({ from: "+14155550150", to: "+14155550100", dryRun: true });
  // @ts-expect-error A value that the enum does not have.
  await client.phones.list({ status: "Gone" });
  // @ts-expect-error A filter of another list.
  await client.phones.list({ errorCode: 1002 });
  // @ts-expect-error Left out is not the same as undefined.
  await client.phones.list({ pageSize: undefined });
  const { data: phone } = await client.phones.get("+14155550150");
  // @ts-expect-error Results are readonly.
  phone.name = "Shop";
  // @ts-expect-error A member that no result has.
  phone.nickname;
  // @ts-expect-error A path that the document does not have.
  await ask(order, "GET /v1/Telephones", {});
  // @ts-expect-error A method that the path does not have.
  await ask(order, "PATCH /v1/Phones", {});
  // @ts-expect-error The path's own parameter is missing.
  await ask(order, "GET /v1/Phones/{phone}", {});
  const { data: accounts } = await ask(order, "GET /operator/v1/Accounts", { query: { pageSize: 1 } });
  const shown: readonly Account[] = accounts.items;
  // @ts-expect-error An operator's view of an account is not the account's own view.
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
