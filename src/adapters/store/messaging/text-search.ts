// Finds texts by their words, the newest first, sent and received. Blocks say which messages may have the words; the
// texts of those, and of messages that are in no block yet, are read and compared. What one search reads is bounded:
// it returns how far it came, and the next one goes on there.

import { firstSidAt } from "../../../base/ids.ts";
import type { FoundText, FoundTexts, TextQuestion, TextStore } from "../../../domain/search.ts";
import { hasTerms } from "../../../domain/text-words.ts";
import type { Queryable } from "../engine/database.ts";
import { CHARS_AT_ONCE, MESSAGE_TABLES, type MessagePrefix, SIDS_END, TEXT_CHARS_MAX } from "./text-blocks.ts";

/** Of each direction in one search. */
const BLOCKS_READ_MAX = 2_000;
const TEXTS_READ_MAX = 50_000;
/** In characters: texts that are compared in this process. */
const CHARS_READ_MAX = 2_000_000;
const BLOCKS_AT_ONCE = 100;
const TEXTS_AT_ONCE = 1_000;

const BLOCKS = `
select last_sid as "lastSid", words is null or words like all ($4::text[]) as "mayHave"
  from text_blocks where account_sid = $1 and last_sid < $2 and last_sid >= $3 order by last_sid desc limit ${BLOCKS_AT_ONCE}`;

/** The block that has the messages just before `$2`. */
const BLOCK_OVER = `
select words is null or words like all ($4::text[]) as "mayHave"
  from text_blocks where account_sid = $1 and last_sid >= $2 and last_sid < $3 order by last_sid limit 1`;

// What has only ASCII characters is compared here, which spares most of the texts the way to this process.
const MAY_HAVE = `(lower(text collate "C") like all ($4::text[]) or octet_length(text) > char_length(text))`;
const texts = (table: string) => `
select count(*)::int as count, min(sid) as least,
       coalesce(array_agg(sid order by sid desc) filter (where ${MAY_HAVE}), '{}') as sids,
       coalesce(array_agg(text order by sid desc) filter (where ${MAY_HAVE}), '{}') as texts
  from (select sid, left(text, ${TEXT_CHARS_MAX}) as text from ${table}
         where account_sid = $1 and sid < $2 and sid > $3 order by sid desc limit ${TEXTS_AT_ONCE}) as message`;

const SHOWN = `sid, from_number as "from", to_number as "to", text, created_at as "createdOn"`;
const FOUND: Readonly<Record<MessagePrefix, string>> = {
  OM: `select ${SHOWN}, 'Outbound' as direction, status from outbound_messages`,
  IM: `select ${SHOWN}, 'Inbound' as direction, null as status from inbound_messages`,
};

interface Read {
  readonly count: number;
  readonly least: string | null;
  readonly sids: readonly string[];
  readonly texts: readonly string[];
}

const IS_ASCII = /^[\0-\x7f]*$/;
/** Terms have nothing that LIKE reads as a pattern. */
const like = (term: string) => `%${term}%`;

/** The part of a sid that follows its kind: sids of both kinds are in the order of time by it. */
const placeOf = (sid: string) => sid.slice(2);

/** The messages of one direction that have the terms, from the newest on. */
class Walk {
  readonly #db: Queryable;
  readonly #prefix: MessagePrefix;
  readonly #accountSid: string;
  readonly #terms: readonly string[];
  readonly #first: string;
  /** Sids from this one on are read. */
  #reached: string;
  readonly sids: string[] = [];
  #blocksLeft = BLOCKS_READ_MAX;
  #textsLeft = TEXTS_READ_MAX;
  #charsLeft = CHARS_READ_MAX;

  constructor(db: Queryable, prefix: MessagePrefix, accountSid: string, { terms, from, to, after }: TextQuestion) {
    this.#db = db;
    this.#prefix = prefix;
    this.#accountSid = accountSid;
    this.#terms = terms;
    this.#first = firstSidAt(prefix, from);
    const end = to ? firstSidAt(prefix, new Date(to.getTime() + 1)) : SIDS_END[prefix];
    const place = after === undefined ? end : `${prefix}${after}`;
    this.#reached = place < end ? place : end;
  }

  /** Undefined when everything is read. */
  get reached(): string | undefined {
    return this.#reached <= this.#first ? undefined : placeOf(this.#reached);
  }

  async run(size: number): Promise<void> {
    const patterns = this.#terms.map(like);
    const end = SIDS_END[this.#prefix];
    const [over] = await this.#db.query<{ mayHave: boolean }>(BLOCK_OVER, [
      this.#accountSid,
      this.#reached,
      end,
      patterns,
    ]);
    let mayHave = over?.mayHave ?? true;
    const isEnough = () =>
      this.sids.length > size || this.#blocksLeft <= 0 || this.#textsLeft <= 0 || this.#charsLeft <= 0;
    for (let below = this.#reached; ; ) {
      const given = [this.#accountSid, below, this.#first, patterns];
      const blocks = await this.#db.query<{ lastSid: string; mayHave: boolean }>(BLOCKS, given);
      for (const block of blocks) {
        // Up to the messages of this block, which has its last one.
        if (mayHave) await this.#read(block.lastSid, isEnough);
        else this.#reached = `${block.lastSid}0`;
        if (isEnough()) return;
        ({ lastSid: below, mayHave } = block);
        this.#blocksLeft--;
      }
      if (blocks.length === BLOCKS_AT_ONCE) continue;
      if (mayHave) await this.#read(this.#first, isEnough);
      else this.#reached = this.#first;
      return;
    }
  }

  /** The texts of the sids above `after`, as far as it may. */
  async #read(after: string, isEnough: () => boolean): Promise<void> {
    const patterns = this.#terms.map((term) => term.trim()).filter((term) => IS_ASCII.test(term));
    while (!isEnough()) {
      const given = [this.#accountSid, this.#reached, after, patterns.map(like)];
      const [read] = await this.#db.query<Read>(texts(MESSAGE_TABLES[this.#prefix]), given);
      if (!read) return;
      const stop = await this.#compare(read, isEnough);
      this.#textsLeft -= read.count;
      if (stop !== undefined) {
        this.#reached = stop;
        return;
      }
      if (read.count < TEXTS_AT_ONCE || read.least === null) {
        this.#reached = after === this.#first ? after : `${after}0`;
        return;
      }
      this.#reached = read.least;
    }
  }

  /** Returns the last sid that was compared, where not all may be. Other work of this process is done in between. */
  async #compare({ sids, texts: read }: Read, isEnough: () => boolean): Promise<string | undefined> {
    let chars = 0;
    for (const [at, sid] of sids.entries()) {
      const text = read[at] ?? "";
      if (hasTerms(text, this.#terms)) this.sids.push(sid);
      chars += text.length;
      this.#charsLeft -= text.length;
      if (isEnough()) return sid;
      if (chars < CHARS_AT_ONCE) continue;
      chars = 0;
      await new Promise(setImmediate);
    }
    return undefined;
  }
}

export function textStore(db: Queryable): TextStore {
  return {
    async find(accountSid, question): Promise<FoundTexts> {
      const walks = (["OM", "IM"] as const).map((prefix) => new Walk(db, prefix, accountSid, question));
      for (const walk of walks) await walk.run(question.size);
      // Below what one of them has reached, the other one may have found messages that are not the next.
      const reached = walks.map((walk) => walk.reached ?? "").reduce((one, other) => (one > other ? one : other));
      const found = walks
        .flatMap(({ sids }) => sids)
        .filter((sid) => placeOf(sid) >= reached)
        .sort((one, other) => (placeOf(one) < placeOf(other) ? 1 : -1));
      const shown = found.slice(0, question.size);
      const next = found.length > shown.length ? placeOf(shown.at(-1) ?? "") : reached;
      return { texts: await load(db, accountSid, shown), ...(next !== "" && { next }) };
    },
  };
}

async function load(db: Queryable, accountSid: string, sids: readonly string[]): Promise<readonly FoundText[]> {
  const found = new Map<string, FoundText>();
  for (const prefix of ["OM", "IM"] as const) {
    const own = sids.filter((sid) => sid.startsWith(prefix));
    if (own.length === 0) continue;
    const rows = await db.query<FoundText>(
      `${FOUND[prefix]} where account_sid = $1 and sid = any ($2::text[]) and sid >= $3 and sid <= $4`,
      [accountSid, own, own.at(-1), own[0]],
    );
    for (const row of rows) found.set(row.sid, row);
  }
  // One may have been deleted meanwhile.
  return sids.flatMap((sid) => found.get(sid) ?? []);
}
