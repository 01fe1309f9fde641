import { afterAll, beforeAll, expect, test } from "vitest";
import { silent } from "../../test/fakes/silent-log.ts";
import { openWebhookStore, type WebhookStore } from "../../test/fakes/webhook-store.ts";
import { Database, type Queryable } from "../adapters/store/engine/database.ts";
import { ok } from "../base/result.ts";
import { Unavailable } from "../base/unavailable.ts";
import { PartReceiver } from "./receive-parts.ts";

const OURS = "+14155550150";
const FIRST = { carrier: "carrier", link: "link", session: "1" };
const SECOND = { ...FIRST, session: "2" };

let store: WebhookStore;
let handsets = 0;

beforeAll(async () => {
  store = await openWebhookStore();
  await store.db.query(
    `insert into phones (number, account_sid, status, features, created_at, updated_at) values ($1, $2, 'Active', '{}', now(), now())`,
    [OURS, store.accountSid],
  );
});
afterAll(() => store?.close());

/** What one handset sends, and what is received of it. */
function newHandset(db: Database = store.db) {
  const from = `+1415474${String(++handsets).padStart(4, "0")}`;
  const readNumber = (e164: string) => ok({ e164, callingCode: "1", country: "US" });
  const receiver = new PartReceiver({ db, ids: store.ids, readNumber, mediaUrl: String, log: silent });
  const part = (text: string, of?: { readonly total: number; readonly part: number }) => ({
    from,
    to: OURS,
    text,
    octets: Buffer.from(text),
    dataCoding: 0,
    flash: false,
    receivedOn: new Date(),
    ...(of && { concatenation: { kind: "udh8" as const, reference: 7, ...of } }),
  });
  return {
    receiver,
    one: part("hello"),
    long: [part("hello ", { total: 2, part: 1 }), part("world", { total: 2, part: 2 })],
    async texts(): Promise<readonly string[]> {
      const rows = await store.db.query<{ text: string }>("select text from inbound_messages where from_number = $1", [
        from,
      ]);
      return rows.map(({ text }) => text);
    },
  };
}

test("what comes again over another connection is received once, over the same one twice", async () => {
  const { receiver, one, texts } = newHandset();
  await receiver.receive(FIRST, one);
  await receiver.receive(SECOND, one);
  expect(await texts()).toEqual(["hello"]);
  await receiver.receive(SECOND, one);
  expect(await texts()).toEqual(["hello", "hello"]);
});

test("a part is received once while its answer may be on its way, and later makes another message under the same reference", async () => {
  const { receiver, long, texts } = newHandset();
  for (const part of long) await receiver.receive(FIRST, part);
  for (const place of [FIRST, SECOND]) for (const part of long) await receiver.receive(place, part);
  expect(await texts()).toEqual(["hello world"]);
  await receiver.forgetAnswered(new Date(Date.now() + 60_000));
  for (const part of long) await receiver.receive(SECOND, part);
  expect(await texts()).toEqual(["hello world", "hello world"]);
});

test.each(["one", "long"] as const)(
  "a message that was stored although it seemed not to be is received once when it comes again (%s)",
  async (kind) => {
    const db = new AnswerLost(store.connection, silent);
    const handset = newHandset(db);
    const parts = kind === "one" ? [handset.one] : handset.long;
    for (const part of parts) {
      await expect(handset.receiver.receive(FIRST, part)).rejects.toBeInstanceOf(Unavailable);
    }
    db.isAnswering = true;
    for (const part of parts) await handset.receiver.receive(FIRST, part);
    expect(await handset.texts()).toHaveLength(1);
    await db.close();
  },
);

/** Everything is done, and nobody hears of it. */
class AnswerLost extends Database {
  isAnswering = false;

  override async transaction<Value>(work: (unit: Queryable) => Promise<Value>): Promise<Value> {
    const value = await super.transaction(work);
    if (this.isAnswering) return value;
    throw new Unavailable("Connection terminated unexpectedly");
  }
}
