// Collects the words of messages in blocks, so that a search reads the texts of few messages. Nothing is written when a
// message is stored: blocks are made of messages that are three minutes old, and a search reads the newest ones itself.
//
// Guarantees that a block has every word of its messages, and none that they do not have any more. Whatever changes a
// text, deletes a message, or stores one whose sid is so old that its block may have been made, empties the block in
// the same transaction, under a lock that makes of blocks take, too. An empty block is made again; until then its
// messages are read. A message is stored within the time that a statement may take, or not at all.

import { firstSidAt } from "../../../base/ids.ts";
import { joinWords, wordsOf } from "../../../domain/text-words.ts";
import type { Database, Queryable } from "../engine/database.ts";
import { SKEW_MS_MAX } from "../engine/database-clock.ts";
import { lock, tryLock } from "../engine/locks.ts";
import { run } from "../engine/statements.ts";
import { cutoff } from "../engine/sweeps.ts";
import type { SidSpan } from "./message-weeks.ts";

export const MESSAGE_TABLES = { OM: "outbound_messages", IM: "inbound_messages" } as const;
export type MessagePrefix = keyof typeof MESSAGE_TABLES;
/** After every sid of the kind. */
export const SIDS_END: Readonly<Record<MessagePrefix, string>> = { OM: "ON", IM: "IN" };

/** In characters: only the beginning of a longer text, which a picture message may have, can be found. */
export const TEXT_CHARS_MAX = 4_000;
/** In characters: other work of this process is done between texts of so many. */
export const CHARS_AT_ONCE = 16_384;
const MESSAGES_MAX = 512;
/** In characters: what is read for a block, but for its last text. */
const CHARS_MAX = 200_000;
/** In characters: what a search reads of a block. */
const WORDS_MAX = 100_000;
/** Of a run: about the messages that a busy server sends in the second until the next. */
const BLOCKS_MAX = 20;
/** How often accounts with new messages are looked for. */
const LOOK_MS = 60_000;
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

interface State {
  /** The last message of the newest block of each kind; null where there is none. */
  readonly OM: string | null;
  readonly IM: string | null;
  /** The first of the empty blocks. */
  readonly emptySid: string | null;
}

const newest = (prefix: MessagePrefix) =>
  `(select max(last_sid) from text_blocks where account_sid = $1 and last_sid >= '${prefix}' and last_sid < '${SIDS_END[prefix]}')`;
const STATE = `
select ${newest("OM")} as "OM", ${newest("IM")} as "IM",
       (select min(last_sid) from text_blocks where account_sid = $1 and words is null) as "emptySid"`;
const BEFORE = `
select max(last_sid) as sid from text_blocks where account_sid = $1 and last_sid < $2 and last_sid >= $3`;

interface Range {
  /** The last message of the block before. */
  readonly after: string;
  readonly end: string;
  /** No block is made of what does not fill one. */
  readonly mustFill: boolean;
}

interface Collected {
  readonly count: number;
  readonly last: string | null;
  /** Whether no more messages fit into a block. */
  readonly isFull: boolean;
  /** All of them as one: what is between two texts is no word. */
  readonly texts: string | null;
}

interface Words {
  /** Undefined where there are too few messages. */
  readonly words: string | undefined;
  readonly last: string | null;
  /** Whether these are all messages of the range. */
  readonly isAll: boolean;
}

const IS_FULL = "count(*) = $4 or not coalesce(bool_and(fits), true)";
const textsOf = (table: string) => `
select count(*) filter (where fits)::int as count, max(sid) filter (where fits) as last, ${IS_FULL} as "isFull",
       case when not $5::boolean or ${IS_FULL} then string_agg(text, chr(10)) filter (where fits) end as texts
  from (select sid, text, sum(char_length(text)) over (order by sid) - char_length(text) < ${CHARS_MAX} as fits
          from (select sid, left(text, ${TEXT_CHARS_MAX}) as text from ${table}
                 where account_sid = $1 and sid > $2 and sid <= $3 order by sid limit $4) as next) as measured`;

const SAVE = `
insert into text_blocks (account_sid, last_sid, words) values ($1, $2, $3)
on conflict (account_sid, last_sid) do update set words = excluded.words`;
const REMOVE = "delete from text_blocks where account_sid = $1 and last_sid = $2";

const NONE: Collected = { count: 0, last: null, isFull: false, texts: null };

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
  /** Those that could not be done, because their texts were being changed or a statement failed. */
  readonly #later = new Set<string>();
  #lookedMs = Number.NEGATIVE_INFINITY;
  #lookedTo: Date | undefined;

  constructor(order: TextBlocksOrder) {
    this.#order = order;
  }

  /** Makes some blocks, one of each account in turn. Any number of processes may do this. */
  async run(): Promise<void> {
    const { db, now, statementMs } = this.#order;
    // What is older is stored, or will be as a late message; the clocks of two processes may differ by so much.
    const until = cutoff(now(), LATE_MS + 3 * statementMs + 2 * SKEW_MS_MAX);
    if (now().getTime() - this.#lookedMs >= LOOK_MS) await this.#look(until);
    for (let tries = 0; tries < BLOCKS_MAX && this.#due.size > 0; tries++) {
      const [accountSid = ""] = this.#due;
      this.#due.delete(accountSid);
      this.#later.add(accountSid);
      const made = await db.transaction((unit) => makeBlock(unit, accountSid, until));
      if (made !== "busy") this.#later.delete(accountSid);
      if (made === "block") this.#due.add(accountSid);
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
    for (const sid of [...rows.map((row) => row.sid), ...this.#later]) this.#due.add(sid);
    this.#later.clear();
    this.#lookedMs = this.#order.now().getTime();
    this.#lookedTo = until;
  }
}

/** Busy: another transaction changes texts of the account, or another process does this. */
type Made = "block" | "nothing" | "busy";

async function makeBlock(unit: Queryable, accountSid: string, until: Date): Promise<Made> {
  if (!(await tryLock(unit, lockOf(accountSid)))) return "busy";
  const [state] = await unit.query<State>(STATE, [accountSid]);
  if (!state) return "nothing";
  if (state.emptySid !== null) return makeAgain(unit, accountSid, state.emptySid);
  for (const prefix of ["OM", "IM"] as const) {
    const range = { after: state[prefix] ?? prefix, end: firstSidAt(prefix, until), mustFill: true };
    const { words, last } = await collect(unit, accountSid, range, MESSAGES_MAX);
    if (last === null || words === undefined) continue;
    await run(unit, SAVE, [accountSid, last, words]);
    return "block";
  }
  return "nothing";
}

/** What does not fit into the block any more becomes a block of its own, before it. */
async function makeAgain(unit: Queryable, accountSid: string, end: string): Promise<"block"> {
  const prefix = end.slice(0, 2);
  const [before] = await unit.query<{ sid: string | null }>(BEFORE, [accountSid, end, prefix]);
  const range = { after: before?.sid ?? prefix, end, mustFill: false };
  const { words, last, isAll } = await collect(unit, accountSid, range, MESSAGES_MAX);
  if (last === null) await run(unit, REMOVE, [accountSid, end]);
  else await run(unit, SAVE, [accountSid, isAll ? end : last, words]);
  return "block";
}

/** Of the first messages of the range, as many as a block may have. */
async function collect(unit: Queryable, accountSid: string, range: Range, countMax: number): Promise<Words> {
  const { after, end, mustFill } = range;
  const table = MESSAGE_TABLES[after.startsWith("OM") ? "OM" : "IM"];
  const given = [accountSid, after, end, countMax, mustFill];
  const [{ count, last, isFull, texts } = NONE] = await unit.query<Collected>(textsOf(table), given);
  const words = texts === null ? undefined : joinWords(await wordsIn(texts));
  if (words !== undefined && words.length > WORDS_MAX && count > 1) {
    const fewer = Math.max(1, Math.floor((count * WORDS_MAX * 0.9) / words.length));
    return collect(unit, accountSid, { ...range, mustFill: false }, fewer);
  }
  return { words, last, isAll: !isFull };
}

/** Each once. The texts are read in pieces, between which other work of this process is done. */
async function wordsIn(texts: string): Promise<ReadonlySet<string>> {
  const words = new Set<string>();
  for (let from = 0; from < texts.length; ) {
    const lineEnd = texts.indexOf("\n", from + CHARS_AT_ONCE);
    const end = lineEnd === -1 ? texts.length : lineEnd;
    for (const word of wordsOf(texts.slice(from, end))) words.add(word);
    from = end;
    if (from < texts.length) await new Promise(setImmediate);
  }
  return words;
}
