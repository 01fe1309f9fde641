// A party of another node in a conference of this process: its audio comes over a leg between the nodes, and it is in
// the conference under the sid of its own call.

import type { Log } from "../../base/log.ts";
import { CONFERENCE_FULL, NO_SUCH_CONFERENCE } from "./bridge.ts";
import { LEAVE_REASONS, type LeaveReason } from "./conference.ts";
import { answerTo } from "./live-bridge.ts";
import type { LiveConference } from "./live-conference.ts";
import type {
  AdmittedParty,
  BridgedLeg,
  BridgeLedger,
  BridgeSignal,
  BridgeSignalling,
  MediaEngine,
  MediaLeg,
} from "./ports.ts";

export interface BridgedPartyDeps {
  readonly signalling: BridgeSignalling;
  readonly media: Pick<MediaEngine, "open">;
  readonly ledger: Pick<BridgeLedger, "admit">;
  readonly log: Log;
  /** A conference of this process that is under way. */
  readonly find: (conferenceSid: string) => LiveConference | undefined;
  /** Ends what is left of the same call in the same conference: a party is in it once. */
  readonly replace: (party: BridgedParty) => void;
  /** The sound that it is to wait with cannot be played. */
  readonly waitFailed: (callSid: string, url: string, reason: string) => void;
  readonly done: (party: BridgedParty) => void;
}

const NOT_ACCEPTABLE = 488;
const UNAVAILABLE = 503;

export class BridgedParty {
  readonly #deps: BridgedPartyDeps;
  readonly #leg: BridgedLeg;
  #terms: BridgedLeg["terms"];
  #admitted: AdmittedParty | undefined;
  #media: MediaLeg | undefined;
  #live: LiveConference | undefined;
  #isOver = false;

  constructor(deps: BridgedPartyDeps, leg: BridgedLeg) {
    this.#deps = deps;
    this.#leg = leg;
    this.#terms = leg.terms;
  }

  get legSid(): string {
    return this.#leg.legSid;
  }

  /** Undefined until it is admitted. */
  get callSid(): string | undefined {
    return this.#admitted?.callSid;
  }

  /** Whether the other one is of the same call in the same conference. */
  isSameCallAs(other: BridgedParty): boolean {
    const [one, two] = [this.#admitted, other.#admitted];
    return one !== undefined && one.callSid === two?.callSid && one.conferenceSid === two.conferenceSid;
  }

  /** Answers the INVITE. */
  begin(): void {
    this.#begin().catch((fault: unknown) => {
      this.#deps.log.error({ legSid: this.legSid, err: fault }, "party of another node not admitted");
      this.#refuse(UNAVAILABLE);
    });
  }

  async #begin(): Promise<void> {
    const { ledger, media, find, replace, signalling } = this.#deps;
    const admitted = await ledger.admit(this.#leg.ticket);
    if (!admitted || !find(admitted.conferenceSid)) return this.#refuse(NO_SUCH_CONFERENCE);
    const opened = await media.open(this.legSid);
    if (!opened.ok) return this.#refuse(UNAVAILABLE);
    this.#media = opened.value;
    const sdp = answerTo(opened.value, this.#leg.sdp, this.#terms);
    if (sdp === undefined) return this.#refuse(NOT_ACCEPTABLE);
    if (this.#isOver) return void opened.value.close();
    this.#admitted = admitted;
    replace(this);
    // What was awaited, and the end of what it replaces, may have ended the conference.
    const live = find(admitted.conferenceSid);
    if (!live) return this.#refuse(NO_SUCH_CONFERENCE);
    if (!this.#enter(live, admitted, opened.value)) return this.#refuse(CONFERENCE_FULL);
    this.#live = live;
    signalling.answer(this.legSid, sdp);
  }

  #enter(live: LiveConference, { callSid, accountSid, order, shape }: AdmittedParty, media: MediaLeg): boolean {
    const fault = live.enter({
      ...{ accountSid, callSid, order, shape, media },
      entered: () => undefined,
      waitFailed: (url, reason) => this.#deps.waitFailed(callSid, url, reason),
      left: () => this.#end(),
    });
    return fault === undefined;
  }

  takeSignal(input: BridgeSignal): void {
    switch (input.kind) {
      case "canceled":
        this.end();
        break;
      case "ended":
        this.end(leaveReasonOf(input.said));
        break;
      case "offered":
        this.#deps.signalling.answerOffer(this.legSid, answerTo(this.#media, input.sdp, this.#terms));
        break;
      case "renegotiated":
        this.#media?.accept(input.sdp);
        break;
      case "moved":
        this.#terms = { ...this.#terms, address: input.address };
        if (this.#media) this.#deps.signalling.reoffer(this.legSid, this.#media.offer(this.#terms));
        break;
      default:
    }
  }

  /** It leaves the conference; what says no reason is the end of its call. */
  end(reason: LeaveReason = "HungUp"): void {
    if (this.#isOver) return;
    if (this.#live && this.callSid !== undefined) this.#live.leave(this.callSid, reason);
    this.#end();
  }

  #refuse(sipCode: number): void {
    if (!this.#isOver) this.#deps.signalling.reject(this.legSid, { sipCode });
    this.#over();
  }

  #end(): void {
    if (!this.#isOver) this.#deps.signalling.hangUp(this.legSid);
    this.#over();
  }

  #over(): void {
    void this.#media?.close();
    if (this.#isOver) return;
    this.#isOver = true;
    this.#deps.done(this);
  }
}

/** As `LiveBridge` writes it into the Reason of its BYE. */
function leaveReasonOf(said: string | undefined): LeaveReason | undefined {
  const [, text] = /;\s*text="([^"]*)"/.exec(said ?? "") ?? [];
  return LEAVE_REASONS.find((reason) => reason === text);
}
