import { expect, test } from "vitest";
import { listenedTo } from "../../test/fakes/sdk-client.ts";
import type { TandemClient } from "./index.ts";

type Row = readonly [call: string, ask: (client: TandemClient) => Promise<unknown>, body?: object];

const MESSAGE = { from: "+14155550150", to: "+14155550100", text: "Hi" } as const;
const OPT_OUT = { number: "+14155550100", scopeType: "SenderPhoneNumber", scope: "+14155550150" } as const;
const PORT = {
  messagingConfigSid: "MC1",
  phones: [{ number: "+1", pin: "1234" }],
  accountNumber: "1",
  subscriber: { type: "Business", name: "Shop", authorizedPerson: "Ann" },
  serviceAddress: { street: "1 Main St", city: "Denver", state: "CO", postalCode: "80202", country: "US" },
} as const;
const SINCE = "2026-01-01T00:00:00Z";
const UNTIL = "2026-01-02T00:00:00Z";
const TIMES = "CreatedOnFrom=2026-01-01T00%3A00%3A00Z&CreatedOnTo=2026-01-02T00%3A00%3A00Z";

const CALLS: readonly Row[] = [
  ["POST /messaging/v1/OutboundMessages", (client) => client.messages.send(MESSAGE), MESSAGE],
  ["POST /messaging/v1/OutboundMessages/dryRun", (client) => client.messages.rehearse(MESSAGE), MESSAGE],
  ["GET /messaging/v1/OutboundMessages", (client) => client.messages.list()],
  [
    `GET /messaging/v1/OutboundMessages?PageSize=5&SearchId=x&From=%2B1&To=%2B2&${TIMES}&Status=Failed&ErrorCode=1002`,
    (client) =>
      client.messages.list({
        pageSize: 5,
        searchId: "x",
        from: "+1",
        to: "+2",
        createdOnFrom: SINCE,
        createdOnTo: UNTIL,
        status: "Failed",
        errorCode: 1002,
      }),
  ],
  ["GET /messaging/v1/OutboundMessages/OM1", (client) => client.messages.get("OM1")],
  ["POST /messaging/v1/OutboundMessages/OM1/cancel", (client) => client.messages.cancel("OM1")],
  ["GET /messaging/v1/OutboundMessages/a%2Fb/why", (client) => client.messages.why("a/b")],
  [
    `GET /messaging/v1/InboundMessages?From=%2B1&To=%2B2&${TIMES}`,
    (client) => client.messages.inbound.list({ from: "+1", to: "+2", createdOnFrom: SINCE, createdOnTo: UNTIL }),
  ],
  ["GET /messaging/v1/InboundMessages/IM1", (client) => client.messages.inbound.get("IM1")],
  [
    "GET /v1/Phones?Status=Active&MessagingConfigSid=MC1",
    (client) => client.phones.list({ status: "Active", messagingConfigSid: "MC1" }),
  ],
  [
    "GET /v1/Phones/Available?AreaCode=415&Contains=77&Quantity=3",
    (client) => client.phones.available({ areaCode: "415", contains: "77", quantity: 3 }),
  ],
  ["POST /v1/Phones", (client) => client.phones.create({ phone: "+1" }), { phone: "+1" }],
  ["GET /v1/Phones/%2B1", (client) => client.phones.get("+1")],
  ["PATCH /v1/Phones/%2B1", (client) => client.phones.change("+1", { name: null }), { name: null }],
  ["DELETE /v1/Phones/%2B1", (client) => client.phones.remove("+1")],
  ["POST /v1/MessagingConfigs", (client) => client.messagingConfigs.create({ name: "A" }), { name: "A" }],
  ["GET /v1/MessagingConfigs?PageSize=2", (client) => client.messagingConfigs.list({ pageSize: 2 })],
  ["GET /v1/MessagingConfigs/MC1", (client) => client.messagingConfigs.get("MC1")],
  ["PATCH /v1/MessagingConfigs/MC1", (client) => client.messagingConfigs.change("MC1", { name: "B" }), { name: "B" }],
  ["DELETE /v1/MessagingConfigs/MC1", (client) => client.messagingConfigs.remove("MC1")],
  ["GET /v1/MessagingConfigs/MC1/phones", (client) => client.messagingConfigs.phones("MC1")],
  [
    "PATCH /v1/MessagingConfigs/MC1/addPhones",
    (client) => client.messagingConfigs.addPhones("MC1", ["+1"]),
    { phones: ["+1"] },
  ],
  [
    "PATCH /v1/MessagingConfigs/MC1/deletePhones",
    (client) => client.messagingConfigs.deletePhones("MC1", ["+1"]),
    { phones: ["+1"] },
  ],
  ["GET /v1/TcrCampaigns", (client) => client.campaigns.list()],
  ["GET /v1/TcrCampaigns/CABC123", (client) => client.campaigns.get("CABC123")],
  [
    "PATCH /v1/TcrCampaigns/CABC123",
    (client) => client.campaigns.change("CABC123", { messagingConfigSid: null }),
    { messagingConfigSid: null },
  ],
  [
    "POST /v1/Phones/port-in",
    (client) => client.portIn.submit(PORT, [{ name: "loa.pdf", bytes: new TextEncoder().encode("%PDF") }]),
    { form: { data: PORT, files: [["loa.pdf", "%PDF"]] } },
  ],
  [
    "GET /v1/Phones/port-in?PageSize=2&Status=Exception",
    (client) => client.portIn.list({ pageSize: 2, status: "Exception" }),
  ],
  ["GET /v1/Phones/port-in/PO1", (client) => client.portIn.get("PO1")],
  ["POST /v1/Phones/port-in/PO1/cancel", (client) => client.portIn.cancel("PO1")],
  [
    "PATCH /v1/Phones/port-in/PO1",
    (client) => client.portIn.answer("PO1", { accountNumber: "2" }),
    { accountNumber: "2" },
  ],
  [
    "PATCH /v1/Phones/port-in/PO1",
    (client) => client.portIn.answer("PO1", {}, [{ name: "new.pdf", bytes: new Uint8Array() }]),
    { form: { data: {}, files: [["new.pdf", ""]] } },
  ],
  ["GET /v1/Phones/port-in/check?Number=%2B1", (client) => client.portIn.check("+1")],
  ["GET /v1/Migrations?SearchId=x", (client) => client.migrations.list({ searchId: "x" })],
  ["GET /v1/Migrations/CABC123", (client) => client.migrations.get("CABC123")],
  [
    "GET /v1/Migrations/CABC123?Numbers=%2B1%2C%2B2",
    (client) => client.migrations.get("CABC123", { numbers: ["+1", "+2"] }),
  ],
  [
    "POST /testkit/v1/Emulate/port",
    (client) => client.sandbox.decidePort({ sid: "PO1", outcome: "partial" }),
    { sid: "PO1", outcome: "partial" },
  ],
  [
    "POST /testkit/v1/Emulate/campaign-migration",
    (client) => client.sandbox.migrateCampaign({ tcrCampaignId: "CABC123" }),
    { tcrCampaignId: "CABC123" },
  ],
  [
    "GET /v1/OptOuts?Number=%2B2&ScopeType=TcrCampaign&Scope=CABC123",
    (client) => client.optOuts.list({ number: "+2", scopeType: "TcrCampaign", scope: "CABC123" }),
  ],
  ["POST /v1/OptOuts", (client) => client.optOuts.create(OPT_OUT), OPT_OUT],
  [
    "DELETE /v1/OptOuts?Number=%2B14155550100&ScopeType=SenderPhoneNumber&Scope=%2B14155550150",
    (client) => client.optOuts.remove(OPT_OUT),
  ],
  [
    "POST /testkit/v1/Emulate/inbound-message",
    (client) => client.sandbox.receiveMessage({ from: "+2", to: ["+1"], text: "STOP" }),
    { from: "+2", to: ["+1"], text: "STOP" },
  ],
  [
    "POST /testkit/v1/Emulate/outbound-message-status",
    (client) => client.sandbox.settleMessage({ sid: "OM1", deliveredSuccessfully: false }),
    { sid: "OM1", deliveredSuccessfully: false },
  ],
];

test.each(CALLS.map(([call, ask, body]) => ({ call, ask, body })))("$call is asked", async ({ ask, body, call }) => {
  const { client, heard } = listenedTo(() => Response.json({ items: [] }));
  expect(await ask(client)).toMatchObject({ status: 200, data: { items: [] } });
  expect(heard).toEqual([{ call, body, key: null }]);
});

test("a message is sent under the key that was given", async () => {
  const { client, heard } = listenedTo(() => Response.json({ sid: "OM1" }));
  await client.messages.send(MESSAGE, { idempotencyKey: "run:7" });
  expect(heard).toMatchObject([{ key: "run:7" }]);
});

test("a letter is answered as a file, and what is refused instead is an error", async () => {
  const { client, heard } = listenedTo(() => new Response("%PDF", { headers: { "Content-Type": "application/pdf" } }));
  const { messagingConfigSid: _, ...data } = PORT;
  const letter = await client.portIn.letter(data);
  expect(new TextDecoder().decode(letter.data)).toBe("%PDF");
  await client.portIn.letterOf("PO1");
  expect(heard).toMatchObject([
    { call: "POST /v1/Phones/port-in/loa", body: data },
    { call: "GET /v1/Phones/port-in/PO1/loa", body: undefined },
  ]);
  const refusing = listenedTo(() => Response.json({ code: "not-found" }, { status: 404 }));
  await expect(refusing.client.portIn.letterOf("PO2")).rejects.toMatchObject({ status: 404, code: "not-found" });
});

test("the address of a telephone of the sandbox is that of the server", () => {
  const { client } = listenedTo(() => Response.json({}));
  expect(client.sandbox.phoneUrl("+14154740200")).toMatch(
    /^wss?:\/\/[^/]+\/testkit\/v1\/Phone\?Number=%2B14154740200$/,
  );
});
