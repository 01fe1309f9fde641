// Decides which sender is the peer (symmetric RTP). Behind a NAT a peer sends from a different port than its SDP names,
// and expects its audio there; a stranger who guesses our port must get nothing of the call.
//
//   open ──valid packets from the negotiated address──▶ locked to address, port
//   locked ──peer silent, same SSRC from another port of its address──▶ locked to that port
//   locked to another port ──valid packets from the negotiated port──▶ locked to the negotiated port
//   any ──new negotiation with another address or port──▶ open
//
// Guarantees: only packets from the negotiated IP address are ever accepted; its negotiated port takes precedence over
// others of the same address; once locked, other ports of that address are ignored while the peer sends.

/** Consecutive packets from a port other than the negotiated one before we accept it as the peer. */
const PROOF = 3;
/** The same for another source (SSRC) at the peer's port. */
const SOURCE_PROOF = 2;
/** How long the peer must be silent before another port of its address may take over. */
export const SILENT_MS = 2000;
const NONE = -1;

export interface PeerLatch {
  /** The address and port of the SDP. */
  negotiate(address: string, port: number): void;
  /** Where to send. */
  readonly address: string;
  readonly port: number;
  /** No other sender is accepted for now. */
  readonly isSettled: boolean;
  /** A cheap first check: whether a packet from this address and port can be the peer's at all. */
  mayBePeer(address: string, port: number, nowMs: number): boolean;
  /** Whether this valid packet comes from the peer. */
  accept(port: number, ssrc: number, sequence: number, nowMs: number, address: string): boolean;
}

export class Latch implements PeerLatch {
  #address = "";
  #negotiatedPort = 0;
  #port: number | undefined;
  #ssrc = NONE;
  #heardMs = 0;
  #candidatePort = 0;
  #candidateSsrc = NONE;
  #candidateSequence = 0;
  #proof = 0;

  /** The address and port of the SDP. The lock is kept if they have not changed. */
  negotiate(address: string, port: number): void {
    if (address === this.#address && port === this.#negotiatedPort) return;
    this.#address = address;
    this.#negotiatedPort = port;
    this.#port = undefined;
    this.#ssrc = NONE;
    this.#proof = 0;
  }

  /** Where to send: the SDP's port until a packet of the peer was accepted. */
  get port(): number {
    return this.#port ?? this.#negotiatedPort;
  }

  /** Locked to the negotiated port: no other port is accepted until the peer was silent for SILENT_MS. */
  get isSettled(): boolean {
    return this.#port !== undefined && this.#port === this.#negotiatedPort;
  }

  get address(): string {
    return this.#address;
  }

  /** A cheap first check: whether a packet from this address and port can be the peer's at all. */
  mayBePeer(address: string, port: number, nowMs: number): boolean {
    if (address !== this.#address) return false;
    const isKnown = port === this.#port || port === this.#negotiatedPort || this.#port === undefined;
    return isKnown || nowMs - this.#heardMs >= SILENT_MS;
  }

  /** Whether this valid packet comes from the peer. */
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

  /** Whether `needed` consecutive packets of one source have arrived. */
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
