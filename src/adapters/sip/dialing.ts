// Dials one leg: tries trunks and addresses one after another until one of them gives a decisive answer.
//
//   waiting for a name ⇄ inviting (one attempt at a time) → up → over
//
// Guarantees: at most one attempt rings at a time; an abandoned attempt is canceled, and ended if it is answered
// nevertheless. Failover happens on 5xx and silence, redirections (302) are followed within bounds, and the leg ends
// with exactly one `refused` or `ended`.

import { isIP } from "node:net";
import { type MediaWishes, mediaWishesOf } from "../../../rules/call-destination.ts";
import { hostText, parseUri, type SipUri, transportOf } from "../../../rules/sip-uri.ts";
import type { Log } from "../../base/log.ts";
import type { DialOrder, MediaTerms, SignallingInput } from "../../domain/voice/ports.ts";
import { type LegEvent, newCaller } from "../../wire/sip/leg-state.ts";
import { contactsOf, type SipMessage } from "../../wire/sip/message.ts";
import type { Binding } from "../../wire/sip/registrar.ts";
import { reasonPhrase } from "../../wire/sip/write.ts";
import { noResponseOf } from "./connection-fault.ts";
import { type Flow, type Hop, type PeerPlace, peerText } from "./flow.ts";
import { inviteOf, legSettingsOn } from "./invite.ts";
import { writeLeftDialog } from "./left-dialog.ts";
import { type LegDeps, LegRunner } from "./leg-runner.ts";
import { dialledIn, numberOfUri } from "./number-spelling.ts";
import { randomText } from "./random-text.ts";
import { whyNotHere } from "./registered-binding.ts";
import { hopOf } from "./registered-trunk.ts";
import type { Trunk, Trunks } from "./trunks.ts";

export interface DialDeps {
  readonly legs: LegDeps;
  readonly trunks: Trunks;
  readonly after: (ms: number, run: () => void) => () => void;
  readonly report: (input: SignallingEvent) => void;
  /** Resolves when the hosts of all trunks were looked up for the first time. */
  readonly located: () => Promise<unknown>;
  /** Our working source addresses of the family. */
  readonly sourcesFor: (family: 4 | 6) => readonly number[];
  /** A trunk gave no answer, for this reason. */
  readonly onSilence: (trunk: Trunk, reason: string) => void;
  readonly log: Log;
  /** Why an address is refused, as a sentence. */
  readonly refusalOf: (uri: SipUri) => string;
}

/** An input without its time. */
export type SignallingEvent = SignallingInput extends infer Input
  ? Input extends { readonly at: Date }
    ? Omit<Input, "at">
    : never
  : never;

interface NumberRoute {
  readonly number: string;
  readonly trunk: Trunk;
}

interface UriRoute {
  readonly uri: SipUri;
  /** The trunk that redirected us to this URI, if it is a number; the number has passed the dialling rules. */
  readonly trunk: Trunk | undefined;
}

type Route = NumberRoute | UriRoute;

interface Attempt {
  readonly target: Route;
  /** Undefined when the peer is not a trunk. */
  readonly trunk: Trunk | undefined;
  readonly hop: Hop;
  /** Which of our source addresses it leaves from. */
  readonly source: number;
  /** Of a trunk that registers with us: the call leaves over its flow. */
  readonly binding?: Binding<Flow> | undefined;
  /** The peer has refused an offer that left SRTP to it. */
  readonly isSecureOnly?: boolean | undefined;
}

const REDIRECTIONS_MAX = 5;
/** What a peer answers that takes SRTP alone, or wants a line of its own for it. */
const NOT_ACCEPTABLE = new Set([415, 488, 606]);
const ATTEMPTS_MAX = 20;
/** How long a peer that is not a trunk may be silent before its next address is tried. */
const SILENCE_MS = 6000;
/** After so long without any response, the trail says so; a peer sends 100 within 200 ms. */
const SILENT_MS = 4000;

export class Dialing {
  readonly #deps: DialDeps;
  readonly #order: DialOrder;
  readonly #onOver: () => void;
  #routes: Route[] = [];
  #attempts: Attempt[] = [];
  /** When the unanswered INVITE was sent. */
  #beganMs: number | undefined;
  #tried = 0;
  #redirections = 0;
  /** Of the ordered URI; those of a redirection are not heard. */
  #wishes: MediaWishes | undefined;
  #runner: LegRunner | undefined;
  #trunk: Trunk | undefined;
  #hasRung = false;
  #isOver = false;
  #stopSilence: (() => void) | undefined;
  #stopNoting: (() => void) | undefined;
  #lastStatus = 503;
  #lastReason = "";
  /** Whether the last status is our own, not the peer's. */
  #isOurs = true;

  constructor(deps: DialDeps, order: DialOrder, onOver: () => void) {
    this.#deps = deps;
    this.#order = order;
    this.#onOver = onOver;
  }

  get runner(): LegRunner | undefined {
    return this.#runner;
  }

  get trunk(): Trunk | undefined {
    return this.#trunk;
  }

  start(): void {
    const { target } = this.#order;
    if (target.kind === "number") this.#routes = this.#byNumber(target.number, this.#order.trunk);
    else {
      this.#wishes = mediaWishesOf(target.uri);
      this.#routes = [{ uri: target.uri, trunk: undefined }];
    }
    this.#next();
  }

  #byNumber(number: string, only: string | undefined): Route[] {
    const { trunks } = this.#deps;
    const named = only === undefined ? undefined : trunks.named(only);
    this.#lastReason = "no trunk takes calls";
    return (only === undefined ? trunks.inOrder() : named ? [named] : []).map((trunk) => ({ number, trunk }));
  }

  hangUp(reason: string | undefined): void {
    if (this.#isOver) return;
    if (this.#runner) this.#runner.step({ kind: "hangUp", reason, nowMs: this.#deps.legs.elapsedMs() });
    else {
      this.#over();
      this.#deps.report({ kind: "ended", legSid: this.#order.legSid, by: "us", reason });
    }
  }

  /** Tries the next address of the current trunk, or else the next trunk. */
  #next(): void {
    if (this.#isOver) return;
    this.#leave();
    const attempt = this.#attempts.shift();
    if (attempt && this.#tried < ATTEMPTS_MAX) {
      this.#try(attempt);
      return;
    }
    const route = this.#routes.shift();
    if (!route || this.#tried >= ATTEMPTS_MAX) {
      this.#refuse(this.#lastStatus, this.#lastReason);
      return;
    }
    if ("uri" in route) {
      void this.#callUri(route);
      return;
    }
    if (!route.trunk.uri) {
      this.#callRegistered(route);
      return;
    }
    const hops = this.#deps.legs.locator.locate(route.trunk.uri);
    if (hops instanceof Promise) void hops.then((found) => this.#callTrunk(route, found));
    else this.#callTrunk(route, hops);
  }

  #callTrunk(route: NumberRoute, hops: readonly Hop[]): void {
    if (this.#isOver) return;
    const { trunk } = route;
    trunk.places.learn(hops);
    if (hops.length === 0 && trunk.uri) {
      this.#missed(`trunk ${trunk.settings.name}: ${this.#deps.legs.locator.faultOf(trunk.uri)}`);
    }
    this.#attempts = hops.map((hop) => this.#attemptOf(route, trunk, hop));
    this.#next();
  }

  /** RFC 3261 16.6: the registered addresses by their q. */
  #callRegistered(route: NumberRoute): void {
    const { trunk } = route;
    const bindings = trunk.bindings.filter(({ flow }) => flow.isOpen()).sort((one, other) => other.q - one.q);
    if (bindings.length === 0) this.#missed(`trunk ${trunk.settings.name} ${whyNotHere(trunk.elsewhere)}`);
    this.#attempts = bindings.map((binding) => ({
      target: route,
      trunk,
      hop: hopOf(binding.flow),
      source: binding.flow.source,
      binding,
    }));
    this.#next();
  }

  /** A URI that leads to a trunk, by its name or by any of its addresses, dials a number there. */
  async #callUri(route: UriRoute): Promise<void> {
    const { legs, trunks, located, refusalOf } = this.#deps;
    const { uri, trunk } = route;
    await located();
    const hops = await legs.locator.locate(uri);
    if (this.#isOver) return;
    // A trunk that redirects to a foreign host does not make it trusted, and its credentials are not sent there.
    const isOwn = (hop: Hop) => trunk?.places.holds(hop) ?? false;
    if (hops.some((hop) => trunks.hold(hop) && !isOwn(hop))) {
      await this.#callNumber(uri);
      return;
    }
    const allowed = hops.filter((hop) => isOwn(hop) || legs.mayReach(hop));
    const reachable = this.#wishes?.isSecure ? allowed.filter(({ transport }) => transport === "TLS") : allowed;
    if (hops.length === 0) this.#missed(legs.locator.faultOf(uri));
    else if (allowed.length === 0) this.#missed(refusalOf(uri));
    else if (reachable.length === 0) this.#missed(`${uri.host} is not called over TLS, and SRTP is required.`);
    this.#attempts = reachable.map((hop) => this.#attemptOf(route, isOwn(hop) ? trunk : undefined, hop));
    this.#next();
  }

  /** A URI that was ordered is dialled as a number; no peer may redirect us to the telephone network. */
  async #callNumber({ user, host }: SipUri): Promise<void> {
    const isOrdered = this.#redirections === 0;
    const judged = await this.#order.judge(dialledIn(user));
    if (this.#isOver) return;
    if (isOrdered && judged.ok && judged.value.target.kind === "number") {
      await this.#order.dialsNumber(judged.value.target.number);
      this.#routes = this.#byNumber(judged.value.target.number, judged.value.trunk);
    } else if (!judged.ok) this.#missed(`${host} is a trunk. ${judged.refusal}`);
    else
      this.#missed(
        `${host} is a trunk. ${isOrdered ? "Only numbers are called there." : "No redirection leads there."}`,
      );
    this.#next();
  }

  #missed(reason: string): void {
    this.#lastStatus = 503;
    this.#lastReason = reason;
    this.#isOurs = true;
  }

  /** The reason is for the call's trail, the log, and the trunk. */
  #tellFault(reason: string, { trunk, hop }: Attempt): void {
    const { callSid, legSid } = this.#order;
    const fields = { callSid, legSid, trunk: trunk?.settings.name, peer: peerText(hop), reason };
    this.#deps.log.warn(fields, "a peer gave no answer to an INVITE");
    if (trunk) this.#deps.onSilence(trunk, reason);
  }

  /** Keys travel in the signalling, so they are offered over TLS only. */
  #securityOf({ trunk, hop, isSecureOnly = false }: Attempt): MediaTerms["secure"] {
    if (trunk) return trunk.settings.srtp;
    if (this.#wishes?.isSecure || isSecureOnly) return true;
    return hop.transport === "TLS" ? "preferred" : false;
  }

  #attemptOf(target: Route, trunk: Trunk | undefined, hop: Hop): Attempt {
    return { target, trunk, hop, source: this.#deps.sourcesFor(hop.family)[0] ?? 0 };
  }

  #try(attempt: Attempt): void {
    this.#tried++;
    const { legs } = this.#deps;
    const flow = attempt.binding?.flow ?? legs.flowTo(attempt.hop, attempt.source, attempt.trunk?.settings.tls);
    if (!flow) {
      this.#missed(`${attempt.hop.address} cannot be reached from our addresses`);
      this.#next();
      return;
    }
    this.#take(attempt.trunk);
    const localTag = randomText(8);
    const isLatched = attempt.trunk ? undefined : this.#wishes?.isLatched;
    const sdp = this.#order.offer(termsOf(flow, attempt.trunk, this.#securityOf(attempt), isLatched));
    const invite = inviteOf({ ...attempt, order: this.#order, flow, localTag, sdp });
    const runner = new LegRunner(legs, {
      legSid: this.#order.legSid,
      withheld: withheldOf(this.#order),
      state: newCaller(legSettingsOn(flow, legs.timers), invite, localTag),
      flow,
      trunk: attempt.trunk,
      onEvent: (event) => {
        if (this.#runner === runner) this.#onEvent(event, attempt, flow);
      },
    });
    this.#runner = runner;
    runner.step({ kind: "dial", nowMs: legs.elapsedMs() });
    this.#watchSilence(attempt, flow);
    this.#noteSilence(attempt, flow);
  }

  /** A peer whose host says that nothing listens there is given up; of any other, the trail shows its silence. */
  #noteSilence(attempt: Attempt, flow: Flow): void {
    const runner = this.#runner;
    const isSilent = () => !this.#isOver && this.#runner === runner && runner?.hasResponse === false;
    this.#stopNoting = this.#deps.after(SILENT_MS, async () => {
      if (!isSilent()) return;
      const closed = await flow.probe?.();
      if (!isSilent()) return;
      if (closed !== undefined) {
        this.#giveUp(runner, closed, attempt);
        return;
      }
      const reason = flow.fault?.() ?? noResponseOf(flow);
      this.#tellFault(reason, attempt);
      this.#deps.report({ kind: "silent", legSid: this.#order.legSid, reason });
    });
  }

  /** None of our source addresses would get further. */
  #giveUp(runner: LegRunner | undefined, fault: string, attempt: Attempt): void {
    this.#missed(`${nameOf(attempt)}: ${fault}`);
    this.#tellFault(fault, attempt);
    this.#runner = undefined;
    runner?.giveUp(fault);
    this.#next();
  }

  /** Abandons an attempt that gets no response at all, except for the last one, which may take its time. */
  #watchSilence({ trunk, hop }: Attempt, flow: Flow): void {
    if (this.#attempts.length === 0 && this.#routes.length === 0) return;
    const waitMs = trunk ? trunk.settings.failoverSeconds * 1000 : SILENCE_MS;
    const runner = this.#runner;
    this.#stopSilence = this.#deps.after(waitMs, () => {
      if (this.#isOver || this.#runner !== runner || runner?.hasResponse) return;
      this.#lastStatus = 408;
      this.#lastReason = flow.fault?.() ?? noResponseOf(hop);
      this.#isOurs = true;
      if (trunk) this.#deps.onSilence(trunk, this.#lastReason);
      this.#runner = undefined;
      runner?.step({ kind: "hangUp", reason: undefined, nowMs: this.#deps.legs.elapsedMs() });
      this.#next();
    });
  }

  #onEvent(event: LegEvent, attempt: Attempt, flow: Flow): void {
    const { legSid } = this.#order;
    if (event.kind === "ringing" || event.kind === "answered" || (event.kind === "failed" && event.response)) {
      this.#noteAnswer(attempt);
    }
    switch (event.kind) {
      case "failed":
        this.#failed(event.status, event.response, attempt, flow);
        break;
      case "ringing":
        if (!this.#hasRung || event.sdp !== undefined) {
          this.#deps.report({ kind: "ringing", legSid, sipCode: event.status, sdp: event.sdp });
        }
        this.#hasRung = true;
        break;
      case "answered":
        this.#stopSilence?.();
        this.#attempts = [];
        this.#routes = [];
        this.#deps.report({ kind: "answered", legSid, sdp: event.sdp });
        break;
      case "ended":
        this.#over();
        this.#deps.report({ kind: "ended", legSid, by: event.by, sipCode: event.status, reason: event.reason });
        break;
      default:
        reportCommon(this.#deps.report, legSid, event, {
          trunk: attempt.trunk,
          peer: attempt.hop,
          withheld: withheldOf(this.#order),
        });
    }
  }

  #failed(status: number, response: SipMessage | undefined, attempt: Attempt, flow: Flow): void {
    const fault = response ? undefined : (this.#runner?.fault ?? noResponseOf(flow));
    this.#lastStatus = status;
    this.#lastReason = `${nameOf(attempt)}: ${fault ?? `${status} ${response?.reason || reasonPhrase(status)}`}`;
    this.#isOurs = !response;
    this.#runner = undefined;
    if (fault !== undefined) this.#suspect(status, fault, attempt);
    if (NOT_ACCEPTABLE.has(status) && this.#securityOf(attempt) === "preferred") {
      this.#attempts.unshift({ ...attempt, isSecureOnly: true });
      this.#next();
    } else if (response && status >= 300 && status < 400) {
      void this.#redirect(response, attempt);
    } else if (mayFailOver(status, response)) this.#next();
    else {
      this.#leave();
      this.#refuse(status, this.#lastReason);
    }
  }

  /** Has the trunk's health checked; a request that could not be sent is tried from our next source address. */
  #suspect(status: number, fault: string, attempt: Attempt): void {
    this.#tellFault(fault, attempt);
    if (status !== 503 || attempt.binding) return;
    const sources = this.#deps.sourcesFor(attempt.hop.family);
    const next = sources[sources.indexOf(attempt.source) + 1];
    if (next !== undefined) this.#attempts.unshift({ ...attempt, source: next });
  }

  /**
   * RFC 3261 8.1.3.4: the Contacts by their q; each is checked by the rules as if it had been dialled. A Contact that
   * is not a number does not belong to the trunk: it is called as any SIP URI is, subject to the address guard.
   */
  async #redirect(response: SipMessage, { trunk }: Attempt): Promise<void> {
    this.#attempts = [];
    const routes: Route[] = [];
    for (const contact of contactsOf(response)) {
      const uri = parseUri(contact.uri);
      if (!uri || uri.scheme === "other" || this.#redirections >= REDIRECTIONS_MAX) continue;
      this.#redirections++;
      const number = numberOfUri(contact.uri, trunk?.settings.numbers ?? PLAIN_NUMBERS);
      if (uri.scheme === "tel") {
        if (number !== undefined && trunk && (await this.#mayFollow(number))) {
          routes.push({ number, trunk });
        }
      } else if (await this.#mayFollow(number ?? plainUri(uri))) {
        routes.push({ uri: { ...uri, headers: "" }, trunk: number === undefined ? undefined : trunk });
      }
    }
    if (routes.length > 0) this.#routes = routes;
    this.#lastReason += routes.length > 0 ? ", followed" : ", to nothing that may be called";
    if (routes.length === 0) this.#lastStatus = 480;
    this.#next();
  }

  /** No redirection leads to emergency services, which are the only targets bound to one trunk. */
  async #mayFollow(destination: string): Promise<boolean> {
    const judged = await this.#order.judge(destination);
    return judged.ok && judged.value.trunk === undefined;
  }

  #refuse(sipCode: number, reason: string): void {
    if (this.#isOver) return;
    this.#over();
    this.#deps.report({
      kind: "refused",
      legSid: this.#order.legSid,
      sipCode,
      reason,
      ...(this.#isOurs && { isOurs: true }),
    });
  }

  #take(trunk: Trunk | undefined): void {
    this.#trunk = trunk;
    if (!trunk) return;
    trunk.calls++;
    this.#beganMs = this.#deps.legs.elapsedMs();
    trunk.begun.note(0, this.#beganMs);
  }

  /** The first answer to an INVITE measures how fast the trunk is. */
  #noteAnswer({ trunk }: Attempt): void {
    if (!trunk || this.#beganMs === undefined) return;
    const nowMs = this.#deps.legs.elapsedMs();
    trunk.answers.note(nowMs - this.#beganMs, nowMs);
    this.#beganMs = undefined;
  }

  #leave(): void {
    this.#stopSilence?.();
    this.#stopNoting?.();
    if (this.#trunk) this.#trunk.calls--;
    this.#trunk = undefined;
  }

  #over(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#leave();
    this.#onOver();
  }
}

function nameOf({ trunk, hop }: Attempt): string {
  return trunk ? `trunk ${trunk.settings.name}` : hop.address;
}

/** Keeps what an ordered URI may have: destination and transport, without anything else a peer may have written. */
function plainUri({ user, host, port, ...uri }: SipUri): string {
  const transport = transportOf({ user, host, port, ...uri });
  const place = `${hostText(host)}${port === undefined ? "" : `:${port}`}`;
  return `sip:${user}@${place}${transport === undefined ? "" : `;transport=${transport}`}`;
}

const PLAIN_NUMBERS = {
  countryCode: "",
  nationalPrefix: "",
  internationalPrefix: "00",
  called: "e164",
  caller: "e164",
} as const;

function withheldOf({ isPrivate, callerId }: DialOrder): string | undefined {
  return isPrivate ? callerId : undefined;
}

/** Another route may succeed: the peer is broken, overloaded or silent. */
function mayFailOver(status: number, response: SipMessage | undefined): boolean {
  return response ? status >= 500 && status < 600 : true;
}

export function termsOf(
  flow: Flow,
  trunk: Trunk | undefined,
  secure: MediaTerms["secure"],
  isLatched = trunk?.settings.media === "latch",
): MediaTerms {
  return {
    family: flow.family,
    secure,
    codecs: trunk?.settings.codecs ?? ["PCMU", "PCMA"],
    address: mediaAddressOn(flow),
    isTrusted: trunk !== undefined,
    ...(isLatched && { latch: [flow.address, ...(trunk?.settings.mediaNetworks ?? [])] }),
  };
}

/** The address of ours that a peer on this flow reaches. */
export function mediaAddressOn({ localAddress, family }: Flow): string | undefined {
  return isIP(localAddress) === family ? localAddress : undefined;
}

/** Reports the events that legs of both directions share. */
export function reportCommon(
  report: (event: SignallingEvent) => void,
  legSid: string,
  event: LegEvent,
  way: {
    readonly trunk: Trunk | undefined;
    readonly peer: PeerPlace;
    readonly withheld: string | undefined;
  },
): void {
  switch (event.kind) {
    case "offered":
    case "renegotiated":
    case "digit":
      report({ legSid, ...event });
      break;
    case "dialog":
      report({
        kind: "dialog",
        legSid,
        dialog: writeLeftDialog(event.dialog, { trunk: way.trunk?.settings.name, withheld: way.withheld }, way.peer),
      });
      break;
    default:
  }
}
