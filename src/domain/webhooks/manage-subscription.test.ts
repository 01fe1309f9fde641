import { expect, test } from "vitest";
import { changeSubscription, makeSubscription, type SubscriptionOrder } from "./manage-subscription.ts";
import type { SubscriptionStore } from "./ports.ts";
import type { Subscription } from "./subscription.ts";

const ORDER: SubscriptionOrder = {
  sid: "WS1",
  accountSid: "AC1",
  types: ["OptOutChanged"],
  url: "https://receiver.example/",
  backupUrl: null,
  messagingConfigSid: null,
  phone: null,
  payloadShape: "A",
  enabled: true,
  bearer: null,
  createdOn: new Date(0),
};

/** What these verbs use of a store. */
function storeOf() {
  const kept = new Map<string, Subscription>();
  const store: Partial<SubscriptionStore> = {
    insert: async (subscription) => void kept.set(subscription.sid, subscription),
    find: async (_, sid) => kept.get(sid),
    count: async (accountSid) => [...kept.values()].filter((one) => one.accountSid === accountSid).length,
    change: async (_, sid, change) => void kept.set(sid, { ...kept.get(sid), ...change } as Subscription),
    findEnabled: async () => undefined,
  };
  return store as SubscriptionStore;
}

const limitedTo = (requests: number) => ({ limitChanges: { webhooks: { requests, windowSeconds: 1 } } });

async function makeMany(store: SubscriptionStore, count: number, account: Parameters<typeof makeSubscription>[1]) {
  for (let made = 0; made < count; made++) {
    const result = await makeSubscription(store, account, { ...ORDER, sid: `WS${made}` }, "whsec_a");
    if (!result.ok) return { made, refusal: result.refusal };
  }
  return { made: count, refusal: undefined };
}

test("an account has 100 webhooks, unless its operator says otherwise", async () => {
  expect(await makeMany(storeOf(), 200, { limitChanges: {} })).toEqual({
    made: 100,
    refusal: {
      code: "too-many-webhooks",
      detail: "The account may have 100: delete one that is not needed, or ask the operator for more.",
    },
  });
  expect(await makeMany(storeOf(), 200, limitedTo(3))).toMatchObject({ made: 3 });
  expect(await makeMany(storeOf(), 200, limitedTo(150))).toMatchObject({ made: 150 });
});

test("what exists stays and can be changed when the limit is lowered", async () => {
  const store = storeOf();
  await makeMany(store, 5, { limitChanges: {} });
  expect(await makeSubscription(store, limitedTo(2), { ...ORDER, sid: "WS9" }, "whsec_a")).toMatchObject({ ok: false });
  expect(await changeSubscription(store, "AC1", "WS4", { enabled: true })).toMatchObject({ ok: true });
});

test("another account's webhooks do not count", async () => {
  const store = storeOf();
  await makeMany(store, 100, { limitChanges: {} });
  const order = { ...ORDER, sid: "WS9", accountSid: "AC2" };
  expect(await makeSubscription(store, { limitChanges: {} }, order, "whsec_a")).toMatchObject({ ok: true });
});
