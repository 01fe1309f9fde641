// Whether the responses to senders, our records, our events and what the carrier received are consistent. Pure.

import { groupBy } from "./group-by.ts";

export interface OutboundRecord {
  readonly sid: string;
  readonly text: string;
  readonly status: string;
  readonly errorCode: number;
  readonly segmentCount: number;
}

export interface ReceivedMessage {
  readonly text: string;
  /** False when parts of it are missing. */
  readonly isWhole: boolean;
}

export interface StatusEvent {
  readonly Sid: string;
  readonly Sequence: number;
  readonly Status: string;
  readonly PreviousStatus: string;
}

export interface InboundRecord {
  readonly sid: string;
  readonly text: string;
}

export interface InboundEvent {
  readonly sid: string;
  readonly text: string;
}

export interface Evidence {
  /** Token → sid of the messages answered with 200. */
  readonly acknowledged: ReadonlyMap<string, string>;
  readonly records: readonly OutboundRecord[];
  readonly events: readonly StatusEvent[];
  readonly received: readonly ReceivedMessage[];
  /** Parts that the carrier accepted. */
  readonly submits: number;
}

const OUTCOME_UNKNOWN = 3100;

export const tokenOf = (text: string) => text.split(" ", 1)[0] as string;

/** Descriptions of the faults; empty if there are none. */
export function faultsIn(evidence: Evidence): readonly string[] {
  const copies = groupBy(evidence.received, ({ text }) => tokenOf(text));
  return [
    ...acknowledgedFaults(evidence),
    ...evidence.records.flatMap((record) => endFaults(record, copies.get(tokenOf(record.text)) ?? [])),
    ...eventFaults(evidence),
    ...strangers(evidence),
    ...submitFaults(evidence),
  ];
}

export function unknownIn(records: readonly OutboundRecord[]): number {
  return records.filter(isUnknown).length;
}

const isUnknown = ({ status, errorCode }: OutboundRecord) => status === "Failed" && errorCode === OUTCOME_UNKNOWN;

function acknowledgedFaults({ acknowledged, records }: Evidence): readonly string[] {
  const sidOf = new Map(records.map(({ sid, text }) => [tokenOf(text), sid]));
  const lost = [...acknowledged].filter(([token, sid]) => sidOf.get(token) !== sid);
  const twice = records.filter(({ sid, text }) => sidOf.get(tokenOf(text)) !== sid);
  return [
    ...lost.map(([token, sid]) => `${token}: acknowledged as ${sid}, and no such message is known`),
    ...twice.map(({ text }) => `${tokenOf(text)}: stored twice`),
  ];
}

function endFaults(record: OutboundRecord, copies: readonly ReceivedMessage[]): readonly string[] {
  const token = tokenOf(record.text);
  const { status, errorCode } = record;
  if (copies.length > 1) return [`${token}: the carrier got it ${copies.length} times, and it is ${status}`];
  if (isUnknown(record)) return [];
  if (status !== "Delivered") return [`${token}: ended as ${status} with ${errorCode}`];
  const [copy] = copies;
  return copy?.isWhole && copy.text === record.text
    ? []
    : [`${token}: Delivered, and the carrier did not get it whole`];
}

/**
 * Every change has one event: numbered without gaps, each starting from the status before, the last with the present
 * status.
 */
function eventFaults({ records, events }: Evidence): readonly string[] {
  const bySid = groupBy(events, ({ Sid }) => Sid);
  return records.flatMap(({ sid, text, status }) => {
    const told = (bySid.get(sid) ?? []).toSorted((one, other) => one.Sequence - other.Sequence);
    const statuses = ["Queued", ...told.map(({ Status }) => Status)];
    const fits = told.every(
      ({ Sequence, PreviousStatus, Status }, at) =>
        Sequence === at + 1 && PreviousStatus === statuses[at] && Status !== PreviousStatus,
    );
    if (fits && statuses.at(-1) === status) return [];
    const story = told.map((event) => `${event.Sequence}: ${event.PreviousStatus} → ${event.Status}`).join(", ");
    return [`${tokenOf(text)}: is ${status}, and its events say ${story || "nothing"}`];
  });
}

function strangers({ records, received }: Evidence): readonly string[] {
  const known = new Set(records.map(({ text }) => tokenOf(text)));
  const unknown = received.filter(({ text }) => !known.has(tokenOf(text)));
  return unknown.map(({ text }) => `${tokenOf(text)}: the carrier got it, and it is not of this round's messages`);
}

/** Detects a part that was sent twice, even when the handset ignored it. */
function submitFaults({ records, submits }: Evidence): readonly string[] {
  const partsOf = (some: readonly OutboundRecord[]) => some.reduce((sum, { segmentCount }) => sum + segmentCount, 0);
  const least = partsOf(records.filter(({ status }) => status === "Delivered"));
  const most = least + partsOf(records.filter(isUnknown));
  if (submits >= least && submits <= most) return [];
  return [`the carrier accepted ${submits} parts, and not from ${least} to ${most}`];
}

export interface InboundEvidence {
  /** Texts that were acknowledged to the carrier. */
  readonly answered: readonly string[];
  readonly records: readonly InboundRecord[];
  readonly events: readonly InboundEvent[];
}

/** What was acknowledged to a carrier is stored once and reported once, and there is nothing else. */
export function inboundFaultsIn({ answered, records, events }: InboundEvidence): readonly string[] {
  const wanted = new Set(answered);
  const stored = groupBy(records, ({ text }) => text);
  const told = groupBy(events, ({ text }) => text);
  return [
    ...answered
      .filter((text) => stored.get(text)?.length !== 1)
      .map((text) => `${tokenOf(text)}: stored ${stored.get(text)?.length ?? 0} times`),
    ...records.filter(({ text }) => !wanted.has(text)).map(({ text }) => `${tokenOf(text)}: stored as nobody sent it`),
    ...records
      .filter(({ sid, text }) => {
        const [event, ...more] = told.get(text) ?? [];
        return event?.sid !== sid || more.length > 0;
      })
      .map(({ text }) => `${tokenOf(text)}: told ${told.get(text)?.length ?? 0} times`),
  ];
}
