// What the sender decides, as a machine without I/O: which messages wait in memory, which leave next over which link,
// and which of the records of submits are finished. `Sender` feeds it and carries out what it decides.
//
//   accepted ──stored, no link──▶ waiting ──nextSubmit──▶ beginning ──begun──▶ submitted ──written──▶ gone
//      │                          ▲  ▲                        │                    │
//      │   loaded from the queue ─┘  └───────notBegun─────────┘◀───────untaken─────┘
//      └─────stored, with a link─────────────────────────────────────▶ submitted
//
// Guarantees, for any inputs in any order: accounts share a link fairly, by segments (base/fair-queue.ts); within an
// account the most urgent message leaves first; messages with the same account, priority, sender and recipient leave in
// order, over one link while that is up; a message is in one state only; everything is bounded.
//
// Messages that are not in memory wait in the database. `more` names the accounts that have such messages: a new
// message of theirs stays there too, behind the others.

import { FairQueue } from "../../base/fair-queue.ts";
import { mustBeJudged } from "./judge-sending.ts";
import type {
  LoadedKeys,
  LoadOrder,
  Outgoing,
  SendingLink,
  SettledMessage,
  Submit,
  SubmitOutcome,
  WaitingKey,
} from "./ports.ts";
import { linksOfShards, type Place, type Placer, type Route, SHARDS } from "./routing.ts";

/** A message that is about to be stored. With a submit it is stored as leaving, otherwise as waiting in its place. */
export interface Assigned {
  readonly message: Outgoing;
  readonly place: Place;
  readonly submit: Pick<Submit, "number" | "link"> | undefined;
}

/** A message that leaves now. */
export interface Leaving {
  readonly message: Outgoing;
  readonly link: SendingLink;
}

interface LinkState {
  readonly waiting: FairQueue<Outgoing>;
  /** Messages that are being stored as leaving over it, or begun. They count against its capacity. */
  reserved: number;
  /** The same by account. */
  readonly reservedBy: Map<string, number>;
  /** One submit is begun at a time, so that messages leave in order. */
  isBeginning: boolean;
}

interface RouteState {
  readonly route: Route<SendingLink>;
  /** The link of each shard, and the links that were up when they were chosen. */
  links: readonly (SendingLink | undefined)[];
  upNames: string;
  /** Ready messages may wait in the database. */
  isQueued: boolean;
  /** Some of them may be of an account that has none in memory: they are loaded even if the links have enough to do. */
  isFresh: boolean;
  /** All that a load found was in memory already: the next one waits until some of it has been begun. */
  isExhausted: boolean;
  /** The account after which loading goes on. */
  after: string;
  /** Accounts with messages that are not in memory. */
  readonly more: Set<string>;
  /** Those of them that got another one since the last load began. */
  readonly added: Set<string>;
}

interface OpenSubmit {
  readonly link: SendingLink;
  /** How many of its messages are not settled. */
  open: number;
}

const PRIORITIES = 4;
/** Below this, more messages are loaded for a link. */
const WAITING_LOW = 1_000;
/** Above this, newly accepted messages for a link wait in the database. */
const WAITING_MAX = 4_000;
const SUBMITTED_TOGETHER_MAX = 500;

export class SendFlow {
  readonly #placer: Placer;
  readonly #links: ReadonlyMap<SendingLink, LinkState>;
  /** Those that have links, by their keys. */
  readonly #routes: ReadonlyMap<string, RouteState>;
  /** Messages in memory, until they are settled. */
  readonly #held = new Set<string>();
  /** By number: those that are being stored or begun, and those with messages that are not settled. */
  readonly #submits = new Map<number, OpenSubmit>();
  /** The number of the submit of each message that was given to a link. */
  readonly #numbers = new Map<string, number>();
  #lastNumber = 0;

  constructor(placer: Placer, routes: ReadonlyMap<string, Route<SendingLink>>) {
    this.#placer = placer;
    const links = new Set([...routes.values()].flatMap((route) => route.links.map(({ link }) => link)));
    this.#links = new Map([...links].map((link) => [link, newLinkState()]));
    const linked = [...routes].filter(([, route]) => route.links.length > 0);
    this.#routes = new Map(linked.map(([key, route]) => [key, newRouteState(route)]));
  }

  /** A submit is being stored or begun, or has messages that are not settled. */
  isOpen(number: number): boolean {
    return this.#submits.has(number);
  }

  /** Nothing is being stored, begun or sent. */
  get isIdle(): boolean {
    return this.#submits.size === 0;
  }

  // Messages that are being accepted.

  /** Decides which of these may leave as soon as they are stored. Must be followed by `stored` or `notStored`. */
  assign(messages: readonly Outgoing[], now: Date): readonly Assigned[] {
    this.#followLinks();
    const submits = new Map<SendingLink, Assigned["submit"]>();
    return messages.map((message) => {
      const place = this.#placer.placeOf(message);
      const link = this.#linkAt(place);
      if (!link || !this.#mayLeave(message, place, link, now)) return { message, place, submit: undefined };
      let submit = submits.get(link);
      if (!submit) {
        submit = { number: this.#openSubmit(link), link };
        submits.set(link, submit);
      }
      (this.#submits.get(submit.number) as OpenSubmit).open++;
      reserve(this.#stateOf(link), message, 1);
      return { message, place, submit };
    });
  }

  /** Returns those that leave now; the others wait. */
  stored(assigned: readonly Assigned[]): readonly Leaving[] {
    const leaving: Leaving[] = [];
    for (const { message, place, submit } of assigned) {
      if (!submit) {
        this.#keep(message, place);
        continue;
      }
      const { link } = this.#submits.get(submit.number) as OpenSubmit;
      reserve(this.#stateOf(link), message, -1);
      this.#held.add(message.sid);
      this.#numbers.set(message.sid, submit.number);
      leaving.push({ message, link });
    }
    return leaving;
  }

  /** They are not stored, or not as leaving, or nobody knows. No octet of them has left. */
  notStored(assigned: readonly Assigned[]): void {
    for (const { message, submit } of assigned) {
      if (!submit) continue;
      const open = this.#submits.get(submit.number) as OpenSubmit;
      reserve(this.#stateOf(open.link), message, -1);
      if (--open.open === 0) this.#submits.delete(submit.number);
    }
  }

  // Messages that wait in the database.

  /** These routes have ready messages. */
  queued(routes: readonly string[]): void {
    for (const key of routes) {
      const state = this.#routes.get(key);
      if (!state) continue;
      askForMore(state);
    }
  }

  /** Whether `nextLoad` may have something. */
  get mayLoad(): boolean {
    for (const state of this.#routes.values()) if (state.isQueued && !state.isExhausted) return true;
    return false;
  }

  /** What to load next. Must be followed by `loaded`. */
  nextLoad(): LoadOrder | undefined {
    this.#followLinks();
    for (const [route, state] of this.#routes) {
      if (!state.isQueued || state.isExhausted) continue;
      const shards = [...state.links.keys()].filter((shard) => state.isFresh || this.#hasLittle(state.links[shard]));
      if (shards.length === 0) continue;
      state.isFresh = false;
      if (state.after === "") state.isQueued = false;
      state.added.clear();
      return { route, shards, after: state.after };
    }
    return undefined;
  }

  #hasLittle(link: SendingLink | undefined): boolean {
    return link !== undefined && this.#stateOf(link).waiting.length < WAITING_LOW;
  }

  /** Those that are not in memory. */
  missing(keys: readonly WaitingKey[]): readonly WaitingKey[] {
    return keys.filter(({ sid }) => !this.#held.has(sid));
  }

  /** Returns whether another load may bring more now. */
  loaded(order: LoadOrder, { keys, perAccount, last }: LoadedKeys, messages: readonly Outgoing[]): boolean {
    const state = this.#routes.get(order.route) as RouteState;
    const counts = new Map<string, number>();
    for (const { accountSid } of keys) counts.set(accountSid, (counts.get(accountSid) ?? 0) + 1);
    const hasMore = (account: string) => (counts.get(account) ?? 0) >= perAccount || state.added.has(account);
    if (order.shards.length === SHARDS) {
      const wasRead = (account: string) => account > order.after && (last === undefined || account <= last);
      for (const account of state.more) if (wasRead(account) && !hasMore(account)) state.more.delete(account);
    }
    for (const account of counts.keys()) {
      if (!hasMore(account)) continue;
      state.more.add(account);
      state.isQueued = true;
    }
    state.after = last ?? "";
    if (last !== undefined) [state.isQueued, state.isFresh] = [true, true];
    let isNew = false;
    for (const message of messages) {
      if (this.#held.has(message.sid)) continue;
      this.#put(message, this.#placer.placeOf(message));
      isNew = true;
    }
    state.isExhausted = !isNew && last === undefined;
    return !state.isExhausted;
  }

  // Messages that leave.

  /** The messages that a link takes next. Must be followed by `begun` or `notBegun`. */
  nextSubmit(): (Submit & { readonly link: SendingLink }) | undefined {
    this.#followLinks();
    for (const [link, state] of this.#links) {
      if (state.isBeginning || state.waiting.length === 0) continue;
      const count = Math.min(link.capacity() - state.reserved, SUBMITTED_TOGETHER_MAX);
      const messages = this.#takeWaiting(link, state, count);
      if (messages.length === 0) continue;
      state.isBeginning = true;
      const number = this.#openSubmit(link);
      (this.#submits.get(number) as OpenSubmit).open = messages.length;
      return { number, link, messages };
    }
    return undefined;
  }

  /** Takes the next messages and reserves capacity for them, leaving out accounts for which the link has no room. */
  #takeWaiting(link: SendingLink, state: LinkState, countMax: number): readonly Outgoing[] {
    const { waiting } = state;
    const messages: Outgoing[] = [];
    const leftOut: string[] = [];
    while (messages.length < countMax) {
      const account = waiting.next;
      if (account === undefined) break;
      if (!hasRoom(link, state, account)) {
        waiting.pause(account);
        leftOut.push(account);
        continue;
      }
      const message = waiting.shift() as Outgoing;
      reserve(state, message, 1);
      messages.push(message);
      if (waiting.lengthOf(account) === 0) this.#ranDry(message);
    }
    for (const account of leftOut) waiting.resume(account);
    return messages;
  }

  /** Returns those that leave now. The others no longer wait, or wait for a later time. */
  begun(submit: Submit, sids: ReadonlySet<string>): readonly Leaving[] {
    const open = this.#endBeginning(submit);
    for (const state of this.#routes.values()) state.isExhausted = false;
    const leaving: Leaving[] = [];
    for (const message of submit.messages) {
      if (!sids.has(message.sid)) {
        this.#held.delete(message.sid);
        continue;
      }
      this.#numbers.set(message.sid, submit.number);
      leaving.push({ message, link: open.link });
    }
    open.open = leaving.length;
    if (open.open === 0) this.#submits.delete(submit.number);
    return leaving;
  }

  /** They could not be begun: no octet has left, and the record of this submit is given back. They are begun again. */
  notBegun(submit: Submit): void {
    this.#endBeginning(submit);
    this.#submits.delete(submit.number);
    for (const message of submit.messages.toReversed()) this.#putFirst(message);
  }

  /** The submits whose messages are all settled once these are. */
  finishedBy(batch: readonly SettledMessage[]): readonly number[] {
    const counts = new Map<number, number>();
    for (const { message } of batch) {
      const number = this.#numbers.get(message.sid);
      if (number !== undefined) counts.set(number, (counts.get(number) ?? 0) + 1);
    }
    return [...counts].filter(([number, count]) => this.#submits.get(number)?.open === count).map(([number]) => number);
  }

  /** Their outcomes are stored. Those that no carrier took wait again, before all others of their account. */
  written(batch: readonly SettledMessage[]): void {
    for (const { message } of batch) this.#settle(message.sid);
    const untaken = batch.filter(({ outcome }) => isUntaken(outcome));
    for (const { message } of untaken.toReversed()) {
      this.#held.add(message.sid);
      this.#putFirst(message);
    }
  }

  /** Their outcomes will not be stored. */
  forget(batch: readonly SettledMessage[]): void {
    for (const { message } of batch) this.#settle(message.sid);
  }

  /** Forgets the messages that wait: they wait in the database. */
  close(): void {
    for (const { waiting } of this.#links.values()) for (const { sid } of waiting.drain()) this.#held.delete(sid);
    for (const state of this.#routes.values()) state.isQueued = false;
  }

  #settle(sid: string): void {
    const number = this.#numbers.get(sid);
    const open = number === undefined ? undefined : this.#submits.get(number);
    if (number !== undefined && open && --open.open === 0) this.#submits.delete(number);
    this.#numbers.delete(sid);
    this.#held.delete(sid);
  }

  #mayLeave(message: Outgoing, place: Place, link: SendingLink, now: Date): boolean {
    const state = this.#stateOf(link);
    const { waiting, reserved, isBeginning } = state;
    return (
      !mustBeJudged(message, now) &&
      message.expiresOn > now &&
      waiting.length === 0 &&
      !isBeginning &&
      !this.#held.has(message.sid) &&
      !this.#routes.get(place.route)?.more.has(message.accountSid) &&
      link.capacity() > reserved &&
      hasRoom(link, state, message.accountSid)
    );
  }

  /** Keeps a message that was stored as waiting in memory, unless others of its account wait in the database. */
  #keep(message: Outgoing, place: Place): void {
    const [state, link] = [this.#routes.get(place.route), this.#linkAt(place)];
    if (!state || !link || this.#held.has(message.sid)) return;
    const { accountSid } = message;
    if (!state.more.has(accountSid) && this.#stateOf(link).waiting.length < WAITING_MAX) this.#put(message, place);
    else {
      state.more.add(accountSid);
      state.added.add(accountSid);
      if (this.#stateOf(link).waiting.lengthOf(accountSid) === 0) askForMore(state);
    }
  }

  /** The account has no message in memory any more: if it has others, they are loaded, so that it keeps its turns. */
  #ranDry(message: Outgoing): void {
    const state = this.#routes.get(this.#placer.placeOf(message).route);
    if (state?.more.has(message.accountSid)) askForMore(state);
  }

  #put(message: Outgoing, place: Place): void {
    const link = this.#linkAt(place);
    if (!link) return;
    this.#held.add(message.sid);
    this.#stateOf(link).waiting.push(message.accountSid, message, message.priority);
  }

  #putFirst(message: Outgoing): void {
    const link = this.#linkAt(this.#placer.placeOf(message));
    if (!link) return void this.#held.delete(message.sid);
    this.#stateOf(link).waiting.unshift(message.accountSid, message, message.priority);
  }

  #openSubmit(link: SendingLink): number {
    const number = ++this.#lastNumber;
    this.#submits.set(number, { link, open: 0 });
    return number;
  }

  #endBeginning({ number, messages }: Submit): OpenSubmit {
    const open = this.#submits.get(number) as OpenSubmit;
    const state = this.#stateOf(open.link);
    for (const message of messages) reserve(state, message, -1);
    state.isBeginning = false;
    return open;
  }

  #stateOf(link: SendingLink): LinkState {
    return this.#links.get(link) as LinkState;
  }

  #linkAt({ route, shard }: Place): SendingLink | undefined {
    return this.#routes.get(route)?.links[shard];
  }

  /** Moves the shards of links that went down to others, and those of links that came up back. */
  #followLinks(): void {
    const moved = new Set<SendingLink>();
    for (const state of this.#routes.values()) {
      const { links } = state.route;
      const up = links.filter(({ link }) => link.isUp);
      const upNames = up.map(({ link }) => link.name).join(" ");
      if (upNames === state.upNames) continue;
      state.upNames = upNames;
      state.links = linksOfShards(up.length > 0 ? up : links);
      for (const { link } of links) moved.add(link);
    }
    const waiting = [...moved].flatMap((link) => this.#stateOf(link).waiting.drain());
    for (const message of waiting) this.#put(message, this.#placer.placeOf(message));
  }
}

function newLinkState(): LinkState {
  const waiting = new FairQueue<Outgoing>({ levels: PRIORITIES, costOf: ({ segmentCount }) => segmentCount });
  return { waiting, reserved: 0, reservedBy: new Map(), isBeginning: false };
}

function newRouteState(route: Route<SendingLink>): RouteState {
  const upNames = "";
  return {
    route,
    links: linksOfShards(route.links),
    upNames,
    isQueued: true,
    isFresh: true,
    isExhausted: false,
    after: "",
    more: new Set(),
    added: new Set(),
  };
}

function reserve(state: LinkState, { accountSid }: Outgoing, count: 1 | -1): void {
  const reserved = (state.reservedBy.get(accountSid) ?? 0) + count;
  if (reserved === 0) state.reservedBy.delete(accountSid);
  else state.reservedBy.set(accountSid, reserved);
  state.reserved += count;
}

function hasRoom(link: SendingLink, state: LinkState, account: string): boolean {
  const room = link.roomFor?.(account);
  return room === undefined || room > (state.reservedBy.get(account) ?? 0);
}

function askForMore(state: RouteState): void {
  state.isQueued = true;
  state.isFresh = true;
  state.isExhausted = false;
}

/** No carrier took the message: it may be sent again. */
export function isUntaken(
  outcome: SubmitOutcome,
): outcome is Extract<SubmitOutcome, { kind: "throttled" | "notSent" }> {
  return outcome.kind === "throttled" || outcome.kind === "notSent";
}
