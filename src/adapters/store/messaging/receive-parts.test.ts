import { beforeAll, describe, expect, test } from "vitest";
import { newPartReceiver, type Place, sentPart } from "../../../../test/fakes/part-receiver.ts";
import { silent } from "../../../../test/fakes/silent-log.ts";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { systemClock } from "../../../base/clock.ts";
import { makeIds } from "../../../base/ids.ts";
import { Unavailable } from "../../../base/unavailable.ts";
import { type InboundDeps, receiveMms } from "../../../domain/messaging/index.ts";
import { Database, type Queryable } from "../engine/database.ts";
import { optOutFilter } from "../numbers/opt-outs.ts";
import { inboxOver, receiveUnitOver } from "./inbox.ts";

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

async function received(column: "text" | "to_number", from: string): Promise<readonly string[]> {
  const rows = await store.db.query<{ value: string }>(
    `select ${column} as value from inbound_messages where from_number = $1 order by created_at, sid`,
    [from],
  );
  return rows.map(({ value }) => value);
}

/** The messages of one handset, and what is received of them. */
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
    texts: () => received("text", from),
    recipients: () => received("to_number", from),
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

describe("what a carrier calls international", () => {
  const own = (number: string) =>
    store.db.query(
      `insert into phones (number, account_sid, status, features, created_at, updated_at) values ($1, $2, 'Active', '{}', now(), now())`,
      [number, store.accountSid],
    );

  // The first could be a number of Saint Helena, the second is not a valid number.
  test.each(["29012345", "72345678"])("goes to a short code of ours with the digits %s", async (code) => {
    await own(code);
    const { receiver, one, recipients } = newHandset();
    for (const to of [code, `+${code}`]) await receiver.receive({ ...FIRST, ...one, to, repeatKey: to });
    expect(await recipients()).toEqual([code, code]);
  });

  test("goes to the number where that is ours, too", async () => {
    await own("29067890");
    await own("+29067890");
    const { receiver, one, recipients } = newHandset();
    for (const to of ["29067890", "+29067890"]) await receiver.receive({ ...FIRST, ...one, to, repeatKey: to });
    expect(await recipients()).toEqual(["29067890", "+29067890"]);
  });

  test("goes to the short code as an MMS, too", async () => {
    await own("29067891");
    const inbound = { inbox: inboxOver(store.db), ids: makeIds(systemClock), clock: systemClock, mediaUrl: String };
    const transaction: InboundDeps["transaction"] = (work) =>
      store.db.transaction((unit) =>
        work(
          receiveUnitOver(
            unit,
            optOutFilter(store.db, () => true),
          ),
        ),
      );
    const deps = { ...inbound, transaction, files: { keep: async () => ({ file: "0", sha256: "0" }) } };
    const others = ["+29067891", "+14155550199"];
    const mms = {
      ...{ carrier: "carrier", link: "mms", messageId: "1", from: "+14155550100", to: others, recipients: others },
      ...{ subject: "", text: "A picture", media: [] },
    };
    expect(await receiveMms(deps, mms)).toBe("taken");
    const rows = await store.db.query(
      "select to_number, additional_recipients from inbound_messages where link = 'mms'",
    );
    expect(rows).toEqual([{ to_number: "29067891", additional_recipients: ["+14155550199"] }]);
  });
});

/** Commits every transaction, and loses its answer. */
class AnswerLost extends Database {
  isAnswering = false;

  override async transaction<Value>(work: (unit: Queryable) => Promise<Value>): Promise<Value> {
    const value = await super.transaction(work);
    if (this.isAnswering) return value;
    throw new Unavailable("Connection terminated unexpectedly");
  }
}
