// The clearing house's JSON ⇄ the domain's words. Reading is total: an entry that cannot be read, or is of an unknown
// kind, is counted and left out, so that it does not block the entries after it.

import { z } from "zod";
import {
  type PortChange,
  type PortDocument,
  type PortOrder,
  type PortPins,
  type PortReason,
  type PortUpdate,
  portReasonOf,
} from "../../domain/porting/index.ts";

const UPDATES_MAX = 1000;
const NUMBERS_MAX = 1000;
const TEXT_MAX = 1000;

/** Why something was refused or is held up: in an answer of status 4xx, or inside an update. */
const reasonSchema = z.object({
  code: z.string().min(1).max(100),
  detail: z.string().max(TEXT_MAX).nullish(),
});

const timestamp = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

const fields = {
  order: z.string().regex(/^PO[0-9a-f]{32}$/),
  sequence: z.int().min(1).max(0x7fff_ffff),
  at: timestamp,
  numbers: z
    .array(z.string().regex(/^\+[1-9]\d{6,14}$/))
    .min(1)
    .max(NUMBERS_MAX)
    .nullish(),
};

const updateSchema = z.discriminatedUnion("kind", [
  z.object({ ...fields, kind: z.enum(["submitted", "voiceMoved", "messagingMoved", "cancelled"]) }),
  z.object({ ...fields, kind: z.enum(["exception", "rejected"]), reason: reasonSchema }),
  z.object({ ...fields, kind: z.literal("foc"), on: timestamp }),
]);

export interface ReadUpdates {
  readonly updates: readonly PortUpdate[];
  readonly unreadable: number;
}

export function readUpdates(list: unknown): ReadUpdates {
  const entries = Array.isArray(list) ? list.slice(0, UPDATES_MAX) : [];
  const updates = entries.flatMap((entry) => {
    const { data } = updateSchema.safeParse(entry);
    return data ? [updateOf(data)] : [];
  });
  return { updates, unreadable: entries.length - updates.length };
}

function updateOf(entry: z.output<typeof updateSchema>): PortUpdate {
  const { order, sequence, at, numbers } = entry;
  return { orderSid: order, sequence, at, numbers: numbers ?? "all", change: changeOf(entry) };
}

function changeOf(entry: z.output<typeof updateSchema>): PortChange {
  switch (entry.kind) {
    case "exception":
    case "rejected":
      return { kind: entry.kind, reason: portReasonOf(entry.reason.code, entry.reason.detail ?? null) };
    case "foc":
      return { kind: entry.kind, on: entry.on };
    default:
      return { kind: entry.kind };
  }
}

/** Undefined when the body is not a clearing house's: then a proxy answered. */
export function readReason(body: unknown): PortReason | undefined {
  const { data } = reasonSchema.safeParse(body);
  return data && portReasonOf(data.code, data.detail ?? null);
}

/** The order as it is now. */
export function orderBody(order: PortOrder, pins: PortPins, documents: readonly PortDocument[]): object {
  const { requestedOn, ...details } = order.details;
  return {
    reference: order.sid,
    numbers: order.numbers.map(({ number }) => ({ number, pin: pins.get(number) ?? null })),
    ...details,
    requestedOn: requestedOn?.toISOString() ?? null,
    documents: documents.map(({ sha256, name, contentType }) => ({ sha256, name, contentType })),
  };
}

/** The sequence of the last exception, by which the clearing house distinguishes a repeated answer from a new one. */
export function answeredSequence(order: PortOrder): number {
  return Math.max(0, ...order.numbers.map(({ phase }) => (phase.kind === "exception" ? phase.sequence : 0)));
}
