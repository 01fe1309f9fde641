// Keeps what is on the screen up to date with the events of the stream: sent messages are patched in their lists, and
// what an event does not say is read again.
//
// Guarantees: a burst of events is one round, and the next round waits for the answers to it, so that a busy server
// does not get the same requests repeatedly. A list that has not shown a message is read again for it once, not for
// each of its events. An answer that was read before an event, and arrives after it, does not put a row back; if it is
// the first of its query, it is asked for again. A tab that is not visible reads nothing (`readAgain`).

import type { AccountEvent, OutboundMessage } from "@tandem/sdk";
import type { Query, QueryKey } from "@tanstack/react-query";
import { hasEndedBadly, patched, patchOf } from "./message-patches.ts";
import { queries, readAgain } from "./queries.ts";
import type { Session } from "./session.ts";

const EVERY_MS = 400;
/** Lists read again for a message, remembered at most. */
const ASKED_MAX = 2_000;
/** Messages of which the newest event is remembered, at most twice as many. */
const PATCHED_MAX = 1_000;

/** Lists of sent messages: rows, or pages of rows, that are patched. */
export const SENT = ["messages", "sent"] as const;
/** What only received messages change. */
export const RECEIVED = ["messages", "received"] as const;

const isBelow = (key: QueryKey, parent: QueryKey): boolean => parent.every((part, at) => key[at] === part);

interface Change {
  /** Queries whose keys begin with one of these nouns are read again. */
  readonly nouns: readonly string[];
  /** Except these, which the event says nothing about. */
  readonly except?: QueryKey;
}

/** Operators' lists of messages and calls would always be stale: a timer reads them again instead. */
function changeOf({ type }: AccountEvent, patch: Partial<OutboundMessage> | undefined, kind: Session["kind"]): Change {
  if (kind === "Operator" && /Message|Call/.test(type)) return { nouns: [] };
  if (patch)
    return { nouns: ["messages", "traffic", ...(hasEndedBadly(patch) ? ["attention"] : [])], except: RECEIVED };
  if (/Message/.test(type)) return { nouns: ["messages", "traffic"], except: SENT };
  if (/Conference/.test(type)) return { nouns: kind === "Account" ? ["conferences"] : [] };
  if (/Recording/.test(type)) return { nouns: ["calls", "conferences", "attention", "traffic"] };
  if (/Call/.test(type)) return { nouns: ["calls", "attention", "traffic"] };
  if (/Campaign|Migration/.test(type)) return { nouns: ["campaigns", "configs", "migrations", "phones", "attention"] };
  if (/Port|Phone|Number/.test(type)) return { nouns: ["phones", "ports", "migrations", "attention"] };
  return { nouns: ["attention"] };
}

class Freshness {
  #changes: Change[] = [];
  #patches = new Map<string, Partial<OutboundMessage>>();
  /** Those of the rounds before, for answers that know less. */
  #known = new Map<string, Partial<OutboundMessage>>();
  readonly #asked = new Set<string>();
  #timer: number | undefined;

  constructor() {
    queries.getQueryCache().subscribe((event) => {
      const isAnswer = event.type === "updated" && event.action.type === "success" && !event.action.manual;
      if (isAnswer && isBelow(event.query.queryKey, SENT)) patchIn(event.query, this.#known);
    });
  }

  take(event: AccountEvent, kind: Session["kind"]): void {
    const patch = kind === "Account" ? patchOf(event) : undefined;
    if (patch?.sid !== undefined) this.#patches.set(patch.sid, patch);
    this.#changes.push(changeOf(event, patch, kind));
    this.#soon();
  }

  #soon(): void {
    this.#timer ??= window.setTimeout(() => void this.#round(), EVERY_MS);
  }

  async #round(): Promise<void> {
    const [changes, patches] = [this.#changes, this.#patches];
    [this.#changes, this.#patches] = [[], new Map()];
    const lacking = patches.size === 0 ? [] : this.#patch(patches);
    this.#remember(patches);
    await readAgain((query) => lacking.includes(query) || changes.some((change) => isChanged(query.queryKey, change)));
    this.#timer = undefined;
    if (this.#changes.length > 0) this.#soon();
  }

  #remember(patches: ReadonlyMap<string, Partial<OutboundMessage>>): void {
    const before = [...this.#known].filter(([sid]) => !patches.has(sid));
    this.#known = new Map([...before.slice(-PATCHED_MAX), ...[...patches].slice(-PATCHED_MAX)]);
  }

  /** Patches the lists; returns those that must be read again. */
  #patch(patches: ReadonlyMap<string, Partial<OutboundMessage>>): readonly Query[] {
    return queries
      .getQueryCache()
      .findAll({ queryKey: SENT })
      .filter((query) => {
        const found = patchIn(query, patches);
        const news = [...patches].filter(
          ([sid, patch]) => hasEndedBadly(patch) || isByStatus(query.queryKey) || this.#isNew(query, sid, found),
        );
        return news.length > 0;
      });
  }

  #isNew({ queryHash }: Query, sid: string, found: ReadonlySet<string>): boolean {
    const asked = `${queryHash} ${sid}`;
    if (found.has(sid) || this.#asked.has(asked)) return false;
    if (this.#asked.size >= ASKED_MAX) this.#asked.clear();
    this.#asked.add(asked);
    return true;
  }
}

function isChanged(key: QueryKey, { nouns, except }: Change): boolean {
  return nouns.some((noun) => key[0] === noun) && !isBelow(key, except ?? [null]) && !isBelow(key, SENT);
}

/** A list that is filtered so: with each status a message may enter or leave it. */
const isByStatus = (key: QueryKey): boolean => key.some((part) => typeof part === "string" && /\bstatus:/i.test(part));

/** Returns which of the messages the query has. */
function patchIn(query: Query, patches: ReadonlyMap<string, Partial<OutboundMessage>>): ReadonlySet<string> {
  const found = new Set<string>();
  const { data, dataUpdatedAt: updatedAt } = query.state;
  const next = patched(data, patches, found);
  if (next !== data) queries.setQueryData(query.queryKey, next, { updatedAt });
  return found;
}

export const freshness = new Freshness();
