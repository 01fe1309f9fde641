// Tickets by which a node lets a call of another node into one of its conferences: what the INVITE between them calls.
//
// Guarantees: only a process with the installation's key makes one that is read here, so an INVITE of anybody else is
// treated as one to a number that does not exist, and costs no lookup for its ticket. A ticket is good for seconds; the
// store knows for which call and conference it is, and has it used once.

import { createHmac, randomBytes } from "node:crypto";
import { isSameSignature, type SecretKey } from "./secrets.ts";

export interface ConferenceTicket {
  /** Under which it is stored. */
  readonly id: string;
  /** The user part of a SIP URI. */
  readonly text: string;
  readonly expiresOn: Date;
}

/** Includes the INVITE's repetitions, and what the clocks of two machines differ. */
const VALID_MS = 30_000;
const ID_BYTES = 16;
const SIGNATURE_BYTES = 16;
const TICKET = /^conference-([0-9a-f]{32})-([0-9a-z]{8,10})-([0-9a-f]{32})$/;

export class ConferenceTickets {
  readonly #keys: () => readonly SecretKey[];
  readonly #now: () => Date;

  /** The first key signs; any of them may have signed. */
  constructor(keys: () => readonly SecretKey[], now: () => Date) {
    this.#keys = keys;
    this.#now = now;
  }

  make(): ConferenceTicket {
    const [key] = this.#keys();
    if (!key) throw new Error("there is no secret key");
    const id = randomBytes(ID_BYTES).toString("hex");
    const expiresOn = new Date(this.#now().getTime() + VALID_MS);
    const until = expiresOn.getTime().toString(36);
    return { id, expiresOn, text: `conference-${id}-${until}-${signatureOf(key, id, until).toString("hex")}` };
  }

  /** The id of a ticket of ours that is still good. */
  read(text: string): string | undefined {
    const [, id, until, signature] = TICKET.exec(text) ?? [];
    if (id === undefined || until === undefined || signature === undefined) return undefined;
    const given = Buffer.from(signature, "hex");
    const isOurs = this.#keys().some((key) => isSameSignature(given, signatureOf(key, id, until)));
    return isOurs && Number.parseInt(until, 36) >= this.#now().getTime() ? id : undefined;
  }
}

/** The key itself encrypts; what signs is derived from it. */
function signatureOf({ octets }: SecretKey, id: string, until: string): Buffer {
  const key = createHmac("sha256", octets).update("conference tickets").digest();
  return createHmac("sha256", key).update(`${id} ${until}`).digest().subarray(0, SIGNATURE_BYTES);
}
