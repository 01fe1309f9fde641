// The bridge of a call of this process: the leg over which it is in a conference of another node. Carries out what
// `bridge.ts` decides. The other node mixes; here audio is passed on both ways, so the caller notices nothing.

import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { refused } from "../../base/result.ts";
import { type BridgeInput, type BridgePhase, stepBridge } from "./bridge.ts";
import type { LeaveReason } from "./conference.ts";
import type {
  BridgeLedger,
  BridgeSignal,
  BridgeSignalling,
  ConferenceEntry,
  MediaEngine,
  MediaLeg,
  MediaTerms,
} from "./ports.ts";

export interface LiveBridgeDeps {
  readonly signalling: BridgeSignalling;
  readonly media: Pick<MediaEngine, "open">;
  readonly ledger: Pick<BridgeLedger, "invite">;
  readonly clock: Clock;
  readonly log: Log;
  /** It is over. */
  readonly done: (bridge: LiveBridge) => void;
}

/** A node on the same network answers in milliseconds, unless the database is slow. */
const ANSWER_MS_MAX = 10_000;
const NO_PORT = "No port for media is free.";
const NO_SDP = "The node that has the conference answered without an SDP.";
const NO_PLACE =
  "The conference is at a node of an earlier version, or without an address for SIP: calls of others do not get there.";
const NOT_LOOKED_UP = "The conference could not be looked up.";

export class LiveBridge {
  readonly legSid: string;
  readonly #deps: LiveBridgeDeps;
  readonly #entry: ConferenceEntry;
  readonly #openHere: () => void;
  #phase: BridgePhase = "Inviting";
  #media: MediaLeg | undefined;
  #terms: MediaTerms | undefined;
  #conferenceSid: string | null = null;
  #stopWaiting: (() => void) | undefined;

  /** `openHere` is called when no other node has the conference any more. */
  constructor(deps: LiveBridgeDeps, legSid: string, entry: ConferenceEntry, openHere: () => void) {
    this.#deps = deps;
    this.legSid = legSid;
    this.#entry = entry;
    this.#openHere = openHere;
  }

  /** Null as long as no node is known to have it. */
  get conferenceSid(): string | null {
    return this.#conferenceSid;
  }

  begin(): void {
    this.#begin().catch((fault: unknown) => {
      this.#deps.log.error({ callSid: this.#entry.callSid, err: fault }, "conference of another node not entered");
      this.take({ kind: "failed", fault: NOT_LOOKED_UP });
    });
  }

  async #begin(): Promise<void> {
    const { ledger, media, signalling, clock } = this.#deps;
    const invitation = await ledger.invite(this.#entry);
    if (this.#isOver) return;
    if (!invitation) return this.take({ kind: "gone" });
    const { place, ticket } = invitation;
    if (place === null) return this.take({ kind: "failed", fault: NO_PLACE });
    this.#conferenceSid = invitation.conferenceSid;
    const opened = await media.open(this.legSid);
    if (!opened.ok) return this.take({ kind: "failed", fault: NO_PORT });
    if (this.#isOver) {
      void opened.value.close();
      return;
    }
    this.#media = opened.value;
    this.#stopWaiting = clock.after(ANSWER_MS_MAX, () => this.take({ kind: "late" }));
    signalling.dialNode({
      ...{ legSid: this.legSid, place, ticket },
      offer: (terms) => {
        this.#terms = terms;
        return opened.value.offer(terms);
      },
    });
  }

  get #isOver(): boolean {
    return this.#phase === "Over";
  }

  take(input: BridgeInput): void {
    const [phase, commands] = stepBridge(this.#phase, input);
    this.#phase = phase;
    for (const command of commands) {
      if (command.do === "join") this.#join();
      else if (command.do === "close") this.#close(command.reason);
      else if (command.do === "openHere") this.#openHere();
      else
        this.#entry.left({ conferenceSid: command.fault === null ? this.#conferenceSid : null, fault: command.fault });
    }
  }

  takeSignal(input: BridgeSignal): void {
    switch (input.kind) {
      case "answered":
        this.take({ kind: "answered", fault: this.#agree(input.sdp) });
        break;
      case "refused":
        this.take({ kind: "refused", sipCode: input.sipCode });
        break;
      case "ended":
        this.take({ kind: "ended" });
        break;
      case "offered":
        this.#deps.signalling.answerOffer(this.legSid, answerTo(this.#media, input.sdp, this.#terms));
        break;
      case "renegotiated":
        this.#media?.accept(input.sdp);
        break;
      case "moved":
        this.#move(input.address);
        break;
      default:
    }
  }

  #agree(sdp: string | undefined): string | null {
    const agreed = sdp === undefined ? refused(NO_SDP) : this.#media?.accept(sdp);
    if (agreed?.ok) return null;
    return agreed?.refusal ?? NO_PORT;
  }

  #move(address: string | undefined): void {
    if (!this.#media || !this.#terms) return;
    this.#terms = { ...this.#terms, address };
    this.#deps.signalling.reoffer(this.legSid, this.#media.offer(this.#terms));
  }

  #join(): void {
    this.#stopWaiting?.();
    if (this.#media) this.#entry.media.joinWith(this.#media);
    if (this.#conferenceSid !== null) this.#entry.entered(this.#conferenceSid);
  }

  #close(reason: LeaveReason | undefined): void {
    this.#stopWaiting?.();
    this.#deps.signalling.hangUp(this.legSid, reason);
    void this.#media?.close();
    this.#deps.done(this);
  }
}

/** Our answer to a later offer of the peer's; undefined where there is none. */
export function answerTo(
  media: MediaLeg | undefined,
  sdp: string | undefined,
  terms: MediaTerms | undefined,
): string | undefined {
  if (!media || !terms) return undefined;
  if (sdp === undefined) return media.offer(terms);
  const answered = media.answer(sdp, terms);
  return answered.ok ? answered.value : undefined;
}
