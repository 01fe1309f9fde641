// Search by number among the messages and calls of many accounts: one statement each, which reads by indexes alone and
// no more than it shows. The long form has a million messages and 100,000 calls of 1,000 accounts.

import { beforeAll, expect, test } from "vitest";
import type { Queryable } from "../../src/adapters/store/engine/database.ts";
import { textOf } from "../../src/adapters/store/engine/named-statements.ts";
import { searchStore } from "../../src/adapters/store/search.ts";
import { useWebhookStore } from "../fakes/webhook-store.ts";
import { LONG_TIMEOUT_MS, roundsOf } from "./form.ts";

const store = useWebhookStore();
const ACCOUNTS = roundsOf({ quick: 100, long: 1_000 });
const MESSAGES = roundsOf({ quick: 20_000, long: 1_000_000 });
const CALLS = roundsOf({ quick: 4_000, long: 100_000 });
/** Has a tenth of all messages and calls; the others have some each. */
const BUSY = "+14154740299";
const PERSON = "+12125550007";
const SHOWN_MAX = 20;

/** Times are spread over three weeks. */
const MADE = `(
  select n, 'AC' || lpad((n % $3::int)::text, 32, '0') as account, at, lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || lpad(n::text, 20, '0') as place,
         '+1312555' || lpad((n % $3::int)::text, 4, '0') as own,
         case when n % 10 = 0 then '${BUSY}' else '+1212555' || lpad((n % 9973)::text, 4, '0') end as person
    from (select n, $1::timestamptz - n * interval '21 days' / $2::int as at from generate_series(1, $2::int) as n) as numbered) as made`;

beforeAll(async () => {
  const now = store.clock.now();
  await store.db.query(
    `insert into accounts (sid, name, status, features, limit_changes, created_at)
     select 'AC' || lpad(n::text, 32, '0'), 'Shop ' || n, 'Active', '{}', '{}', $1 from generate_series(0, $2::int - 1) as n`,
    [now, ACCOUNTS],
  );
  await store.db.query(
    `insert into outbound_messages (account_sid, sid, from_number, to_number, text, status, segment_count, encoding, priority, created_at, expires_at)
     select account, 'OM' || place, own, person, 'text', 'Sent', 1, 'GSM7', 2, at, at from ${MADE}`,
    [now, MESSAGES / 2, ACCOUNTS],
  );
  await store.db.query(
    `insert into inbound_messages (account_sid, sid, from_number, to_number, additional_recipients, text, media, segment_count, link, created_at)
     select account, 'IM' || place, person, own, '{}', 'text', '[]', 1, 'link', at from ${MADE}`,
    [now, MESSAGES / 2, ACCOUNTS],
  );
  await store.db.query(
    `insert into calls (sid, account_sid, direction, from_party, to_party, caller_id, status, created_at, phone)
     select 'CA' || place, account, 'Inbound', person, own, person, 'Completed', at, own from ${MADE}`,
    [now, CALLS, ACCOUNTS],
  );
  await store.db.query("analyze");
}, LONG_TIMEOUT_MS);

interface Plan {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Plan[];
}

const nodesOf = (plan: Plan): readonly Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
const readBy = (plan: Plan) =>
  (plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0)) * Math.max(1, plan["Actual Loops"]);

/** Explains each statement with the settings of the server, and runs it. */
function explained(plans: Plan[]): Queryable {
  return {
    async query(statement, values) {
      const [row] = await store.db.query<{ "QUERY PLAN": readonly { readonly Plan: Plan }[] }>(
        `explain (analyze, format json) ${textOf(statement)}`,
        values,
      );
      for (const { Plan: plan } of row?.["QUERY PLAN"] ?? []) plans.push(plan);
      return store.db.query(statement, values);
    },
  };
}

test.each(["messages", "calls"] as const)(
  "what anybody has with a number is found among the %s of all accounts by one statement with indexes",
  async (kind) => {
    for (const number of [PERSON, BUSY, "+19995550000"]) {
      const plans: Plan[] = [];
      const found = await searchStore(explained(plans))[kind]([number]);
      expect(found.length).toBe(number === BUSY ? SHOWN_MAX : number === PERSON ? found.length : 0);
      if (number === PERSON) expect(found.length).toBeGreaterThan(0);
      expect(found.every(({ from, to }) => from === number || to === number)).toBe(true);
      expect(plans).toHaveLength(1);
      const nodes = plans.flatMap(nodesOf);
      const tables = /^(outbound_messages|inbound_messages|calls)/;
      // A partition that has no rows may be scanned.
      const scanned = nodes.filter(
        (node) => node["Node Type"] === "Seq Scan" && tables.test(node["Relation Name"] ?? "") && readBy(node) > 0,
      );
      expect(scanned).toEqual([]);
      // Received messages are looked up in the index of each account.
      expect(Math.max(...nodes.map(readBy))).toBeLessThanOrEqual(ACCOUNTS * SHOWN_MAX);
    }
  },
);
