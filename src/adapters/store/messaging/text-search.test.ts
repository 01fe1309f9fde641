import { beforeEach, describe, expect, test } from "vitest";
import { newMessage } from "../../../../test/fakes/new-message.ts";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import { hasTerms, termsOf } from "../../../domain/text-words.ts";
import type { Queryable } from "../engine/database.ts";
import { lock } from "../engine/locks.ts";
import { deleteOldRecords } from "../retention.ts";
import { inboundMessageStore } from "./inbound-messages.ts";
import { acceptInside, StoredIntake } from "./message-intake.ts";
import { outboundMessageStore } from "./outbound-messages.ts";
import { TextBlocks } from "./text-blocks.ts";
import { textStore } from "./text-search.ts";

const store = useWebhookStore();
const MINUTE_MS = 60_000;
let accountSid: string;

beforeEach(async () => {
  for (const table of ["outbound_messages", "outbound_queue", "inbound_messages", "text_blocks"]) {
    await store.db.query(`delete from ${table}`);
  }
  accountSid = await store.addAccount();
});

const minutesAgo = (minutes: number) => new Date(store.clock.now().getTime() - minutes * MINUTE_MS);
const sidAt = (prefix: "OM" | "IM", at: Date) =>
  prefix + at.getTime().toString(16).padStart(12, "0") + store.ids.sid(prefix).slice(14);

interface Stored {
  readonly sid: string;
  readonly text: string;
}

/** A second after each other from this time on, every third one received. */
async function add(texts: readonly string[], from: Date, of = accountSid): Promise<readonly Stored[]> {
  const stored = texts.map((text, at) => ({
    sid: sidAt(at % 3 === 2 ? "IM" : "OM", new Date(from.getTime() + at * 1_000)),
    text,
  }));
  const given = (prefix: string) => {
    const some = stored.filter(({ sid }) => sid.startsWith(prefix));
    return [of, some.map(({ sid }) => sid), some.map(({ text }) => text), from];
  };
  await store.db.query(
    `insert into outbound_messages (account_sid, sid, from_number, to_number, text, status, segment_count, encoding, priority, created_at, expires_at)
     select $1, sid, '+14155550100', '+14155550101', text, 'Delivered', 1, 'GSM7', 2, $4, $4 from unnest($2::text[], $3::text[]) as made (sid, text)`,
    given("OM"),
  );
  await store.db.query(
    `insert into inbound_messages (account_sid, sid, from_number, to_number, additional_recipients, text, media, segment_count, link, created_at)
     select $1, sid, '+14155550101', '+14155550100', '{}', text, '[]', 1, 'a', $4 from unnest($2::text[], $3::text[]) as made (sid, text)`,
    given("IM"),
  );
  return stored;
}

const blocks = () => new TextBlocks({ db: store.db, now: store.clock.now, statementMs: 10_000 });

/** As many as can be made. */
async function makeBlocks(): Promise<void> {
  const maker = blocks();
  for (let runs = 0; runs < 5; runs++) await maker.run();
}

const collected = async () =>
  (await store.db.query<{ words: string | null }>("select words from text_blocks order by last_sid")).map(
    ({ words }) => words,
  );

/** All pages. */
async function find(query: string, { size = 20, of = accountSid, db = store.db as Queryable, minutes = 60 * 24 } = {}) {
  const found: Stored[] = [];
  for (let after: string | undefined, pages = 0; pages < 300; pages++) {
    const question = { terms: termsOf(query), from: minutesAgo(minutes), to: undefined, after, size };
    const page = await textStore(db).find(of, question);
    expect(page.texts.length).toBeLessThanOrEqual(size);
    found.push(...page.texts);
    if (page.next === undefined) return found.map(({ sid, text }) => ({ sid, text }));
    expect(page.next < (after ?? "g")).toBe(true);
    after = page.next;
  }
  throw new Error("a search does not end");
}

const newestFirst = (stored: readonly Stored[]) =>
  stored.toSorted((one, other) => (one.sid.slice(2) < other.sid.slice(2) ? 1 : -1));

/** How many texts the searches of this read. */
function counting() {
  let read = 0;
  const db: Queryable = {
    async query<Row extends object>(...given: Parameters<Queryable["query"]>) {
      const rows = await store.db.query<Row>(...given);
      const [row] = rows as { count?: number }[];
      read += row?.count ?? 0;
      return rows;
    },
  };
  return { db, read: () => read };
}

test("what is sent or received is found at once, of its own account alone", async () => {
  const [sent, , received] = await add(["Your bread is ready", "No cakes today", "Bread? On my way!"], minutesAgo(0));
  const other = await store.addAccount();
  await add(["Bread of others"], minutesAgo(0), other);
  expect(await find("BREAD")).toStrictEqual([received, sent]);
  expect(await find("bread", { of: other })).toHaveLength(1);
  expect(await find("bread ready")).toStrictEqual([sent]);
  expect(await find("butter")).toStrictEqual([]);
  expect(await collected()).toStrictEqual([]);
});

test("with blocks and without the same is found, page by page, and few texts are read for a rare word", async () => {
  const vocabulary = ["bread", "cake", "Crème", "brûlée", "面包好了", "code", "late", "order", "№", "Straße", "ขนมปัง"];
  const texts = Array.from({ length: 2_000 }, (_, at) => {
    const word = (step: number) => vocabulary[(at * step + (at % 7) * 3) % vocabulary.length];
    return `${word(1)} ${word(5)}, ${word(3)}${at % 500 === 17 ? " marzipan" : ""} no. ${at}`;
  });
  const stored = await add(texts, minutesAgo(120));
  const queries = [
    "marzipan",
    "bread",
    "creme brulee",
    "面包",
    "ขนม code",
    "strasse 399",
    "no",
    "order cake late",
    "x",
  ];
  const naive = (query: string) => newestFirst(stored.filter(({ text }) => hasTerms(text, termsOf(query))));
  for (const query of queries) expect(await find(query, { size: 300 })).toStrictEqual(naive(query));
  await makeBlocks();
  // A third was received; what is left of each direction is too little for a block.
  expect(await collected()).toHaveLength(2 + 1);
  for (const query of queries) expect(await find(query, { size: 300 })).toStrictEqual(naive(query));
  expect(await find("marzipan", { size: 1 })).toStrictEqual(naive("marzipan"));
  const { db, read } = counting();
  expect(await find("zabaglione", { db })).toStrictEqual([]);
  expect(read()).toBeLessThan(2 * 512);
});

test("a search that would read too much is cut short, and goes on from there", async () => {
  await store.db.query(
    `insert into outbound_messages (account_sid, sid, from_number, to_number, text, status, segment_count, encoding, priority, created_at, expires_at)
     select $1, 'OM' || lpad(to_hex((extract(epoch from $2::timestamptz) * 1000)::bigint + n), 12, '0') || lpad(n::text, 20, '0'), 'a', 'b',
            case n when 1 then 'oldest' else 'text' end, 'Sent', 1, 'GSM7', 2, $2, $2 from generate_series(1, 60000) as n`,
    [accountSid, minutesAgo(30)],
  );
  const question = { terms: termsOf("oldest"), from: minutesAgo(60), to: undefined, size: 20 };
  const first = await textStore(store.db).find(accountSid, { ...question, after: undefined });
  expect(first).toMatchObject({ texts: [], next: expect.any(String) });
  const second = await textStore(store.db).find(accountSid, { ...question, after: first.next });
  expect(second).toMatchObject({ texts: [{ text: "oldest" }] });
  expect(second.next).toBeUndefined();
});

test("messages of the last minutes are in no block: another process may be behind with its clock", async () => {
  for (let times = 0; times < 8; times++) await add(Array<string>(100).fill("text"), minutesAgo(2.9));
  await makeBlocks();
  expect(await collected()).toStrictEqual([]);
});

describe("words of a text that is gone are gone from its block", () => {
  const SECRET = "swordfish";

  async function addSecret() {
    const texts = Array.from({ length: 1_600 }, (_, at) => (at === 300 || at === 302 ? SECRET : `text ${at}`));
    const stored = await add(texts, minutesAgo(120));
    await makeBlocks();
    const secrets = stored.filter(({ text }) => text === SECRET);
    expect(secrets.map(({ sid }) => sid.slice(0, 2)).toSorted()).toStrictEqual(["IM", "OM"]);
    expect((await collected()).join()).toContain(SECRET);
    return { stored, secrets };
  }

  async function expectNone(rest: readonly Stored[]) {
    expect((await collected()).join()).not.toContain(SECRET);
    expect(await find(SECRET)).toStrictEqual([]);
    await makeBlocks();
    expect(await collected()).not.toContain(null);
    expect((await collected()).join()).not.toContain(SECRET);
    expect(await find("text 15", { size: 500 })).toStrictEqual(
      newestFirst(rest.filter(({ text }) => hasTerms(text, termsOf("text 15")))),
    );
  }

  test.each(["redact", "remove"] as const)("by %s", async (change) => {
    const { stored, secrets } = await addSecret();
    for (const { sid } of secrets) {
      await store.db.transaction(async (unit) => {
        const messages = sid.startsWith("OM") ? outboundMessageStore(unit) : inboundMessageStore(unit);
        await messages[change](accountSid, sid);
      });
    }
    await expectNone(stored);
  });

  test("by retention, which deletes whole blocks too", async () => {
    const { stored } = await addSecret();
    await store.db.query("update accounts set message_days = 1 where sid = $1", [accountSid]);
    await store.db.query("insert into retention_turns (account_sid, due_at) values ($1, $2)", [
      accountSid,
      new Date(0),
    ]);
    const cut = new Date(minutesAgo(120).getTime() + 1_400_000);
    const now = () => new Date(cut.getTime() + 24 * 60 * MINUTE_MS);
    for (let turns = 0; turns < 5; turns++) await deleteOldRecords(store.db, now);
    await expectNone(stored.slice(1_400));
    await store.db.query("delete from retention_turns");
  });

  test("while one is changed, no block of the account is made", async () => {
    const { secrets } = await addSecret();
    const [{ sid } = { sid: "" }] = secrets;
    await store.db.transaction(async (unit) => {
      const messages = sid.startsWith("OM") ? outboundMessageStore(unit) : inboundMessageStore(unit);
      await messages.redact(accountSid, sid);
      const before = await collected();
      await makeBlocks();
      expect(await collected()).toStrictEqual(before);
    });
    await makeBlocks();
    expect(await find(SECRET)).toHaveLength(1);
  });
});

test("a message that is stored late, with the sid of an earlier time, is found", async () => {
  const stored = await add(
    Array.from({ length: 1_600 }, (_, at) => `text ${at}`),
    minutesAgo(120),
  );
  await makeBlocks();
  const late = (text: string) => {
    const sid = sidAt("OM", minutesAgo(115));
    return { ...newMessage({ sid, accountSid }), text, createdOn: store.clock.now(), dueOn: null };
  };
  await store.db.transaction((unit) => acceptInside(unit, [late("a reply of a program")]));
  await new StoredIntake(store.db, store.clock).accept(late("a request that arrived slowly"));
  for (const query of ["reply program", "slowly"]) expect(await find(query)).toHaveLength(1);
  await makeBlocks();
  expect(await collected()).not.toContain(null);
  for (const query of ["reply program", "slowly"]) expect(await find(query)).toHaveLength(1);
  expect(await find("text", { size: 1_000 })).toHaveLength(stored.length);
});

test("texts of many words make several blocks of bounded size", async () => {
  const words = (at: number) => Array.from({ length: 200 }, (_, of) => `w${at}x${of}`).join(" ");
  await add(
    Array.from({ length: 1_600 }, (_, at) => words(at)),
    minutesAgo(120),
  );
  for (let runs = 0; runs < 3; runs++) await makeBlocks();
  const sizes = (await collected()).map((each) => each?.length ?? 0);
  expect(sizes.length).toBeGreaterThan(5);
  expect(Math.max(...sizes)).toBeLessThan(101_000);
  expect(await find("w700x199")).toHaveLength(1);
});

test("of a very long text the beginning is found, and blocks of such texts are made", async () => {
  const texts = Array.from({ length: 240 }, (_, at) => `begin${at} ${"x ".repeat(20_000)} end${at}`);
  const stored = await add(texts, minutesAgo(120));
  for (const isCollected of [false, true]) {
    if (isCollected) await makeBlocks();
    expect(await find("begin7 x")).toStrictEqual([stored[7]]);
    expect(await find("end7")).toStrictEqual([]);
  }
  // Of the characters that are read for a block, not of messages, these fill some.
  expect((await collected()).length).toBeGreaterThan(1);
  expect((await collected()).join()).not.toContain("end");
});

test("a search that would compare too much is cut short, and goes on from there", async () => {
  const texts = Array.from({ length: 900 }, (_, at) => `${at < 3 ? "first" : "later"} é${"x".repeat(3_500)}`);
  const stored = await add(texts, minutesAgo(30));
  const question = { terms: termsOf("first"), from: minutesAgo(60), to: undefined, after: undefined, size: 20 };
  expect(await textStore(store.db).find(accountSid, question)).toMatchObject({ texts: [], next: expect.any(String) });
  expect(await find("first")).toStrictEqual(newestFirst(stored.slice(0, 3)));
  expect(await find("later", { size: 100 })).toStrictEqual(newestFirst(stored.slice(3)));
});

test("an account whose texts were just being changed gets its blocks a minute later", async () => {
  await add(Array<string>(1_600).fill("text"), minutesAgo(120));
  let now = store.clock.now();
  const maker = new TextBlocks({ db: store.db, now: () => now, statementMs: 10_000 });
  await store.db.transaction(async (unit) => {
    await lock(unit, `texts ${accountSid}`);
    await maker.run();
  });
  expect(await collected()).toStrictEqual([]);
  now = new Date(now.getTime() + MINUTE_MS);
  await maker.run();
  expect(await collected()).toHaveLength(2 + 1);
});
