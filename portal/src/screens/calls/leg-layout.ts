// The positions on the timeline of a call, in percent of its width. Set-up is stretched and talk compressed, so that
// both can be read: they meet at the join, whatever they lasted. Pure.

import type { Call, CallLeg } from "@tandem/sdk";
import { talkTime } from "../../components/zone.ts";

export type LegWord = "ringing" | "answered" | "completed";

/** A fact of a leg: one webhook, one numbered mark. */
export interface LegFact {
  /** From 1, in the order in which they happened. */
  readonly number: number;
  readonly leg: CallLeg["leg"];
  readonly word: LegWord;
  readonly at: string;
}

export interface LaidOutLeg {
  readonly leg: CallLeg["leg"];
  readonly ring: Span | undefined;
  readonly talk: Span | undefined;
  readonly plugs: readonly { readonly fact: LegFact; readonly left: number }[];
}

export interface Span {
  readonly left: number;
  readonly width: number;
}

export interface LaidOutRecording extends Span {
  /** Undefined: a pause. */
  readonly index: number | undefined;
}

export interface LegLayout {
  readonly join: number | undefined;
  readonly legs: readonly LaidOutLeg[];
  readonly recording: readonly LaidOutRecording[];
  readonly ticks: readonly { readonly left: number; readonly label: string }[];
}

const JOIN_AT = 42;
const END_AT = 98.5;
/** The share of the width that is divided evenly and not by time: simultaneous facts must not overlap. */
const EVEN_SHARE = 0.45;

const ORDER: Record<LegWord, number> = { ringing: 0, answered: 1, completed: 2 };

export function factsOf({ legs }: Call): readonly LegFact[] {
  const facts = legs.flatMap(({ leg, rangOn, answeredOn, completedOn }) => [
    { leg, word: "ringing" as const, at: rangOn },
    { leg, word: "answered" as const, at: answeredOn },
    { leg, word: "completed" as const, at: completedOn },
  ]);
  return facts
    .filter((fact): fact is typeof fact & { readonly at: string } => fact.at !== null)
    .sort((one, other) => {
      const byTime = one.at.localeCompare(other.at) || ORDER[one.word] - ORDER[other.word];
      return byTime || one.leg.localeCompare(other.leg);
    })
    .map((fact, index) => ({ ...fact, number: index + 1 }));
}

/** A scale from times to percent through `points`, which ascend. */
function scaleOf(points: readonly number[], left: number, right: number): (at: number) => number {
  const first = points[0] ?? 0;
  const total = (points.at(-1) ?? 0) - first || 1;
  const even = EVEN_SHARE / Math.max(1, points.length - 1);
  const places = [left];
  for (const [index, point] of points.slice(1).entries()) {
    const share = even + ((1 - EVEN_SHARE) * (point - (points[index] ?? point))) / total;
    places.push((places[index] ?? left) + share * (right - left));
  }
  return (at) => {
    const after = points.findIndex((point) => point >= at);
    if (after <= 0) return after === 0 ? left : right;
    const [from, to] = [points[after - 1] ?? first, points[after] ?? first];
    const [low, high] = [places[after - 1] ?? left, places[after] ?? right];
    return low + ((at - from) / (to - from || 1)) * (high - low);
  };
}

const ascending = (moments: readonly number[]) => [...new Set(moments)].sort((one, other) => one - other);

/** `tickGap`: the smallest distance between two time labels, in percent. */
export function layOut(call: Call, now: Date, tickGap: number): LegLayout {
  const start = Date.parse(call.createdOn);
  const end = Math.max(start + 1, call.completedOn === null ? now.getTime() : Date.parse(call.completedOn));
  const joined = call.answeredOn === null ? undefined : Date.parse(call.answeredOn);
  const facts = factsOf(call);
  const moments = facts.map(({ at }) => Math.min(end, Math.max(start, Date.parse(at))));
  const segments = segmentsOf(call, end);
  const inTalk = segments.flatMap(({ from, to }) => [from, to]);
  const middle = joined ?? end;
  const setUp = scaleOf(
    ascending([start, ...moments.filter((at) => at < middle), middle]),
    0,
    joined === undefined ? END_AT : JOIN_AT,
  );
  const talk = scaleOf(ascending([middle, ...inTalk.filter((at) => at > middle && at < end), end]), JOIN_AT, END_AT);
  const place = (at: number) => (joined === undefined || at <= joined ? setUp(at) : talk(at));
  return {
    join: joined === undefined ? undefined : JOIN_AT,
    legs: call.legs.map((leg) => legLayout(leg, facts, end, place)),
    recording: recordingLayout(segments, place),
    ticks: ticksOf([start, ...moments, ...inTalk, ...(joined === undefined ? [] : [joined]), end], {
      start,
      kept: [start, middle, end],
      place,
      tickGap,
    }),
  };
}

interface Stretch {
  readonly index: number;
  readonly from: number;
  readonly to: number;
}

function segmentsOf({ recordings }: Call, end: number): readonly Stretch[] {
  return (recordings?.segments ?? []).map(({ index, startedOn, durationSeconds }) => {
    const from = Math.min(end, Date.parse(startedOn));
    return { index, from, to: durationSeconds === null ? end : Math.min(end, from + durationSeconds * 1000) };
  });
}

function spanOf(from: number, to: number, place: (at: number) => number): Span {
  return { left: place(from), width: Math.max(0, place(to) - place(from)) };
}

function legLayout(leg: CallLeg, facts: readonly LegFact[], end: number, place: (at: number) => number): LaidOutLeg {
  const moment = (at: string | null) => (at === null ? undefined : Math.min(end, Date.parse(at)));
  const [rang, answered, completed] = [moment(leg.rangOn), moment(leg.answeredOn), moment(leg.completedOn) ?? end];
  return {
    leg: leg.leg,
    ring: rang === undefined ? undefined : spanOf(rang, answered ?? completed, place),
    talk: answered === undefined ? undefined : spanOf(answered, completed, place),
    plugs: facts
      .filter((fact) => fact.leg === leg.leg)
      .map((fact) => ({ fact, left: place(Math.min(end, Date.parse(fact.at))) })),
  };
}

function recordingLayout(segments: readonly Stretch[], place: (at: number) => number): readonly LaidOutRecording[] {
  return segments.flatMap(({ index, from, to }, at) => {
    const next = segments[at + 1];
    const segment = { index, ...spanOf(from, to, place) };
    return next ? [segment, { index: undefined, ...spanOf(to, next.from, place) }] : [segment];
  });
}

interface TickOrder {
  readonly start: number;
  /** Always shown, whatever is beside them. */
  readonly kept: readonly number[];
  readonly place: (at: number) => number;
  readonly tickGap: number;
}

function ticksOf(moments: readonly number[], { start, kept, place, tickGap }: TickOrder) {
  const shown: { left: number; at: number }[] = [];
  const isFree = (left: number) => shown.every((tick) => Math.abs(tick.left - left) >= tickGap);
  for (const at of [...kept, ...ascending(moments)]) {
    const left = place(at);
    if (isFree(left)) shown.push({ left, at });
  }
  return shown
    .sort((one, other) => one.left - other.left)
    .map(({ left, at }) => ({ left, label: sinceStart(at - start) }));
}

const MINUTE_MS = 60_000;

/** 4.1 s, 3:58. */
export function sinceStart(ms: number): string {
  if (ms >= MINUTE_MS) return talkTime(ms / 1000);
  return ms < 50 ? "0 s" : `${(ms / 1000).toFixed(1)} s`;
}
