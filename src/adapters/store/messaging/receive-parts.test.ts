import { beforeAll, expect, test } from "vitest";
import { newPartReceiver, type Place, sentPart } from "../../../../test/fakes/part-receiver.ts";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { Unavailable } from "../../../base/unavailable.ts";
import { Database, type Queryable } from "../engine/database.ts";

const OURS = "+14155550150";
const FIRST = { carrier: "carrier", link: "link", session: "1" };
const SECOND = { ...FIRST, session: "2" };

const store = useWebhookStore();
let handsets = 0;

beforeAll(async () => {
  await store.db.query(
    `insert into phones (number, account_sid, status, features, created_at, updated_at) values ($1, $2, 'Active', '{}', now(), now())`,
    [OURS, store.accountSid],
  );
});

/** What one handset sends, and what is received of it. */
function newHandset(db: Database = store.db) {
  const from = `+1415474${String(++handsets).padStart(4, "0")}`;
  const receiver = newPartReceiver(db);
  const part = (text: string, index?: number) => {
    const partOf = index === undefined ? {} : { partOf: { reference: 7, total: 2, index } };
    return sentPart({ from, to: OURS, octets: Buffer.from(text), dataCoding: 0, ...partOf });
  };
  return {
    receiver,
    receive: (place: Place, part: ReturnType<typeof sentPart>) => receiver.receive({ ...place, ...part }),
    one: part("hello"),
    long: [part("hello ", 1), part("world", 2)],
    async texts(): Promise<readonly string[]> {
      const rows = await store.db.query<{ text: string }>("select text from inbound_messages where from_number = $1", [
        from,
      ]);
      return rows.map(({ text }) => text);
    },
  };
}

test("what comes again over another connection is received once, over the same one twice", async () => {
  const { receive, one, texts } = newHandset();
  await receive(FIRST, one);
  await receive(SECOND, one);
  expect(await texts()).toEqual(["hello"]);
  await receive(SECOND, one);
  expect(await texts()).toEqual(["hello", "hello"]);
});

test("a part is received once while its answer may be on its way, and later makes another message under the same reference", async () => {
  const { receiver, receive, long, texts } = newHandset();
  for (const part of long) await receive(FIRST, part);
  for (const place of [FIRST, SECOND]) for (const part of long) await receive(place, part);
  expect(await texts()).toEqual(["hello world"]);
  await receiver.forgetAnswered(new Date(Date.now() + 60_000));
  for (const part of long) await receive(SECOND, part);
  expect(await texts()).toEqual(["hello world", "hello world"]);
});

test.each(["one", "long"] as const)(
  "a message that was stored although it seemed not to be is received once when it comes again (%s)",
  async (kind) => {
    const db = new AnswerLost(store.connection, silent);
    const handset = newHandset(db);
    const parts = kind === "one" ? [handset.one] : handset.long;
    for (const part of parts) {
      await expect(handset.receive(FIRST, part)).rejects.toBeInstanceOf(Unavailable);
    }
    db.isAnswering = true;
    for (const part of parts) await handset.receive(FIRST, part);
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
