// Accounts share the places for attempts: what is claimed and begun, exactly, on virtual time and from seeds. A small
// account waits for at most one attempt of every other account at each place.

import { expect, test } from "vitest";
import { Chance } from "../../../test/fakes/chance.ts";
import { silent } from "../../../test/fakes/silent-log.ts";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import { pause } from "../../base/clock.ts";
import { ok } from "../../base/result.ts";
import { Dispatcher } from "./dispatcher.ts";
import type { ClaimedDelivery, EndpointLimit, PostOutcome } from "./ports.ts";

const START = new Date("2026-01-01T00:00:00Z");
const SEEDS = Array.from({ length: 20 }, (_, at) => at + 1);
const SMALL_ACCOUNTS = 8;
const ATTEMPT_MS_MAX = 14_000;

interface Due {
  readonly account: string;
  readonly subscription: string;
  readonly sid: string;
}

interface Entry {
  readonly what: "due" | "claiming" | "claimed" | "begun";
  readonly account: string;
}

interface DeliveriesOptions {
  readonly attemptsMax: number;
  readonly claimMs: () => number;
  readonly tookMs: (account: string) => number;
}

/** A queue in memory and receivers that take their time, which both keep a log. */
class Deliveries {
  readonly clock = new VirtualClock(START);
  readonly log: Entry[] = [];
  readonly dispatcher: Dispatcher;
  readonly #due: Due[] = [];
  readonly #tookMs: (account: string) => number;

  constructor({ attemptsMax, claimMs, tookMs }: DeliveriesOptions) {
    this.#tookMs = tookMs;
    const queue = {
      dueEndpoints: async () => ({ sids: [], hasMore: false }),
      claim: async (limits: readonly EndpointLimit[]) => {
        this.log.push({ what: "claiming", account: "" });
        const claimed = limits.flatMap((limit) => this.#claim(limit));
        await pause(this.clock, claimMs());
        const left = limits.flatMap(({ subscriptionSid: sid }) => (this.#ofSubscription(sid).length > 0 ? [sid] : []));
        for (const { event } of claimed) this.log.push({ what: "claimed", account: event.accountSid });
        return { claimed, left, blocked: [] };
      },
      settle: async () => [],
      isWaiting: () => false,
      owned: async () => [],
      giveBackStrays: async () => undefined,
      noteSuccess: async () => undefined,
      noteFailure: async () => undefined,
      switchOff: async () => undefined,
    };
    this.dispatcher = new Dispatcher({
      ...{ queue, health: queue, clock: this.clock, attemptsMax, log: silent },
      poster: { post: ({ url }) => this.#post(new URL(url)) },
      signer: { sign: async () => ok({}) },
      writeForm: () => ({}),
      reply: async () => undefined,
      chance: () => 0.5,
      report: () => undefined,
      weightOf: () => 1,
    });
  }

  add(account: string, subscription: string, count: number): void {
    for (let each = 0; each < count; each++)
      this.#due.push({ account, subscription, sid: `${subscription}-${this.#due.length}` });
    this.log.push({ what: "due", account });
    this.dispatcher.wake([subscription]);
  }

  #ofSubscription(subscriptionSid: string): Due[] {
    return this.#due.filter(({ subscription }) => subscription === subscriptionSid);
  }

  #claim({ subscriptionSid, countMax }: EndpointLimit): readonly ClaimedDelivery[] {
    return this.#ofSubscription(subscriptionSid)
      .slice(0, countMax)
      .map((due) => {
        this.#due.splice(this.#due.indexOf(due), 1);
        return claimedOf(due);
      });
  }

  async #post({ hostname }: URL): Promise<PostOutcome> {
    const account = hostname.split(".")[0] as string;
    this.log.push({ what: "begun", account });
    const ms = this.#tookMs(account);
    await pause(this.clock, ms);
    const answer = { answer: new Uint8Array(), isCut: false, contentType: null, retryAfterMs: undefined };
    return { status: 200, failure: null, ms, ...answer };
  }
}

function claimedOf({ account, subscription, sid }: Due): ClaimedDelivery {
  return {
    ...{ sid, createdOn: START, entry: 1, attempt: 1, url: null, payloadShape: null, isWanted: true },
    event: { accountSid: account, type: "OptOutChanged", resourceSid: sid, sequence: 1, fields: {}, createdOn: START },
    subscription: {
      ...{ sid: subscription, url: `https://${account}.example/`, backupUrl: null, payloadShape: "A" },
      ...{ secrets: ["whsec_AAAA"], bearer: null, failingSince: null },
    },
  };
}

/** Greedy accounts that keep all places taken, and small ones that come one after the other with one event each. */
async function beside(seed: number, claimMsMax: number): Promise<readonly string[]> {
  const chance = new Chance(seed);
  const places = chance.integer(2, 20);
  const greedy = Array.from({ length: chance.integer(9, 24) }, (_, at) => `greedy${at}`);
  const tookMs = new Map(greedy.map((account) => [account, chance.integer(10, ATTEMPT_MS_MAX)]));
  const deliveries = new Deliveries({
    attemptsMax: places,
    claimMs: () => chance.integer(0, claimMsMax + 1),
    tookMs: (account) => tookMs.get(account) ?? 10,
  });
  for (const account of greedy)
    for (let subscriptions = chance.integer(1, 4); subscriptions > 0; subscriptions--)
      deliveries.add(account, `WS${account}n${subscriptions}`, chance.integer(20, 60));
  const faults: string[] = [];
  for (let number = 0; number < SMALL_ACCOUNTS; number++) {
    await deliveries.clock.advance(chance.integer(0, 20_000));
    const small = `small${number}`;
    deliveries.add(small, `WS${small}`, 1);
    await deliveries.clock.advance(greedy.length * ATTEMPT_MS_MAX);
    faults.push(...faultsOf(small, deliveries.log));
  }
  return faults;
}

/** The statement that claims its event is the next one, or the one after that if one is under way. */
function faultsOf(small: string, log: readonly Entry[]): readonly string[] {
  const isFirst = (what: Entry["what"]) => log.findIndex((entry) => entry.what === what && entry.account === small);
  const [due, claimed, begun] = [isFirst("due"), isFirst("claimed"), isFirst("begun")];
  if (claimed < 0 || begun < 0) return [`${small} was not served`];
  const statements = log.slice(due, claimed).filter(({ what }) => what === "claiming").length;
  const faults = statements > 2 ? [`${small} was claimed by statement ${statements}`] : [];
  const counts = new Map<string, number>();
  for (const { what, account } of log.slice(claimed, begun))
    if (what === "begun") counts.set(account, (counts.get(account) ?? 0) + 1);
  for (const [account, count] of counts) if (count > 1) faults.push(`${small} waited for ${count} of ${account}`);
  return faults;
}

const SPEEDS = [
  { claims: "at once", claimMsMax: 0 },
  { claims: "after a while", claimMsMax: 50 },
];

test.each(SEEDS.flatMap((seed) => SPEEDS.map((speed) => ({ seed, ...speed }))))(
  "seed $seed, claimed $claims: while all places are taken, an event waits for one attempt of each other account",
  async ({ seed, claimMsMax }) => {
    expect(await beside(seed, claimMsMax)).toEqual([]);
  },
);
