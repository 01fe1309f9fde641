// Shares the contacts of registered trunks with other processes, through the store.
//
// Guarantees: reads and writes follow one another, so nothing that was read is older than what was written before it.
// New and changed contacts are written at once, many in one statement; one that was only refreshed is written when a
// third of its time has passed, so that what is stored does not expire before it. While the store fails, this process
// goes on with what it knows, and tries again. A contact is one of one trunk at one of our places.

import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { ContactStore, RegisteredContact, StoredContact } from "../../domain/voice/registered-contact.ts";

export interface RegistrationBookDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Without one, contacts are known to this process alone. */
  readonly store?: ContactStore | undefined;
  /** Where we receive UDP. */
  readonly places: () => readonly string[];
  /** `trunks`: those that were read. */
  readonly learn: (contacts: readonly StoredContact[], trunks: ReadonlySet<string> | "all") => void;
}

/** What this process has to say of a contact. */
interface Entry {
  contact: RegisteredContact;
  isRemoved: boolean;
  /** When it was stored last. */
  writtenMs: number | undefined;
  /** When it is to be stored; undefined: it is. */
  dueMs: number | undefined;
}

/** What comes meanwhile goes into the same statement. */
const GATHER_MS = 100;
const PAUSE_MS = 1000;

export class RegistrationBook {
  readonly #deps: RegistrationBookDeps;
  readonly #entries = new Map<string, Entry>();
  #toRead: Set<string> | "all" = new Set();
  #exchanging: Promise<void> = Promise.resolve();
  #wakes: { readonly ms: number; readonly cancel: () => void } | undefined;
  #isClosed = false;

  constructor(deps: RegistrationBookDeps) {
    this.#deps = deps;
  }

  /** Whether we have said anything of it that is not known to be obsolete. */
  has(contact: RegisteredContact): boolean {
    return this.#entries.has(keyOf(contact));
  }

  /** Whether it was stored as it is. */
  isStored(contact: RegisteredContact): boolean {
    const entry = this.#entries.get(keyOf(contact));
    return entry !== undefined && entry.writtenMs !== undefined && !entry.isRemoved;
  }

  /** We hold it. `isChanged`: more than its times. */
  bind(contact: RegisteredContact, isChanged: boolean): void {
    const nowMs = this.#nowMs;
    const { writtenMs, dueMs: beforeMs = Number.POSITIVE_INFINITY } = this.#entries.get(keyOf(contact)) ?? {};
    const thirdMs = (contact.expiresOn.getTime() - this.#deps.clock.now().getTime()) / 3;
    const dueMs = Math.min(beforeMs, isChanged || writtenMs === undefined ? nowMs : writtenMs + thirdMs);
    this.#note({ contact, isRemoved: false, writtenMs, dueMs });
  }

  /** We do not hold it any more. */
  unbind(contact: RegisteredContact): void {
    this.#note({ contact, isRemoved: true, writtenMs: undefined, dueMs: this.#nowMs });
  }

  /** It is stored as ours. */
  know(contact: RegisteredContact): void {
    const entry = { contact, isRemoved: false, writtenMs: this.#nowMs, dueMs: undefined };
    this.#entries.set(keyOf(contact), entry);
  }

  /** Contacts of the trunk may have changed. */
  reread(trunk: string | "all"): void {
    if (trunk === "all") this.#toRead = "all";
    else if (this.#toRead !== "all") this.#toRead.add(trunk);
    this.#wakeBy(this.#nowMs);
  }

  /** Resolves when everything is known that was stored. */
  async load(): Promise<void> {
    this.#toRead = "all";
    await this.#exchange();
  }

  /** Stores what is not stored yet. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wakes?.cancel();
    await this.#exchanging;
    for (const entry of this.#entries.values()) entry.dueMs &&= this.#nowMs;
    await this.#write().catch((error: Error) => this.#failed(error));
  }

  get #nowMs(): number {
    return this.#deps.clock.elapsedMs();
  }

  #note(entry: Entry & { readonly dueMs: number }): void {
    if (!this.#deps.store) return;
    this.#entries.set(keyOf(entry.contact), entry);
    this.#wakeBy(entry.dueMs);
  }

  #wakeBy(ms: number): void {
    const { store, clock } = this.#deps;
    if (!store || this.#isClosed || (this.#wakes && this.#wakes.ms <= ms)) return;
    this.#wakes?.cancel();
    const wake = () => {
      this.#wakes = undefined;
      void this.#exchange();
    };
    this.#wakes = { ms, cancel: clock.after(Math.max(GATHER_MS, ms - this.#nowMs), wake) };
  }

  #exchange(): Promise<void> {
    this.#exchanging = this.#exchanging.then(async () => {
      try {
        await this.#write();
        await this.#read();
        const nextMs = Math.min(...[...this.#entries.values()].map(({ dueMs }) => dueMs ?? Number.POSITIVE_INFINITY));
        // Those that are due one after another are written together.
        if (Number.isFinite(nextMs)) this.#wakeBy(Math.max(nextMs, this.#nowMs + PAUSE_MS));
      } catch (error) {
        this.#failed(error as Error);
      }
    });
    return this.#exchanging;
  }

  #failed({ message: reason }: Error): void {
    this.#deps.log.warn({ reason }, "registrations were not stored or read");
    this.#wakeBy(this.#nowMs + PAUSE_MS);
  }

  async #write(): Promise<void> {
    const nowMs = this.#nowMs;
    const due = [...this.#entries].filter(([, { dueMs }]) => dueMs !== undefined && dueMs <= nowMs);
    if (due.length === 0) return;
    const contacts = (isRemoved: boolean) =>
      due.flatMap(([, entry]) => (entry.isRemoved === isRemoved ? [entry.contact] : []));
    await this.#deps.store?.write(contacts(false), contacts(true));
    for (const [key, entry] of due) {
      const isLast = this.#entries.get(key) === entry;
      entry.writtenMs = nowMs;
      entry.dueMs = undefined;
      if (entry.isRemoved && isLast) this.#entries.delete(key);
    }
  }

  async #read(): Promise<void> {
    const { store, places, learn } = this.#deps;
    const trunks = this.#toRead;
    if (!store || (trunks !== "all" && trunks.size === 0)) return;
    this.#toRead = new Set();
    try {
      const names = trunks === "all" ? trunks : [...trunks];
      const ours = places();
      let contacts = await store.list(names);
      if (contacts.some((one) => one.holder === "nobody" && one.transport === "UDP" && ours.includes(one.place))) {
        await store.adopt(ours);
        contacts = await store.list(names);
      }
      learn(contacts, trunks);
    } catch (error) {
      const later = this.#toRead as Set<string> | "all";
      this.#toRead = trunks === "all" || later === "all" ? "all" : new Set([...trunks, ...later]);
      throw error;
    }
  }
}

function keyOf({ trunk, place, uri }: RegisteredContact): string {
  return `${trunk} ${place} ${uri}`;
}
