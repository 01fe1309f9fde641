// The conferences of one thread: which leg is part of which, and their common clock. A conference is there while it has
// legs.

import { ConferenceMix, conferenceTone, type MixParty } from "../../wire/rtp/conference-mix.ts";
import type { RecordingTimeline } from "../../wire/rtp/recording-timeline.ts";
import type { MediaOrder } from "./control.ts";
import type { RelayLeg } from "./relay-leg.ts";

export class Conferences {
  readonly #mixes = new Map<number, ConferenceMix>();
  /** On which they are recorded. */
  readonly #timelines = new Map<number, RecordingTimeline>();
  readonly #parties = new Map<RelayLeg, { readonly name: number; readonly party: MixParty }>();

  get areAllEmpty(): boolean {
    return this.#mixes.size === 0;
  }

  enter(leg: RelayLeg, { mix: name, speaks, hears }: MediaOrder & { readonly kind: "confer" }, nowMs: number): void {
    const known = this.#parties.get(leg);
    if (known && known.name !== name) this.leave(leg);
    const mix = this.#mixes.get(name) ?? new ConferenceMix(nowMs);
    mix.timeline = this.#timelines.get(name);
    this.#mixes.set(name, mix);
    const party = (known?.name === name ? known.party : undefined) ?? mix.enter();
    this.#parties.set(leg, { name, party });
    party.speaks = speaks;
    leg.confer(party, hears, nowMs);
  }

  leave(leg: RelayLeg): void {
    const known = this.#parties.get(leg);
    if (!known) return;
    this.#parties.delete(leg);
    leg.leaveConference();
    const mix = this.#mixes.get(known.name);
    mix?.leave(known.party);
    if (mix?.isEmpty) this.#mixes.delete(known.name);
  }

  /** What its legs say together goes on this time line from now on, or on none. */
  recordOn(name: number, timeline: RecordingTimeline | undefined): void {
    if (timeline) this.#timelines.set(name, timeline);
    else this.#timelines.delete(name);
    const mix = this.#mixes.get(name);
    if (mix) mix.timeline = timeline;
  }

  play(name: number, tone: "enter" | "exit"): void {
    this.#mixes.get(name)?.play(conferenceTone(tone));
  }

  tick(nowMs: number): void {
    for (const mix of this.#mixes.values()) mix.tick(nowMs);
  }
}
