import { expect, test } from "vitest";
import { listenedTo } from "../../test/fakes/sdk-client.ts";
import type { TandemClient } from "./index.ts";

const ORDER = { type: "OptOutChanged", url: "https://example.com/hook" } as const;
const FILTERS = {
  type: "OptOutChanged",
  status: "Failed",
  subscriptionSid: "WS1",
  resourceSid: "OM1",
  createdOnFrom: "2026-01-01T00:00:00Z",
  createdOnTo: "2026-01-02T00:00:00Z",
} as const;

type Row = readonly [call: string, ask: (client: TandemClient) => Promise<unknown>, body?: object];

const CALLS: readonly Row[] = [
  ["POST /v1/Webhooks", (client) => client.webhooks.create(ORDER, { idempotencyKey: "k" }), ORDER],
  ["GET /v1/Webhooks", (client) => client.webhooks.list()],
  [
    "GET /v1/Webhooks?PageSize=5&SearchId=abc&OrderByDirection=Ascending",
    (client) => client.webhooks.list({ pageSize: 5, searchId: "abc", orderByDirection: "Ascending" }),
  ],
  ["GET /v1/Webhooks/WS1", (client) => client.webhooks.get("WS1")],
  ["PATCH /v1/Webhooks/WS1", (client) => client.webhooks.change("WS1", { enabled: false }), { enabled: false }],
  ["POST /v1/Webhooks/WS1/rotateSecret", (client) => client.webhooks.rotateSecret("WS1")],
  ["POST /v1/Webhooks/a%2Fb/test", (client) => client.webhooks.test("a/b")],
  ["GET /v1/Webhooks/deliveries", (client) => client.deliveries.list()],
  [
    "GET /v1/Webhooks/deliveries?PageSize=2&Type=OptOutChanged&Status=Failed&SubscriptionSid=WS1&ResourceSid=OM1" +
      "&CreatedOnFrom=2026-01-01T00%3A00%3A00Z&CreatedOnTo=2026-01-02T00%3A00%3A00Z",
    (client) => client.deliveries.list({ pageSize: 2, ...FILTERS }),
  ],
  ["GET /v1/Webhooks/deliveries/WH1", (client) => client.deliveries.get("WH1")],
  ["POST /v1/Webhooks/deliveries/WH1/replay", (client) => client.deliveries.replay("WH1")],
  [
    "POST /v1/Webhooks/deliveries/WH1/replay",
    (client) => client.deliveries.replay("WH1", { url: "https://b.example/" }),
    { url: "https://b.example/" },
  ],
  [
    "POST /v1/Webhooks/deliveries/replay",
    (client) => client.deliveries.replayMany({ status: "Failed" }),
    { status: "Failed" },
  ],
  ["GET /v1/Events?Type=OptOutChanged", (client) => client.events.list({ type: "OptOutChanged" })],
  [
    "POST /v1/Webhooks",
    (client) => client.webhooks.create({ types: ["*"], url: "https://a.example/" }, { idempotencyKey: "k" }),
    { types: ["*"], url: "https://a.example/" },
  ],
  ["GET /v1/Events?After=7-3", (client) => client.events.list({ after: "7-3" })],
];

test.each(CALLS.map(([call, ask, body]) => ({ call, ask, body })))("$call is asked", async ({ ask, body, call }) => {
  const { client, heard } = listenedTo(() => Response.json({ items: [] }));
  expect(await ask(client)).toMatchObject({ status: 200, data: { items: [] } });
  expect(heard).toEqual([{ call, body, key: call === "POST /v1/Webhooks" ? "k" : null }]);
});

test("removing answers nothing", async () => {
  const { client, heard } = listenedTo(() => new Response(null, { status: 204 }));
  expect(await client.webhooks.remove("WS1")).toMatchObject({ status: 204, data: undefined });
  expect(heard[0]?.call).toBe("DELETE /v1/Webhooks/WS1");
});
