// The contacts of registered trunks that several processes share, in memory.

import type { SipSignalling } from "../../src/adapters/sip/signalling.ts";
import type { ContactStore, RegisteredContact } from "../../src/domain/voice/registered-contact.ts";

type Row = RegisteredContact & { readonly process: number | null };

export class ContactTable {
  readonly #rows = new Map<string, Row>();
  readonly #readers = new Set<SipSignalling>();
  readonly #now: () => Date;
  /** How many contacts were written. */
  writes = 0;
  /** Whether it answers with an error. */
  isAway = false;

  constructor(now: () => Date) {
    this.#now = now;
  }

  get rows(): readonly Row[] {
    return [...this.#rows.values()];
  }

  /** Notifies it of changes. */
  notify(sip: SipSignalling): void {
    this.#readers.add(sip);
  }

  /** As others do when the process is dead. */
  bury(process: number): void {
    for (const row of this.rows.filter((one) => one.process === process)) {
      if (row.transport === "UDP") this.#set({ ...row, process: null });
      else this.#delete(row);
    }
  }

  storeOf(process: number): ContactStore {
    return {
      list: async (trunks) =>
        this.rows
          .filter(({ trunk, expiresOn }) => expiresOn > this.#now() && (trunks === "all" || trunks.includes(trunk)))
          .map(({ process: holder, ...row }) => ({
            ...row,
            holder: holder === null ? "nobody" : holder === process ? "us" : "another",
          })),
      write: async (bound, unbound) => {
        if (this.isAway) throw new Error("The table is away.");
        this.writes += bound.length;
        for (const one of unbound) this.#delete(one);
        for (const one of bound) this.#set({ ...one, process });
      },
      adopt: async (places) => {
        for (const row of this.rows) {
          if (row.process === null && places.includes(row.place)) this.#set({ ...row, process });
        }
      },
    };
  }

  #set(row: Row): void {
    this.#rows.set(keyOf(row), row);
    for (const sip of this.#readers) sip.contactsChanged(row.trunk);
  }

  #delete(row: RegisteredContact): void {
    this.#rows.delete(keyOf(row));
    for (const sip of this.#readers) sip.contactsChanged(row.trunk);
  }
}

const keyOf = ({ trunk, uri, place }: RegisteredContact) => `${trunk} ${uri} ${place}`;
