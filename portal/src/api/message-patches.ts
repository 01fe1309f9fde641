// What an event says of a sent message, put into the lists that are on the screen, so that they need not be read again.

import type { AccountEvent, OutboundMessage } from "@tandem/sdk";

export type Patches = ReadonlyMap<string, Partial<OutboundMessage>>;

type Fields = Readonly<Record<string, unknown>>;

/** Undefined for other events. */
export function patchOf({ type, payload, createdOn }: AccountEvent): Partial<OutboundMessage> | undefined {
  if (type !== "OutboundMessageStatusChanged") return undefined;
  const { Sid, Status, ErrorCode, ErrorDescription, SegmentCount, Carrier, EventDate = createdOn } = payload as Fields;
  return {
    sid: Sid,
    status: Status,
    errorCode: ErrorCode,
    errorDescription: ErrorDescription,
    segmentCount: SegmentCount,
    carrier: Carrier,
    statusReason: null,
    ...(Status === "Sent" && { sentOn: EventDate }),
    ...(Status === "Delivered" && { deliveredOn: EventDate }),
  } as Partial<OutboundMessage>;
}

/** Why it ended so, and in which lists it belongs now, only the server can say. */
export const hasEndedBadly = ({ status }: Partial<OutboundMessage>): boolean =>
  status !== undefined && !GOOD.has(status);

const GOOD: ReadonlySet<string> = new Set(["Queued", "Sent", "Delivered"]);

/** An event may arrive after an answer that knows more. A late receipt moves what had failed to Delivered. */
const RANKS = new Map([
  ["Queued", 0],
  ["Sent", 1],
  ["Delivered", 3],
]);
const rankOf = (status = ""): number => RANKS.get(status) ?? 2;

/**
 * The data of a query, rows or pages of rows, with the messages in it patched; the same object where nothing changes.
 * Adds the sids of the messages that it has to `found`.
 */
export function patched<Data>(data: Data, patches: Patches, found: Set<string>): Data {
  if (Array.isArray(data)) {
    const next = data.map((each) => patched(each, patches, found));
    return next.some((each, at) => each !== data[at]) ? (next as Data) : data;
  }
  if (data === null || typeof data !== "object") return data;
  const { items, sid, status } = data as { items?: unknown; sid?: string; status?: string };
  if (items !== undefined) {
    const next = patched(items, patches, found);
    return next === items ? data : { ...data, items: next };
  }
  const patch = sid === undefined ? undefined : patches.get(sid);
  if (sid === undefined || !patch) return data;
  found.add(sid);
  return rankOf(patch.status) > rankOf(status) ? { ...data, ...patch } : data;
}
