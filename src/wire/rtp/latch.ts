// Which sender is the peer (symmetric RTP). Behind a NAT a peer sends from another port than its SDP says, and wants
// its audio there; a stranger who guesses our port must get nothing of the call.
//
//   open ──valid packets from the negotiated address──▶ locked to address, port
//   locked ──peer silent, same SSRC from another port of its address──▶ locked to that port
//   locked to another port ──valid packets from the negotiated port──▶ locked to the negotiated port
//   any ──new negotiation with another address or port──▶ open
//
// Guarantees: only the negotiated IP address is ever listened to; its negotiated port wins over others of the same
// address; once locked, other ports of that address are strangers as long as the peer is heard.

/** Packets in a row, from another port than the negotiated one, before we believe that it is the peer. */
const PROOF = 3;
/** The same for another source (SSRC) at the port where the peer is. */
const SOURCE_PROOF = 2;
/** So long the peer was not heard when another port of its address may take over. */
export const SILENT_MS = 2000;
const NONE = -1;

export class Latch {
  #address = "";
  #negotiatedPort = 0;
  #port: number | undefined;
  #ssrc = NONE;
  #heardMs = 0;
  #candidatePort = 0;
  #candidateSsrc = NONE;
  #candidateSequence = 0;
  #proof = 0;

  /** What the SDP says. The lock is kept where it has not changed. */
  negotiate(address: string, port: number): void {
    if (address === this.#address && port === this.#negotiatedPort) return;
    this.#address = address;
    this.#negotiatedPort = port;
    this.#port = undefined;
    this.#ssrc = NONE;
    this.#proof = 0;
  }

  /** Where to send: the SDP's port until the peer is heard. */
  get port(): number {
    return this.#port ?? this.#negotiatedPort;
  }

  /** Locked to the negotiated port: nobody else may be heard before the peer was silent for SILENT_MS. */
  get isSettled(): boolean {
    return this.#port !== undefined && this.#port === this.#negotiatedPort;
  }

  get address(): string {
    return this.#address;
  }

  /** Cheap, and asked first: whether a packet from there can be the peer's at all. */
  mayBePeer(address: string, port: number, nowMs: number): boolean {
    if (address !== this.#address) return false;
    const isKnown = port === this.#port || port === this.#negotiatedPort || this.#port === undefined;
    return isKnown || nowMs - this.#heardMs >= SILENT_MS;
  }

  /** Whether this valid packet is the peer's. */
  accept(port: number, ssrc: number, sequence: number, nowMs: number): boolean {
    const isPeerPort = port === this.port;
    if (!isPeerPort && !this.#mayTakeOver(port, ssrc, nowMs)) return false;
    const isNewSource = ssrc !== this.#ssrc && this.#ssrc !== NONE;
    const needed = isPeerPort ? (isNewSource ? SOURCE_PROOF : 0) : PROOF;
    if (needed > 0 && !this.#isProven(port, ssrc, sequence, needed)) return false;
    this.#port = port;
    this.#ssrc = ssrc;
    this.#heardMs = nowMs;
    return true;
  }

  #mayTakeOver(port: number, ssrc: number, nowMs: number): boolean {
    if (this.#port === undefined || port === this.#negotiatedPort) return true;
    return ssrc === this.#ssrc && nowMs - this.#heardMs >= SILENT_MS;
  }

  /** So many packets of one source that follow one another. */
  #isProven(port: number, ssrc: number, sequence: number, needed: number): boolean {
    const isNext =
      port === this.#candidatePort &&
      ssrc === this.#candidateSsrc &&
      sequence === ((this.#candidateSequence + 1) & 0xffff);
    this.#proof = isNext ? this.#proof + 1 : 1;
    this.#candidatePort = port;
    this.#candidateSsrc = ssrc;
    this.#candidateSequence = sequence;
    return this.#proof >= needed;
  }
}
