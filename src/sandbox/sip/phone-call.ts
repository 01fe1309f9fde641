// One call of a simulated telephone, as caller or callee. Answers retransmissions, retransmits until it is answered,
// and ends when either side hangs up.

import { randomBytes } from "node:crypto";
import { parseSdp } from "../../wire/sdp/parse.ts";
import { type Dialog, dialogOfRequest, dialogOfResponse, requestInDialog } from "../../wire/sip/dialog.ts";
import { DIGIT_TYPE, infoBody } from "../../wire/sip/info-digit.ts";
import { type SipMessage, sdpOf } from "../../wire/sip/message.ts";
import { MAGIC_COOKIE } from "../../wire/sip/via.ts";
import { type RequestDraft, writeRequest, writeResponse } from "../../wire/sip/write.ts";
import type { PhoneConduct } from "./behaviour.ts";
import { type Microphone, PhoneVoice, spokenOnce } from "./voice.ts";

export interface Place {
  readonly address: string;
  readonly port: number;
}

export interface PhoneLine {
  /** Where the telephones listen. */
  readonly local: Place;
  send(text: string, to: Place): void;
  /** The call is over. */
  done(callId: string): void;
  /** 8 kHz mono. */
  say(text: string): Promise<Int16Array>;
}

/** The person who uses the telephone, if there is one. */
export interface PhoneUser {
  readonly microphone: Microphone;
  /** Receives the other party's audio, as samples at 8 kHz. */
  hear(samples: Int16Array): void;
  connected(): void;
  /** The call is over, with this SIP status. */
  ended(status: number): void;
}

/** How a telephone takes a call. */
export interface Taking {
  readonly conduct: PhoneConduct;
  /** Rings until the person accepts or refuses the call. */
  readonly user?: PhoneUser | undefined;
}

const REPEAT_MS = 500;
const REPEATS_MAX = 10;
const KEY_MS = 1_000;
const KEY_EVERY_MS = 500;
const KEY_TONE_MS = 200;
const HERTZ = { caller: 440, callee: 620 } as const;
const WORDS = {
  caller: "Hello, this is the sandbox, calling. I would like to ask when you are open.",
  callee: "Hello, this is a telephone of the sandbox. One, two, three, four, five.",
} as const;

export interface CallerConduct extends Pick<PhoneConduct, "talkMs" | "hasWords" | "digits"> {
  /** What it says, once, in place of its tone: 8 kHz mono. */
  readonly words?: Int16Array | undefined;
}

type Outcome = { readonly status: number };

export class PhoneCall {
  readonly callId: string;
  readonly #line: PhoneLine;
  readonly #peer: Place;
  readonly #tag = randomBytes(6).toString("hex");
  readonly #timers = new Set<NodeJS.Timeout>();
  #voice: PhoneVoice | undefined;
  #dialog: Dialog | undefined;
  #invite: SipMessage | undefined;
  #draft: RequestDraft | undefined;
  #branch = "";
  /** The last response to the INVITE, for retransmissions. */
  #response = "";
  #stopRepeating: () => void = () => undefined;
  #isAnswered = false;
  #isOver = false;
  #settle: (outcome: Outcome) => void = () => undefined;
  #talkMs: number | undefined;
  /** The keys that are pressed when the call is established. */
  #keys = "";
  #user: PhoneUser | undefined;
  /** The caller gave up before the call was answered. */
  #isGivenUp = false;
  /** From now on the person may accept or refuse. */
  #isRinging = false;
  /** The person's decision before the telephone could ring. */
  #decided: number | undefined;
  /** The person accepted and hung up before the ACK: the call ends as soon as the ACK arrives. */
  #isLeft = false;

  constructor(line: PhoneLine, peer: Place, callId: string) {
    this.#line = line;
    this.#peer = peer;
    this.callId = callId;
  }

  /** Audio packets that this side has received. */
  get heard(): number {
    return this.#voice?.heard ?? 0;
  }

  /** Places a call; resolves with the final response. Hangs up `talkMs` after the answer. */
  async call(from: string, to: string, conduct: CallerConduct, user?: PhoneUser): Promise<Outcome> {
    this.#user = user;
    this.#voice = await this.#openVoice("caller", conduct);
    if (this.#isOver) this.#voice.close();
    if (this.#isOver) return { status: 487 };
    this.#talkMs = conduct.talkMs;
    this.#keys = conduct.digits ?? "";
    const { address, port } = this.#line.local;
    const draft: RequestDraft = {
      method: "INVITE",
      uri: `sip:${to}@${this.#peer.address}:${this.#peer.port}`,
      routes: [],
      maxForwards: 70,
      from: `<sip:${from}@${address}:${port}>;tag=${this.#tag}`,
      to: `<sip:${to}@${this.#peer.address}:${this.#peer.port}>`,
      callId: this.callId,
      cseq: 1,
      lines: `Contact: <sip:${from}@${address}:${port}>\r\n`,
      contentType: "application/sdp",
      body: this.#sdp(),
    };
    this.#draft = draft;
    const text = writeRequest(draft, this.#newVia());
    const outcome = new Promise<Outcome>((resolve) => {
      this.#settle = resolve;
    });
    this.#repeat(text, () => this.#end(408));
    return outcome;
  }

  /** Takes an incoming call. */
  async take(invite: SipMessage, taking: Taking | Promise<Taking>): Promise<void> {
    this.#invite = invite;
    const { conduct, user } = taking instanceof Promise ? await taking : taking;
    this.#user = user;
    if (this.#isOver || this.#isGivenUp) return user?.ended(487);
    if (conduct.status === 0) return;
    this.#respond(100);
    const { ringMs, status } = conduct;
    if (status === 200) this.#voice = await this.#openVoice("callee", conduct);
    if (this.#isOver) return this.#voice?.close();
    if (ringMs !== undefined)
      this.#respond(conduct.hasEarlyMedia ? 183 : 180, conduct.hasEarlyMedia ? this.#sdp() : "");
    if (conduct.hasEarlyMedia) this.#speak(invite);
    this.#isRinging = true;
    if (this.#decided !== undefined) this.#decide(this.#decided);
    if (conduct.isRingingOn) return;
    this.#after(ringMs ?? 0, () => this.#answer(invite, conduct));
  }

  receive(message: SipMessage): void {
    if (message.kind === "response") this.#takeResponse(message);
    else this.#takeRequest(message);
  }

  /** The person accepts the call. */
  accept(): void {
    this.#decide(200);
  }

  /** The person refuses the call, or hangs up right after accepting: no BYE before the ACK (RFC 3261 15). */
  refuse(status: number): void {
    if (this.#isAnswered) this.#isLeft = true;
    else this.#decide(status);
  }

  press(digit: string): void {
    this.#press({ digit, by: "event" });
  }

  hangUp(): void {
    if (this.#isOver) return;
    if (!this.#dialog && this.#draft) {
      this.#cancel(this.#draft);
      return;
    }
    if (!this.#dialog) {
      this.#end(487);
      return;
    }
    const draft = requestInDialog(this.#dialog, { method: "BYE", cseq: this.#dialog.localCseq + 1, lines: "" });
    this.#repeat(writeRequest(draft, this.#newVia()), () => this.#end(408));
  }

  close(): void {
    this.#end(487);
  }

  #decide(status: number): void {
    if (!this.#isRinging) this.#decided = status;
    else if (this.#invite && !this.#isAnswered && !this.#isGivenUp) this.#answer(this.#invite, { status });
  }

  #answer(invite: SipMessage, { status, talkMs, key }: PhoneConduct): void {
    if (this.#isOver) return;
    if (status === 200) {
      this.#isAnswered = true;
      this.#dialog = dialogOfRequest(invite, this.#tag);
      this.#talkMs = talkMs;
      if (key !== undefined) this.#after(KEY_MS, () => this.#press(key));
    }
    this.#respond(status, status === 200 ? this.#sdp() : "");
    this.#repeat(this.#response, () => this.#end(408));
  }

  async #openVoice(
    side: keyof typeof WORDS,
    { hasWords, words }: Pick<CallerConduct, "hasWords" | "words">,
  ): Promise<PhoneVoice> {
    const { local, say } = this.#line;
    const { microphone, hear } = this.#user ?? {};
    const spoken = words ? spokenOnce(words) : hasWords ? say(WORDS[side]) : HERTZ[side];
    return PhoneVoice.open(local.address, microphone ?? spoken, hear);
  }

  /** RFC 3261 9.1: the same transaction as the INVITE, whose final response ends the call. */
  #cancel(invite: RequestDraft): void {
    this.#isGivenUp = true;
    const cancel = { ...invite, method: "CANCEL", contentType: "", body: "", lines: "" };
    this.#repeat(writeRequest(cancel, this.#via(this.#branch)), () => this.#end(487));
  }

  #press({ digit, by }: NonNullable<PhoneConduct["key"]>): void {
    if (by === "event") this.#voice?.press(digit);
    else if (by === "tone") this.#voice?.whistle(digit, KEY_TONE_MS);
    else if (this.#dialog && !this.#isOver) {
      const cseq = this.#dialog.localCseq + 1;
      this.#dialog = { ...this.#dialog, localCseq: cseq };
      const body = infoBody({ digit, ms: KEY_TONE_MS });
      const draft = requestInDialog(this.#dialog, { method: "INFO", cseq, lines: "", contentType: DIGIT_TYPE, body });
      this.#repeat(writeRequest(draft, this.#newVia()), () => this.#stopRepeating());
    }
  }

  #takeRequest(request: SipMessage): void {
    switch (request.method) {
      case "INVITE":
        if (request.cseq === this.#invite?.cseq) this.#sendAgain();
        else this.#respondTo(request, 200, this.#sdp());
        break;
      case "ACK":
        this.#stopRepeating();
        if (!this.#isAnswered) this.#end(487);
        else if (this.#isLeft) this.hangUp();
        else if (this.#invite && request.cseq === this.#invite.cseq) this.#begin(this.#invite);
        break;
      case "CANCEL":
        this.#respondTo(request, 200);
        if (this.#isAnswered) break;
        this.#isGivenUp = true;
        this.#respond(487);
        this.#repeat(this.#response, () => this.#end(487));
        break;
      case "BYE":
        this.#respondTo(request, 200);
        this.#end(200);
        break;
      default:
        this.#respondTo(request, 200);
    }
  }

  #takeResponse(response: SipMessage): void {
    if (response.method === "BYE" && response.status >= 200) this.#end(response.status);
    if (response.method === "INFO") this.#stopRepeating();
    if (response.method !== "INVITE" || !this.#draft) return;
    if (response.status < 200 && this.#isGivenUp) return;
    this.#stopRepeating();
    if (response.status < 200) return;
    if (response.status >= 300) {
      this.#acknowledge({ ...this.#draft, to: toOf(response) }, this.#branch);
      this.#end(response.status);
      return;
    }
    const dialog = dialogOfResponse(this.#draft, this.#tag, response);
    if (!dialog) return;
    const isFirst = !this.#dialog;
    this.#dialog ??= dialog;
    this.#acknowledge(requestInDialog(dialog, { method: "ACK", cseq: 1, lines: "" }), undefined);
    if (!isFirst) return;
    this.#settle({ status: 200 });
    // The answer arrived before the CANCEL took effect.
    if (this.#isGivenUp) this.hangUp();
    else this.#begin(response);
  }

  /** RFC 3261 17.1.1.3: the ACK for a refusal belongs to the transaction, the ACK for a 2xx does not. */
  #acknowledge(draft: RequestDraft, branch: string | undefined): void {
    const ack = { ...draft, method: "ACK", contentType: "", body: "", lines: "" };
    this.#line.send(writeRequest(ack, branch === undefined ? this.#newVia() : this.#via(branch)), this.#peer);
  }

  /** The call is established: sends audio, and hangs up after `talkMs` if that is set. */
  #begin(description: SipMessage): void {
    this.#speak(description);
    this.#user?.connected();
    [...this.#keys].forEach((key, place) => {
      if (key !== "w") this.#after(KEY_MS + place * KEY_EVERY_MS, () => this.press(key));
    });
    this.#keys = "";
    if (this.#talkMs === undefined) return;
    this.#after(this.#talkMs, () => this.hangUp());
    this.#talkMs = undefined;
  }

  #speak(description: SipMessage): void {
    const parsed = parseSdp(sdpOf(description) ?? "");
    const audio = parsed.ok ? parsed.value.media.find(({ media, port }) => media === "audio" && port > 0) : undefined;
    if (audio?.connection) this.#voice?.speakTo(audio.connection.address, audio.port);
  }

  #sdp(): string {
    const { address } = this.#line.local;
    const family = address.includes(":") ? "IP6" : "IP4";
    return [
      "v=0",
      `o=- 1 1 IN ${family} ${address}`,
      "s=-",
      `c=IN ${family} ${address}`,
      "t=0 0",
      `m=audio ${this.#voice?.port ?? 9} RTP/AVP 0 101`,
      "a=rtpmap:0 PCMU/8000",
      "a=rtpmap:101 telephone-event/8000",
      "",
    ].join("\r\n");
  }

  #respond(status: number, body = ""): void {
    if (!this.#invite) return;
    this.#response = this.#written(this.#invite, status, body);
    this.#sendAgain();
  }

  #sendAgain(): void {
    if (this.#response !== "") this.#line.send(this.#response, this.#peer);
  }

  #respondTo(request: SipMessage, status: number, body = ""): void {
    this.#line.send(this.#written(request, status, body), this.#peer);
  }

  #written(request: SipMessage, status: number, body: string): string {
    const { address, port } = this.#line.local;
    return writeResponse(request, this.#peer, {
      status,
      toTag: status === 100 ? "" : this.#tag,
      lines: `Contact: <sip:${address}:${port}>\r\n`,
      contentType: body === "" ? "" : "application/sdp",
      body,
    });
  }

  #newVia(): string {
    this.#branch = `${MAGIC_COOKIE}${randomBytes(8).toString("hex")}`;
    return this.#via(this.#branch);
  }

  #via(branch: string): string {
    const { address, port } = this.#line.local;
    return `SIP/2.0/UDP ${address}:${port};branch=${branch};rport`;
  }

  /** Sends immediately and retransmits until `#stopRepeating`, or gives up. */
  #repeat(text: string, giveUp: () => void): void {
    this.#stopRepeating();
    this.#line.send(text, this.#peer);
    let times = 0;
    const timer = setInterval(() => {
      if (++times <= REPEATS_MAX) this.#line.send(text, this.#peer);
      else giveUp();
    }, REPEAT_MS);
    this.#timers.add(timer);
    this.#stopRepeating = () => clearInterval(timer);
  }

  #after(ms: number, run: () => void): void {
    this.#timers.add(setTimeout(run, ms));
  }

  #end(status: number): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const timer of this.#timers) clearInterval(timer);
    this.#voice?.close();
    this.#settle({ status });
    this.#user?.ended(status);
    this.#line.done(this.callId);
  }
}

function toOf({ headers }: SipMessage): string {
  return headers[headers.indexOf("to") + 1] ?? "";
}
