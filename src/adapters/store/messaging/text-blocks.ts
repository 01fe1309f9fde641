// Collects the words of messages in blocks, so that a search reads the texts of few messages. Nothing is written when a
// message is stored: blocks are made of messages that are a minute old, and a search reads the newest ones themselves.
//
// Guarantees that a block has every word of its messages, and none that they do not have any more. Whatever changes a
// text, deletes a message, or stores one whose sid is so old that its block may have been made, empties the block in
// the same transaction, under a lock that makes of blocks take, too. An empty block is made again; until then its
// messages are read. A message is stored within the time that a statement may take, or not at all.

import { firstSidAt } from "../../../base/ids.ts";
import { joinWords, wordsOf } from "../../../domain/text-words.ts";
import type { Database, Queryable } from "../engine/database.ts";
import { lock, tryLock } from "../engine/locks.ts";
import { run } from "../engine/statements.ts";
import { cutoff } from "../engine/sweeps.ts";
import type { SidSpan } from "./message-weeks.ts";

export const MESSAGE_TABLES = { OM: "outbound_messages", IM: "inbound_messages" } as const;
export type MessagePrefix = keyof typeof MESSAGE_TABLES;
/** After every sid of the kind. */
export const SIDS_END: Readonly<Record<MessagePrefix, string>> = { OM: "ON", IM: "IN" };

const MESSAGES_MAX = 512;
/** In characters: what a search reads of a block. */
const WORDS_MAX = 50_000;
/** Of a run: about the messages that a busy server sends in the second until the next. */
const BLOCKS_MAX = 20;
/** How often accounts with new messages are looked for. */
const LOOK_MS = 15_000;
/** Messages are stored at once, unless their request arrived slowly or the sid is that of an earlier delivery. */
const LATE_MS = 30_000;

const lockOf = (accountSid: string) => `texts ${accountSid}`;

/** Blocks of messages with lesser sids may have been made by then. */
export function lateBefore(storedOn: Date): string {
  return firstSidAt("OM", cutoff(storedOn, LATE_MS));
}

const EMPTY = `
update text_blocks set words = null
 where account_sid = $1 and last_sid >= $2 and words is not null
   and last_sid <= coalesce((select min(last_sid) from text_blocks where account_sid = $1 and last_sid >= $3 and last_sid < $4), $3)`;

/**
 * Before messages of the span are changed in the transaction. All sids of a span are of one kind, and of one account.
 */
export async function emptyBlocks(unit: Queryable, accountSid: string, { least, greatest }: SidSpan): Promise<void> {
  await lock(unit, lockOf(accountSid));
  const end = SIDS_END[least.startsWith("OM") ? "OM" : "IM"];
  await unit.query(EMPTY, [accountSid, least, greatest, end]);
}

/** Before such messages are stored in the transaction: in the order of their accounts, so that two do not deadlock. */
export async function emptyLateBlocks(
  unit: Queryable,
  late: readonly { readonly accountSid: string; readonly sid: string }[],
): Promise<void> {
  for (const { accountSid, sid } of late.toSorted((one, other) => (one.accountSid < other.accountSid ? -1 : 1)))
    await emptyBlocks(unit, accountSid, { least: sid, greatest: sid });
}

interface Range {
  /** The last message of the block before. */
  readonly after: string;
  /** The block that is made again; null: a new one, of messages up to `end`, if there are enough. */
  readonly lastSid: string | null;
  readonly end: string;
}

const EMPTY_BLOCK = `
select last_sid as "lastSid", coalesce(
         (select max(last_sid) from text_blocks where account_sid = $1 and last_sid < block.last_sid and last_sid >= left(block.last_sid, 2)),
         left(block.last_sid, 2)) as after
  from text_blocks as block where account_sid = $1 and words is null order by last_sid limit 1`;

const NEWEST_BLOCK = `
select max(last_sid) as sid from text_blocks where account_sid = $1 and last_sid >= $2 and last_sid < $3`;

// The texts are only read where there are enough, which the index shows.
const textsOf = (table: string) => `
with next as materialized (
  select sid from ${table} where account_sid = $1 and sid > $2 and sid <= $3 order by sid limit ${MESSAGES_MAX}
)
select message.sid, message.text
  from (select count(*) as count, max(sid) as last from next) as found
 cross join lateral (
   select sid, text from ${table}
    where account_sid = $1 and sid > $2 and sid <= found.last and (found.count = ${MESSAGES_MAX} or $4) offset 0) as message
 order by message.sid`;

const SAVE = `
insert into text_blocks (account_sid, last_sid, words) values ($1, $2, $3)
on conflict (account_sid, last_sid) do update set words = excluded.words`;
const REMOVE = "delete from text_blocks where account_sid = $1 and last_sid = $2";

export interface TextBlocksOrder {
  readonly db: Database;
  readonly now: () => Date;
  /** How long a statement may take. */
  readonly statementMs: number;
}

export class TextBlocks {
  readonly #order: TextBlocksOrder;
  /** Accounts that may have enough messages for a block. */
  readonly #due = new Set<string>();
  #lookedMs = Number.NEGATIVE_INFINITY;
  #lookedTo: Date | undefined;

  constructor(order: TextBlocksOrder) {
    this.#order = order;
  }

  /** Makes some blocks, one of each account in turn. Any number of processes may do this. */
  async run(): Promise<void> {
    const { db, now, statementMs } = this.#order;
    // What is older is stored, or will be as a late message.
    const until = cutoff(now(), LATE_MS + 3 * statementMs);
    if (now().getTime() - this.#lookedMs >= LOOK_MS) await this.#look(until);
    for (let made = 0; made < BLOCKS_MAX && this.#due.size > 0; made++) {
      const [accountSid = ""] = this.#due;
      this.#due.delete(accountSid);
      if (await db.transaction((unit) => makeBlock(unit, accountSid, until))) this.#due.add(accountSid);
    }
  }

  async #look(until: Date): Promise<void> {
    const from = this.#lookedTo;
    const since = (prefix: MessagePrefix, first: number) =>
      `exists (select from ${MESSAGE_TABLES[prefix]} where account_sid = accounts.sid and sid >= $${first} and sid < $${first + 1})`;
    const rows = from
      ? await this.#order.db.query<{ sid: string }>(
          `select sid from accounts where ${since("OM", 1)} or ${since("IM", 3)}
           union select account_sid from text_blocks where words is null`,
          [firstSidAt("OM", from), firstSidAt("OM", until), firstSidAt("IM", from), firstSidAt("IM", until)],
        )
      : await this.#order.db.query<{ sid: string }>("select sid from accounts");
    for (const { sid } of rows) this.#due.add(sid);
    this.#lookedMs = this.#order.now().getTime();
    this.#lookedTo = until;
  }
}

/** False when the account has nothing to be done, or another process does it. */
async function makeBlock(unit: Queryable, accountSid: string, until: Date): Promise<boolean> {
  if (!(await tryLock(unit, lockOf(accountSid)))) return false;
  const [empty] = await unit.query<{ lastSid: string; after: string }>(EMPTY_BLOCK, [accountSid]);
  if (empty) return makeOf(unit, accountSid, { ...empty, end: empty.lastSid });
  for (const prefix of ["OM", "IM"] as const) {
    const [newest] = await unit.query<{ sid: string | null }>(NEWEST_BLOCK, [accountSid, prefix, SIDS_END[prefix]]);
    const range = { after: newest?.sid ?? prefix, lastSid: null, end: firstSidAt(prefix, until) };
    if (await makeOf(unit, accountSid, range)) return true;
  }
  return false;
}

async function makeOf(unit: Queryable, accountSid: string, { after, lastSid, end }: Range): Promise<boolean> {
  const table = MESSAGE_TABLES[after.startsWith("OM") ? "OM" : "IM"];
  const found = await unit.query<{ sid: string; text: string }>(textsOf(table), [
    accountSid,
    after,
    end,
    lastSid !== null,
  ]);
  const words = new Set<string>();
  let [size, taken] = [0, 0];
  for (; taken < found.length && size < WORDS_MAX; taken++) {
    for (const word of wordsOf(found[taken]?.text ?? "")) {
      if (words.has(word)) continue;
      words.add(word);
      size += word.length + 1;
    }
  }
  // The rest of a block that is made again is a block of its own.
  const isWhole = lastSid !== null && taken === found.length && taken < MESSAGES_MAX;
  const last = isWhole ? lastSid : found[taken - 1]?.sid;
  if (last === undefined) return false;
  if (taken === 0) await run(unit, REMOVE, [accountSid, last]);
  else await run(unit, SAVE, [accountSid, last, joinWords(words)]);
  return true;
}
