// Dials one leg: tries trunks and addresses one after another until one of them gives an answer that counts.
//
//   waiting for a name ⇄ inviting (one attempt at a time) → up → over
//
// Guarantees: at most one attempt rings at a time; an attempt that is given up is canceled, and ended if it answers all
// the same. Failover happens on 5xx and silence, redirections (302) are followed within bounds, and the leg ends with
// exactly one `refused` or `ended`.

import { isIP } from "node:net";
import type { DialOrder, MediaTerms, SignallingInput } from "../../domain/voice/ports.ts";
import type { LegEvent } from "../../wire/sip/leg-state.ts";
import { type LegSettings, newCaller } from "../../wire/sip/leg-state.ts";
import { contactsOf, type SipMessage } from "../../wire/sip/message.ts";
import type { SipTimers } from "../../wire/sip/timers.ts";
import { hostText, parseUri, type SipUri, transportOf } from "../../wire/sip/uri.ts";
import { reasonPhrase } from "../../wire/sip/write.ts";
import { answerChallenge } from "./digest-account.ts";
import type { Flow, Hop, PeerPlace } from "./flow.ts";
import { contactOn, inviteOf } from "./invite.ts";
import { writeLeftDialog } from "./left-dialog.ts";
import { type LegDeps, LegRunner } from "./leg-runner.ts";
import { numberOfUri } from "./number-spelling.ts";
import { randomText } from "./random-text.ts";
import type { Trunk, Trunks } from "./trunks.ts";

export interface DialDeps {
  readonly legs: LegDeps;
  readonly trunks: Trunks;
  readonly timers: SipTimers;
  readonly after: (ms: number, run: () => void) => () => void;
  readonly report: (input: SignallingEvent) => void;
  /** Those of our source addresses that work and have the family. */
  readonly sourcesFor: (family: 4 | 6) => readonly number[];
  /** A trunk gave no answer. */
  readonly onSilence: (trunk: Trunk) => void;
  /** Why an address is refused, as a sentence. */
  readonly refusalOf: (uri: SipUri) => string;
}

/** An input without its time. */
export type SignallingEvent = SignallingInput extends infer Input
  ? Input extends { readonly at: Date }
    ? Omit<Input, "at">
    : never
  : never;

interface Route {
  readonly target: { readonly uri: SipUri } | { readonly number: string; readonly trunk: Trunk };
  readonly trunk: Trunk | undefined;
}

interface Attempt extends Route {
  readonly hop: Hop;
  /** Which of our source addresses it leaves from. */
  readonly source: number;
}

const REDIRECTIONS_MAX = 5;
const ATTEMPTS_MAX = 20;
/** How long a peer that is not a trunk may be silent before its next address is tried. */
const SILENCE_MS = 6000;
export const SESSION_SECONDS = 1800;

export class Dialing {
  readonly #deps: DialDeps;
  readonly #order: DialOrder;
  readonly #onOver: () => void;
  #routes: Route[] = [];
  #attempts: Attempt[] = [];
  /** When the INVITE went out that is not answered yet. */
  #beganMs: number | undefined;
  #tried = 0;
  #redirections = 0;
  #runner: LegRunner | undefined;
  #trunk: Trunk | undefined;
  #hasRung = false;
  #isOver = false;
  #stopSilence: (() => void) | undefined;
  #lastStatus = 503;
  #lastReason = "";

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
    const { target, trunk } = this.#order;
    if (target.kind === "number") {
      const named = trunk === undefined ? undefined : this.#deps.trunks.named(trunk);
      const trunks = trunk === undefined ? this.#deps.trunks.inOrder() : named ? [named] : [];
      this.#routes = trunks.map((one) => ({ target: { number: target.number, trunk: one }, trunk: one }));
      this.#lastReason = "no trunk takes calls";
    } else {
      const uri = parseUri(target.uri);
      if (uri && "host" in uri) this.#routes = [{ target: { uri }, trunk: undefined }];
      else this.#refuse(404, "not a SIP URI that can be called");
    }
    this.#next();
  }

  hangUp(reason: string | undefined): void {
    if (this.#isOver) return;
    if (this.#runner) this.#runner.step({ kind: "hangUp", reason, nowMs: this.#deps.legs.elapsedMs() });
    else {
      this.#over();
      this.#deps.report({ kind: "ended", legSid: this.#order.legSid, by: "us", reason });
    }
  }

  /** The next address of the trunk in hand, or else the next trunk. */
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
    const uri = "uri" in route.target ? route.target.uri : route.target.trunk.uri;
    const hops = this.#deps.legs.locator.locate(uri);
    if (hops instanceof Promise) void hops.then((found) => this.#found(route, found));
    else this.#found(route, hops);
  }

  #found(route: Route, hops: readonly Hop[]): void {
    if (this.#isOver) return;
    const attempts = hops.flatMap((hop) => this.#attemptOf(route, hop));
    if (attempts.length === 0) {
      this.#lastStatus = 503;
      const { target } = route;
      if ("trunk" in target) {
        this.#lastReason = `trunk ${target.trunk.settings.name}: no address for ${target.trunk.uri.host}`;
      } else {
        this.#lastReason = hops.length === 0 ? `no address for ${target.uri.host}` : this.#deps.refusalOf(target.uri);
      }
    }
    this.#attempts = attempts;
    this.#next();
  }

  /** A trunk that redirects to a host of others vouches for nothing there, and its account is not for it. */
  #attemptOf(route: Route, hop: Hop): Attempt[] {
    const { legs, trunks } = this.#deps;
    const isTrunk = trunks.isAt(hop.address);
    const trunk = "uri" in route.target && !isTrunk ? undefined : route.trunk;
    // What a name of somebody's leads to may be a trunk, which would take the call for ours.
    if (!trunk && (isTrunk || !legs.mayReach(hop))) return [];
    return [{ ...route, trunk, hop, source: this.#deps.sourcesFor(hop.family)[0] ?? 0 }];
  }

  #try(attempt: Attempt): void {
    this.#tried++;
    const flow = this.#deps.legs.flowTo(attempt.hop, attempt.source, attempt.trunk?.settings.tls);
    if (!flow) {
      this.#lastReason = `${attempt.hop.address} cannot be reached from our addresses`;
      this.#next();
      return;
    }
    this.#take(attempt.trunk);
    const localTag = randomText(8);
    const sdp = this.#order.offer(termsOf(flow, attempt.trunk));
    const invite = inviteOf({ ...attempt, order: this.#order, flow, localTag, sdp });
    const settings: LegSettings = {
      timers: this.#deps.timers,
      contact: contactOn(flow),
      sessionSeconds: SESSION_SECONDS,
    };
    const runner = new LegRunner(this.#deps.legs, {
      legSid: this.#order.legSid,
      withheld: withheldOf(this.#order),
      state: newCaller(settings, invite, localTag),
      flow,
      isTrusted: attempt.trunk !== undefined,
      tls: attempt.trunk?.settings.tls,
      onEvent: (event) => {
        if (this.#runner === runner) this.#onEvent(event, attempt);
      },
      authorize: (response, draft) =>
        attempt.trunk?.account ? answerChallenge(attempt.trunk.account, response, draft) : undefined,
    });
    this.#runner = runner;
    runner.step({ kind: "dial", nowMs: this.#deps.legs.elapsedMs() });
    this.#watchSilence(attempt);
  }

  /** Gives an attempt up when nothing at all comes back; not the last one, which may take its time. */
  #watchSilence({ trunk }: Attempt): void {
    if (this.#attempts.length === 0 && this.#routes.length === 0) return;
    const waitMs = trunk ? trunk.settings.failoverSeconds * 1000 : SILENCE_MS;
    const runner = this.#runner;
    this.#stopSilence = this.#deps.after(waitMs, () => {
      if (this.#isOver || this.#runner !== runner || runner?.hasResponse) return;
      this.#lastStatus = 408;
      this.#lastReason = "no answer to the INVITE";
      if (trunk) this.#deps.onSilence(trunk);
      this.#runner = undefined;
      runner?.step({ kind: "hangUp", reason: undefined, nowMs: this.#deps.legs.elapsedMs() });
      this.#next();
    });
  }

  #onEvent(event: LegEvent, attempt: Attempt): void {
    const { legSid } = this.#order;
    if (event.kind === "ringing" || event.kind === "answered" || (event.kind === "failed" && event.response)) {
      this.#noteAnswer(attempt);
    }
    switch (event.kind) {
      case "failed":
        this.#failed(event.status, event.response, attempt);
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

  #failed(status: number, response: SipMessage | undefined, attempt: Attempt): void {
    const by = attempt.trunk ? `trunk ${attempt.trunk.settings.name}` : attempt.hop.address;
    this.#lastStatus = status;
    this.#lastReason = `${by}: ${status} ${response?.reason || reasonPhrase(status)}`;
    this.#runner = undefined;
    if (!response) this.#suspect(status, attempt);
    if (response && status >= 300 && status < 400) {
      this.#redirect(response, attempt);
      this.#next();
    } else if (mayFailOver(status, response)) this.#next();
    else {
      this.#leave();
      this.#refuse(status, this.#lastReason);
    }
  }

  /** The trunk is asked for its health; what could not even be sent leaves from our next address. */
  #suspect(status: number, attempt: Attempt): void {
    if (attempt.trunk) this.#deps.onSilence(attempt.trunk);
    if (status !== 503) return;
    const sources = this.#deps.sourcesFor(attempt.hop.family);
    const next = sources[sources.indexOf(attempt.source) + 1];
    if (next !== undefined) this.#attempts.unshift({ ...attempt, source: next });
  }

  /**
   * RFC 3261 8.1.3.4: the Contacts by their q; each passes the rules again as if it had been dialled. What is no number
   * is none of the trunk's business, whoever names it: it goes out as any SIP URI does, past the address guard.
   */
  #redirect(response: SipMessage, { trunk }: Attempt): void {
    this.#attempts = [];
    const routes: Route[] = [];
    for (const contact of contactsOf(response)) {
      const uri = parseUri(contact.uri);
      if (!uri || uri.scheme === "other" || this.#redirections >= REDIRECTIONS_MAX) continue;
      this.#redirections++;
      const number = numberOfUri(contact.uri, trunk?.settings.numbers ?? PLAIN_NUMBERS);
      if (uri.scheme === "tel") {
        if (number !== undefined && trunk && this.#order.mayDial(number)) {
          routes.push({ target: { number, trunk }, trunk });
        }
      } else if (this.#order.mayDial(number ?? plainUri(uri))) {
        const target = { uri: { ...uri, headers: "" } };
        routes.push({ target, trunk: number === undefined ? undefined : trunk });
      }
    }
    if (routes.length > 0) this.#routes = routes;
    this.#lastReason += routes.length > 0 ? ", followed" : ", to nothing that may be called";
    if (routes.length === 0) this.#lastStatus = 480;
  }

  #refuse(sipCode: number, reason: string): void {
    if (this.#isOver) return;
    this.#over();
    this.#deps.report({ kind: "refused", legSid: this.#order.legSid, sipCode, reason });
  }

  #take(trunk: Trunk | undefined): void {
    this.#trunk = trunk;
    if (!trunk) return;
    trunk.calls++;
    this.#beganMs = this.#deps.legs.elapsedMs();
    trunk.begun.note(0, this.#beganMs);
  }

  /** The first answer to an INVITE says how fast the trunk is. */
  #noteAnswer({ trunk }: Attempt): void {
    if (!trunk || this.#beganMs === undefined) return;
    const nowMs = this.#deps.legs.elapsedMs();
    trunk.answers.note(nowMs - this.#beganMs, nowMs);
    this.#beganMs = undefined;
  }

  #leave(): void {
    this.#stopSilence?.();
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

/** As a call may be ordered: where it goes and by which transport, without what else a peer may have written. */
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

/** Another way may do better: the peer is broken, overloaded or silent. */
function mayFailOver(status: number, response: SipMessage | undefined): boolean {
  return response ? status >= 500 && status < 600 : true;
}

export function termsOf(flow: Flow, trunk: Trunk | undefined): MediaTerms {
  return {
    family: flow.family,
    secure: trunk?.settings.srtp ?? false,
    codecs: trunk?.settings.codecs ?? ["PCMU", "PCMA"],
    address: isIP(flow.localAddress) === flow.family ? flow.localAddress : undefined,
    isTrusted: trunk !== undefined,
  };
}

/** What a leg of either direction may tell. */
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
      report({ kind: "offered", legSid, sdp: event.sdp });
      break;
    case "renegotiated":
      report({ kind: "renegotiated", legSid, sdp: event.sdp });
      break;
    case "digit":
      report({ kind: "digit", legSid, digit: event.digit, ms: event.ms });
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
