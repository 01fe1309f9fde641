// Decides which sender is the peer where the SDP does not say it: behind most NATs a telephone names an address of its
// own network, which is unreachable from outside. Its audio shows where it is, if it comes from an address that is
// allowed: the one its signalling comes from, or the networks of its trunk.
//
//   open ──valid packets in a row from the negotiated or an allowed address──▶ closed, to that address and port
//   closed ──new negotiation──▶ open; until packets prove another sender, the old one stays the peer
//
// Guarantees: packets from any other address have no effect, ever; while closed, no packet moves the audio, not even
// from another port of the same address.

import type { PeerLatch } from "./latch.ts";

/** Consecutive packets of one sender that show it to be the peer. */
const PROOF = 3;
/** The same for another source (SSRC) at the peer's port. */
const SOURCE_PROOF = 2;

export class MovingLatch implements PeerLatch {
  readonly #isAllowed: (address: string) => boolean;
  #negotiatedAddress = "";
  #negotiatedPort = 0;
  #address = "";
  #port = 0;
  #isOpen = true;
  #ssrc = -1;
  #candidate = "";
  #candidateSequence = 0;
  #proof = 0;
  #judged = { address: "", isAllowed: false };

  /** `isAllowed` is asked again only when packets of another address arrive. */
  constructor(isAllowed: (address: string) => boolean) {
    this.#isAllowed = isAllowed;
  }

  negotiate(address: string, port: number): void {
    this.#isOpen = true;
    this.#proof = 0;
    if (address === this.#negotiatedAddress && port === this.#negotiatedPort) return;
    this.#negotiatedAddress = this.#address = address;
    this.#negotiatedPort = this.#port = port;
    this.#ssrc = -1;
  }

  get address(): string {
    return this.#address;
  }

  get port(): number {
    return this.#port;
  }

  get isSettled(): boolean {
    return !this.#isOpen;
  }

  mayBePeer(address: string, port: number): boolean {
    if (address === this.#address && (this.#isOpen || port === this.#port)) return true;
    return this.#isOpen && (address === this.#negotiatedAddress || this.#mayMoveTo(address));
  }

  accept(port: number, ssrc: number, sequence: number, _nowMs: number, address: string): boolean {
    const isPeer = address === this.#address && port === this.#port;
    if (!this.#isOpen && !isPeer) return false;
    const isKnown = isPeer && (ssrc === this.#ssrc || this.#ssrc === -1);
    if (!this.#isOpen && isKnown) return true;
    const proof = this.#prove(`${address} ${port} ${ssrc}`, sequence);
    if (proof >= PROOF && this.#isOpen) {
      this.#address = address;
      this.#port = port;
      this.#isOpen = false;
    } else if (!isKnown && !(isPeer && proof >= SOURCE_PROOF)) return false;
    this.#ssrc = ssrc;
    return true;
  }

  #prove(sender: string, sequence: number): number {
    const isNext = sender === this.#candidate && sequence === ((this.#candidateSequence + 1) & 0xffff);
    this.#proof = isNext ? this.#proof + 1 : 1;
    this.#candidate = sender;
    this.#candidateSequence = sequence;
    return this.#proof;
  }

  #mayMoveTo(address: string): boolean {
    if (address !== this.#judged.address) this.#judged = { address, isAllowed: this.#isAllowed(address) };
    return this.#judged.isAllowed;
  }
}
