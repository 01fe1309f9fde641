import { expect, test } from "vitest";
import { createOperatorClient } from "./operator.ts";

function listenedTo() {
  const heard: string[] = [];
  const fetch = async (url: unknown, { method, body }: RequestInit = {}) => {
    const { pathname, search } = new URL(String(url));
    heard.push(`${method} ${pathname}${search}${body ? ` ${body}` : ""}`);
    return Response.json({ items: [] });
  };
  return { heard, client: createOperatorClient({ baseUrl: "http://localhost:8080", token: "t", fetch }) };
}

test("an account is seen by an operator as by itself, and nothing of it can be changed there", async () => {
  const { client, heard } = listenedTo();
  const view = client.account("AC1");
  await view.messages.list({ status: "Failed" });
  await view.messages.inbound.get("IM1");
  await view.calls.why("CA1");
  await view.phones.voice("+14155550150");
  await view.messagingConfigs.phones("MC1", { pageSize: 5 });
  await view.portIn.get("PO1");
  await view.deliveries.list();
  expect(heard).toEqual([
    "GET /operator/v1/Accounts/AC1/OutboundMessages?Status=Failed",
    "GET /operator/v1/Accounts/AC1/InboundMessages/IM1",
    "GET /operator/v1/Accounts/AC1/Voice/Calls/CA1/why",
    "GET /operator/v1/Accounts/AC1/Phones/%2B14155550150/voice",
    "GET /operator/v1/Accounts/AC1/MessagingConfigs/MC1/phones?PageSize=5",
    "GET /operator/v1/Accounts/AC1/Phones/port-in/PO1",
    "GET /operator/v1/Accounts/AC1/Webhooks/deliveries",
  ]);
  expect(view.messages).not.toHaveProperty("send");
});

test("an operator moves accounts and port orders along", async () => {
  const { client, heard } = listenedTo();
  await client.accounts.change("AC1", { status: "Suspended", suspendedReason: "unpaid" });
  await client.featureRequests.decide("FR1", "Granted");
  await client.portOrders.complete("PO1");
  await client.portOrders.reject("PO1", { reason: "OTHER", numbers: ["+13035550123"] });
  expect(heard).toEqual([
    'PATCH /operator/v1/Accounts/AC1 {"status":"Suspended","suspendedReason":"unpaid"}',
    'PATCH /operator/v1/FeatureRequests/FR1 {"status":"Granted"}',
    "POST /operator/v1/PortOrders/PO1/complete {}",
    'POST /operator/v1/PortOrders/PO1/reject {"reason":"OTHER","numbers":["+13035550123"]}',
  ]);
});
