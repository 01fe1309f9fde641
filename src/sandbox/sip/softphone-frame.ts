// The frames between a person's telephone and the page that shows it: audio as 16-bit linear samples at 8 kHz,
// little-endian, 20 ms a frame; everything else as JSON. Reading is total: any octets give a frame or a reason.

import { ok, type Result, refused } from "../../base/result.ts";
import { parseStrictJson } from "../../base/strict-json.ts";
import { DIGITS } from "../../wire/rtp/telephone-event.ts";

/** The person's actions. */
export type SoftphoneOrder =
  | { readonly do: "answer" | "reject" | "hangUp" }
  | { readonly do: "call"; readonly to: string }
  | { readonly do: "press"; readonly key: string };

export type SoftphoneFrame =
  | { readonly kind: "sound"; readonly samples: Int16Array }
  | { readonly kind: "order"; readonly order: SoftphoneOrder };

const SAMPLES = 160;
const ORDER_OCTETS_MAX = 256;
const NUMBER_LENGTH_MAX = 64;
const PLAIN_ORDERS = ["answer", "reject", "hangUp"] as const;

export function readSoftphoneFrame(octets: Uint8Array, isBinary: boolean): Result<SoftphoneFrame, string> {
  return isBinary ? readSound(octets) : readOrder(octets);
}

export function writeSound(samples: Int16Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(samples.length * 2));
  for (const [at, sample] of samples.entries()) view.setInt16(at * 2, sample, true);
  return new Uint8Array(view.buffer);
}

function readSound(octets: Uint8Array): Result<SoftphoneFrame, string> {
  if (octets.length !== SAMPLES * 2) return refused(`Sound comes in frames of ${SAMPLES * 2} octets.`);
  const view = new DataView(octets.buffer, octets.byteOffset, octets.byteLength);
  const samples = Int16Array.from({ length: SAMPLES }, (_, at) => view.getInt16(at * 2, true));
  return ok({ kind: "sound", samples });
}

function readOrder(octets: Uint8Array): Result<SoftphoneFrame, string> {
  if (octets.length > ORDER_OCTETS_MAX) return refused(`An order has ${ORDER_OCTETS_MAX} octets at most.`);
  const parsed = parseStrictJson(octets);
  if (!parsed.ok) return refused("An order is JSON.");
  const order = orderOf(parsed.value);
  return order ? ok({ kind: "order", order }) : refused("This order is unknown.");
}

function orderOf(value: unknown): SoftphoneOrder | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { do: verb, to, key, ...others } = value as Readonly<Record<string, unknown>>;
  if (Object.keys(others).length > 0) return undefined;
  const plain = PLAIN_ORDERS.find((name) => name === verb);
  if (plain) return to === undefined && key === undefined ? { do: plain } : undefined;
  if (verb === "call" && typeof to === "string" && to.length <= NUMBER_LENGTH_MAX && key === undefined) {
    return { do: "call", to };
  }
  const isKey = typeof key === "string" && key.length === 1 && DIGITS.includes(key);
  return verb === "press" && isKey && to === undefined ? { do: "press", key } : undefined;
}
