// What the parts of a generated history share: the real store, the model beside it, chance, and the accounts.

import { tendPartitions } from "../../src/adapters/store/engine/partitions.ts";
import { callbackSecrets } from "../../src/adapters/store/webhooks/callbacks.ts";
import { Chance } from "../fakes/chance.ts";
import type { useWebhookStore } from "../fakes/webhook-store.ts";
import { callbackSidOf, Model } from "./readers-model.ts";

export type WebhookStore = ReturnType<typeof useWebhookStore>;

export const SECOND = 1_000;
export const HOUR = 3_600 * SECOND;
export const DAY = 24 * HOUR;
export const NUMBERS = ["+14155550150", "+14155550151", "+14155550152"] as const;
export const CONFIGS = ["MCone", "MCtwo"] as const;
export const TEXTS = [
  "hello",
  "",
  "żółw 😀",
  "a text of several parts ".repeat(10),
  "with\ttab, \\ and\nlines",
  "\"{},'null",
] as const;
const KEEP_DAYS = 30;

export class ReadersWorld {
  readonly store: WebhookStore;
  readonly model = new Model();
  readonly chance: Chance;
  readonly accounts: string[] = [];

  constructor(store: WebhookStore, seed: number) {
    this.store = store;
    this.chance = new Chance(seed);
  }

  get now(): Date {
    return this.store.clock.now();
  }

  /** Returns the new time. */
  pass(ms: number): Date {
    this.store.advance(ms);
    return this.now;
  }

  async addAccounts(count: number): Promise<void> {
    const { store, now } = this;
    await tendPartitions({ db: store.db, now, keepDays: KEEP_DAYS });
    for (let made = 0; made < count; made++) {
      const accountSid = await store.addAccount();
      this.accounts.push(accountSid);
      await callbackSecrets(store.db, store.box).ensure(accountSid, now);
      this.model.subscriptions.push({
        ...{ sid: callbackSidOf(accountSid), accountSid, url: "", backupUrl: null, phone: null },
        ...{ messagingConfigSid: null, payloadShape: "A", enabled: true, disabledReason: null, hasBearer: false },
        ...{ createdOn: now, lastSuccessOn: null, isCallback: true, isRemoved: false },
        types: ["OutboundMessageStatusChanged", "CallStatusChangedWebhook"],
      });
    }
  }

  anAccount(): string {
    return this.chance.oneOf(this.accounts as [string, ...string[]]);
  }

  some<Item>(items: Iterable<Item>, share: number): readonly Item[] {
    return [...items].filter(() => this.chance.happens(share));
  }

  /** Weeks pass, and the records of old ones are dropped. */
  async retain(): Promise<void> {
    const now = this.pass(this.chance.integer(5, 20) * DAY);
    const keepDays = this.chance.integer(1, 15);
    await tendPartitions({ db: this.store.db, now, keepDays });
    this.model.forget(new Date(now.getTime() - keepDays * DAY));
  }
}

/** A disagreement between the store and the model, other than of a reader. */
export function mustHold(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(`the store and the model disagree: ${what}`);
}
