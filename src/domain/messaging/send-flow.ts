// What the sender decides, as a machine without I/O: which messages wait in memory, which leave next over which link,
// and which of the records of submits are finished. `Sender` feeds it and carries out what it decides.
//
//   accepted ──stored, no link──▶ waiting ──nextSubmit──▶ beginning ──begun──▶ submitted ──written──▶ gone
//      │                          ▲  ▲                        │                    │
//      │   loaded from the queue ─┘  └───────notBegun─────────┘◀───────untaken─────┘
//      └─────stored, with a link─────────────────────────────────────▶ submitted
//
// Guarantees, for any inputs in any order: accounts share a link by segments and weight (base/fair-queue.ts); within an
// account the most urgent message leaves first; what this process accepts of one account and priority, from one number
// to another, leaves in order, over one link while that is up; a message is in one state only; everything is bounded.
//
// Messages that are not in memory wait in the database, and are loaded for each link: in rounds over all accounts when
// the link has little left to do, and when asked to; otherwise for accounts that ran dry. `more` names the accounts
// that have such messages: a new message of theirs stays there too, behind the others.

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
import { linksOfShards, type Place, type Placer, type Route } from "./routing.ts";

/** A message that is about to be stored. With a submit it is stored as leaving, otherwise as waiting in its place. */
export interface Assigned {
  readonly message: Outgoing;
  readonly place: Place;
  readonly submit: Pick<Submit, "number" | "link"> | undefined;
}

/** A message that leaves now. */
export interface Leaving {
  readonly message: Outgoing;
  /** The number of its submit. */
  readonly submit: number;
  readonly link: SendingLink;
}

interface LinkState {
  readonly waiting: FairQueue<Outgoing>;
  /** Segments of messages that are being stored as leaving over it, or begun. They count against its capacity. */
  reserved: number;
  /** The number of these messages by account. */
  readonly reservedBy: Map<string, number>;
  /** One submit is begun at a time, so that messages leave in order. */
  isBeginning: boolean;
  /** Messages that the carrier did not take, until they wait again. What left meanwhile would overtake them. */
  returning: number;
}

interface RouteState {
  readonly route: Route<SendingLink>;
  /** The link of each shard, and the links that were up when they were chosen. */
  links: readonly (SendingLink | undefined)[];
  upNames: string;
  /** What is loaded of this route, for each link that has shards of it. */
  loads: ReadonlyMap<SendingLink, LoadState>;
}

interface LoadState {
  readonly shards: readonly number[];
  /** Ready messages may wait in the database. */
  isQueued: boolean;
  /** A round over all accounts was asked for, or is under way: it is made even if the link has enough to do. */
  isAsked: boolean;
  /** All that a round found was in memory already: the next one waits until some of it has been begun. */
  isExhausted: boolean;
  /** Counts the reasons for another load, to notice those that come while one is under way. */
  reasons: number;
  reasonsAtLoad: number;
  /** The account after which the round goes on. */
  after: string;
  /** Accounts with messages that are not in memory. */
  readonly more: Set<string>;
  /** Those of them that got another one since the last load began. */
  readonly added: Set<string>;
  /** Those of them that have none left in memory. */
  readonly dry: Set<string>;
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
/** So many are loaded by name; if more have run dry, a round finds them. */
const DRY_MAX = 1_000;

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
  #lastLoad: LoadState | undefined;

  constructor(
    placer: Placer,
    routes: ReadonlyMap<string, Route<SendingLink>>,
    weightOf: (accountSid: string) => number,
  ) {
    this.#placer = placer;
    const links = new Set([...routes.values()].flatMap((route) => route.links.map(({ link }) => link)));
    this.#links = new Map([...links].map((link) => [link, newLinkState(weightOf)]));
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
      leaving.push({ message, submit: submit.number, link });
    }
    return leaving;
  }

  /** They are not stored, or not as leaving, or that is unknown. No octet of them has left. */
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
    for (const key of routes) for (const load of this.#routes.get(key)?.loads.values() ?? []) askForRound(load);
  }

  /** What to load next, for each link in turn. Must be followed by `loaded` or `notLoaded`. */
  nextLoad(): LoadOrder | undefined {
    this.#followLinks();
    const all = [...this.#routes].flatMap(([route, { loads }]) =>
      [...loads].map(([link, load]) => ({ route, link, load })),
    );
    const first = all.findIndex(({ load }) => load === this.#lastLoad) + 1;
    for (const { route, link, load } of [...all.slice(first), ...all.slice(0, first)]) {
      const order = this.#orderFor(route, link, load);
      if (!order) continue;
      this.#lastLoad = load;
      load.reasonsAtLoad = load.reasons;
      load.added.clear();
      // The first page of a round, or the accounts by name: later pages may not have all of them.
      if (!order.after) load.dry.clear();
      return order;
    }
    return undefined;
  }

  #orderFor(route: string, link: SendingLink, load: LoadState): LoadOrder | undefined {
    const { shards, after, dry } = load;
    const hasLittle = this.#stateOf(link).waiting.length < WAITING_LOW;
    if (load.isQueued && !load.isExhausted && (load.isAsked || hasLittle)) {
      if (after === "") [load.isQueued, load.isAsked] = [false, false];
      return { route, shards, after };
    }
    return dry.size > 0 ? { route, shards, accounts: [...dry] } : undefined;
  }

  /** Those that are not in memory. */
  missing(keys: readonly WaitingKey[]): readonly WaitingKey[] {
    return keys.filter(({ sid }) => !this.#held.has(sid));
  }

  /** Returns whether another load may bring more now. */
  loaded(order: LoadOrder, { keys, perAccount, last }: LoadedKeys, messages: readonly Outgoing[]): boolean {
    let isNew = false;
    for (const message of messages) {
      if (this.#held.has(message.sid)) continue;
      this.#put(message, this.#placer.placeOf(message));
      isNew = true;
    }
    const load = this.#loadOf(order);
    // The links of the shards have changed meanwhile: loading has begun anew.
    if (!load) return true;
    const counts = new Map<string, number>();
    for (const { accountSid } of keys) counts.set(accountSid, (counts.get(accountSid) ?? 0) + 1);
    const hasMore = (account: string) => (counts.get(account) ?? 0) >= perAccount || load.added.has(account);
    for (const account of order.accounts ?? load.more)
      if (wasRead(order, last, account) && !hasMore(account)) load.more.delete(account);
    for (const account of counts.keys()) {
      if (!hasMore(account)) continue;
      load.more.add(account);
      load.isQueued = true;
    }
    if (order.accounts) return isNew;
    load.after = last ?? "";
    if (last !== undefined) [load.isQueued, load.isAsked] = [true, true];
    load.isExhausted = !isNew && last === undefined && load.reasons === load.reasonsAtLoad;
    return !load.isExhausted;
  }

  notLoaded(order: LoadOrder): void {
    const load = this.#loadOf(order);
    if (load) askForRound(load);
  }

  #loadOf({ route, shards }: LoadOrder): LoadState | undefined {
    for (const load of this.#routes.get(route)?.loads.values() ?? []) if (load.shards === shards) return load;
    return undefined;
  }

  // Messages that leave.

  /** The messages that a link takes next. Must be followed by `begun` or `notBegun`. */
  nextSubmit(): (Submit & { readonly link: SendingLink }) | undefined {
    this.#followLinks();
    for (const [link, state] of this.#links) {
      if (state.isBeginning || state.returning > 0 || state.waiting.length === 0) continue;
      const messages = this.#takeWaiting(link, state, link.capacity() - state.reserved);
      if (messages.length === 0) continue;
      state.isBeginning = true;
      const number = this.#openSubmit(link);
      (this.#submits.get(number) as OpenSubmit).open = messages.length;
      return { number, link, messages };
    }
    return undefined;
  }

  /** Takes the next messages and reserves capacity for them, leaving out accounts for which the link has no room. */
  #takeWaiting(link: SendingLink, state: LinkState, capacity: number): readonly Outgoing[] {
    const { waiting } = state;
    const messages: Outgoing[] = [];
    const leftOut: string[] = [];
    for (let left = capacity; left > 0 && messages.length < SUBMITTED_TOGETHER_MAX; ) {
      const account = waiting.next;
      if (account === undefined) break;
      if (!hasRoom(link, state, account)) {
        waiting.pause(account);
        leftOut.push(account);
        continue;
      }
      const message = waiting.shift() as Outgoing;
      reserve(state, message, 1);
      left -= message.segmentCount;
      messages.push(message);
    }
    for (const account of leftOut) waiting.resume(account);
    return messages;
  }

  /** Returns those that leave now. The others no longer wait, or wait for a later time. */
  begun(submit: Submit, sids: ReadonlySet<string>): readonly Leaving[] {
    const open = this.#endBeginning(submit);
    for (const { loads } of this.#routes.values()) for (const load of loads.values()) letLoad(load);
    const { waiting } = this.#stateOf(open.link);
    const leaving: Leaving[] = [];
    for (const message of submit.messages) {
      // Not before: a load would have found those that were being begun.
      if (waiting.lengthOf(message.accountSid) === 0) this.#ranDry(message, open.link);
      if (!sids.has(message.sid)) {
        this.#held.delete(message.sid);
        continue;
      }
      this.#numbers.set(message.sid, submit.number);
      leaving.push({ message, submit: submit.number, link: open.link });
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

  /** The carrier has answered. Until the outcome is written, nothing overtakes a message that was not taken. */
  answered(link: SendingLink, outcome: SubmitOutcome): void {
    if (isUntaken(outcome)) this.#stateOf(link).returning++;
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
    for (const { message } of batch.filter(({ outcome }) => isUntaken(outcome)).toReversed()) {
      this.#stateOf(this.#submitOf(message).link).returning--;
      this.#putFirst(message);
    }
    for (const { message, outcome } of batch) {
      this.#settle(message.sid);
      if (isUntaken(outcome)) this.#held.add(message.sid);
    }
  }

  /** Their outcomes will not be stored. */
  forget(batch: readonly SettledMessage[]): void {
    for (const { message } of batch) this.#settle(message.sid);
  }

  /** Forgets the messages that wait: they wait in the database. */
  close(): void {
    for (const { waiting } of this.#links.values()) for (const { sid } of waiting.drain()) this.#held.delete(sid);
    for (const state of this.#routes.values()) state.loads = new Map();
  }

  #submitOf({ sid }: Outgoing): OpenSubmit {
    return this.#submits.get(this.#numbers.get(sid) as number) as OpenSubmit;
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
    const { waiting, reserved, isBeginning, returning } = state;
    return (
      !mustBeJudged(message, now) &&
      message.expiresOn > now &&
      waiting.length === 0 &&
      !isBeginning &&
      returning === 0 &&
      !this.#routes.get(place.route)?.loads.get(link)?.more.has(message.accountSid) &&
      link.capacity() > reserved &&
      hasRoom(link, state, message.accountSid)
    );
  }

  /** Keeps a message that was stored as waiting in memory, unless others of its account wait in the database. */
  #keep(message: Outgoing, place: Place): void {
    const link = this.#linkAt(place);
    const load = link && this.#routes.get(place.route)?.loads.get(link);
    if (!load || this.#held.has(message.sid)) return;
    const { waiting } = this.#stateOf(link);
    const { accountSid } = message;
    if (!load.more.has(accountSid) && waiting.length < WAITING_MAX) this.#put(message, place);
    else {
      load.more.add(accountSid);
      load.added.add(accountSid);
      load.isQueued = true;
      if (waiting.lengthOf(accountSid) === 0) markDry(load, accountSid);
    }
  }

  /** The account has no message in memory any more: if it has others, they are loaded, so that it keeps its turns. */
  #ranDry(message: Outgoing, link: SendingLink): void {
    const load = this.#routes.get(this.#placer.placeOf(message).route)?.loads.get(link);
    if (load?.more.has(message.accountSid)) markDry(load, message.accountSid);
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
      const more = [...state.loads.values()].flatMap((load) => [...load.more]);
      state.upNames = upNames;
      state.links = linksOfShards(up.length > 0 ? up : links);
      state.loads = newLoads(state.links, more);
      for (const { link } of links) moved.add(link);
    }
    const waiting = [...moved].flatMap((link) => this.#stateOf(link).waiting.drain());
    for (const message of waiting) this.#put(message, this.#placer.placeOf(message));
  }
}

function newLinkState(weightOf: (accountSid: string) => number): LinkState {
  const costOf = ({ segmentCount }: Outgoing) => segmentCount;
  const waiting = new FairQueue<Outgoing>({ levels: PRIORITIES, costOf, weightOf });
  return { waiting, reserved: 0, reservedBy: new Map(), isBeginning: false, returning: 0 };
}

function newRouteState(route: Route<SendingLink>): RouteState {
  const links = linksOfShards(route.links);
  return { route, links, upNames: "", loads: newLoads(links, []) };
}

/** `more`: accounts that have messages in the database, for whichever of these links. */
function newLoads(
  links: readonly (SendingLink | undefined)[],
  more: readonly string[],
): ReadonlyMap<SendingLink, LoadState> {
  const loads = new Map<SendingLink, LoadState>();
  for (const link of new Set(links)) {
    if (!link) continue;
    loads.set(link, {
      shards: [...links.keys()].filter((shard) => links[shard] === link),
      isQueued: true,
      isAsked: true,
      isExhausted: false,
      reasons: 0,
      reasonsAtLoad: 0,
      after: "",
      more: new Set(more),
      added: new Set(),
      dry: new Set(),
    });
  }
  return loads;
}

/** Whether the load has read the first messages of this account, which is one of `accounts` if those were ordered. */
function wasRead({ after = "", accounts }: LoadOrder, last: string | undefined, account: string): boolean {
  return accounts !== undefined || (account > after && (last === undefined || account <= last));
}

function reserve(state: LinkState, { accountSid, segmentCount }: Outgoing, count: 1 | -1): void {
  const reserved = (state.reservedBy.get(accountSid) ?? 0) + count;
  if (reserved === 0) state.reservedBy.delete(accountSid);
  else state.reservedBy.set(accountSid, reserved);
  state.reserved += count * segmentCount;
}

function hasRoom(link: SendingLink, state: LinkState, account: string): boolean {
  const room = link.roomFor?.(account);
  return room === undefined || room > (state.reservedBy.get(account) ?? 0);
}

function askForRound(load: LoadState): void {
  load.isQueued = true;
  load.isAsked = true;
  letLoad(load);
}

function markDry(load: LoadState, account: string): void {
  if (load.dry.size < DRY_MAX) load.dry.add(account);
  else load.isAsked = true;
  letLoad(load);
}

function letLoad(load: LoadState): void {
  load.isExhausted = false;
  load.reasons++;
}

/** No carrier took the message: it may be sent again. */
export function isUntaken(
  outcome: SubmitOutcome,
): outcome is Extract<SubmitOutcome, { kind: "throttled" | "notSent" }> {
  return outcome.kind === "throttled" || outcome.kind === "notSent";
}
