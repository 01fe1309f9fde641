// Texts over a link of eight a second. The small account sends four at a time; the greedy one has a
// hundred thousand waiting, all of them Urgent.

import { Smsc } from "../../src/sandbox/smsc/smsc.ts";
import { silent } from "../../test/fakes/silent-log.ts";
import { databaseOf } from "../../test/tandem-database.ts";
import { nextNumber } from "./numbers.ts";
import type { Part } from "./part.ts";
import { sleep } from "./repeat.ts";
import { startTenants } from "./tenants.ts";

const PER_SECOND = 8;
const TEXTS_AT_A_TIME = 4;
const WAITING = 100_000;
/** How long it takes until the sender knows of them. */
const FILLING_MS = 2_000;
const PATIENCE_MS = 600_000;

// Stored as the API stores them, without a place: the sender places them itself.
const FILL = `
with waiting as (
  insert into outbound_messages (account_sid, sid, from_number, to_number, text, status, segment_count, encoding, priority, created_at, expires_at)
  select $1, 'OM' || lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '7' || substr(md5($3 || n::text), 1, 19), $2,
         '+1617474' || lpad((n % 10000)::text, 4, '0'), 'Only today!', 'Queued', 1, 'GSM7', 0, now(), now() + interval '1 hour'
    from generate_series(1, ${WAITING}) as n
  returning sid, expires_at
)
insert into outbound_queue (sid, account_sid, from_number, priority, due_at, expires_at, is_ready)
select sid, $1, $2, 0, now(), expires_at, true from waiting`;

export async function startSms(): Promise<Part> {
  const host = "127.0.0.1";
  const smsc = await Smsc.listen({ host, port: 0, log: silent, receipts: false, patienceMs: PATIENCE_MS });
  const link = { name: "bench", host, port: smsc.port, systemId: "tandem", password: "bench" };
  const carrier = { name: "bench", smpp: [{ ...link, maxPerSecond: PER_SECOND }] };
  const { tandem, small, greedy, close } = await startTenants({ carriers: [carrier] });
  const database = databaseOf(tandem);
  let filled = 0;

  const sendOne = async () => {
    const number = nextNumber();
    const arrived = smsc.nextMessage(({ to }) => to.endsWith(number.slice(1)));
    arrived.catch(() => undefined);
    await small.send({ To: number, Text: "Your table is ready." });
    await arrived;
  };

  return {
    everyMs: 2_000,
    ask: async () => Array.from({ length: TEXTS_AT_A_TIME }, sendOne),
    async crowd() {
      await database.query(FILL, [greedy.sid, greedy.number, String(++filled)]);
      await sleep(FILLING_MS);
    },
    /** What the sender has in memory is gone when it wants to begin it. */
    async calm() {
      await database.query("delete from outbound_queue where account_sid = $1", [greedy.sid]);
      await sleep(FILLING_MS);
    },
    async close() {
      await database.close();
      await close();
      await smsc.close();
    },
  };
}
