// Reads portability from a number's NAPTR records: RFC 6116 (ENUM), RFC 4769 (the pstn service).
//
// Guarantees: any records give a finding or a refusal, never an exception; a finding is only taken from records about
// the number that was asked for. Does not follow non-terminal rules. Called by the ENUM provider.

import { ok, type Result, refused } from "../../base/result.ts";
import { rewriteNumber } from "./enum-rewrite.ts";
import { type PortabilityQuestion, portabilityOf, readSubscriber } from "./portability-uri.ts";
import type { LiveFinding } from "./ports.ts";

export interface NaptrRecord {
  readonly flags: string;
  readonly service: string;
  readonly regexp: string;
  readonly order: number;
  readonly preference: number;
}

/** `too-many-records`: more than any proper zone has for a number. `unreadable`: no pstn rule could be used. */
export type EnumRefusal = "too-many-records" | "unreadable";

const RECORDS_MAX = 100;

// RFC 6116 3.2: digits in reverse order, a dot between them, then the apex.
export function enumName(number: string, suffix: string): string {
  const digits = number.replace(/\D/g, "");
  return [...digits]
    .reverse()
    .join(".")
    .concat(".", suffix.replace(/^\.+|\.+$/g, ""));
}

export function readNaptrs(
  question: PortabilityQuestion,
  records: readonly NaptrRecord[],
): Result<LiveFinding, EnumRefusal> {
  if (records.length > RECORDS_MAX) return refused("too-many-records");
  const rules = records.filter(isPstnRule).sort(byOrder);
  let anyReadable = rules.length === 0;
  for (const rule of rules) {
    const uri = rewriteNumber(rule.regexp, question.number);
    const subscriber = uri === undefined ? undefined : readSubscriber(uri);
    const finding = subscriber?.number === question.number ? portabilityOf(question, subscriber) : undefined;
    if (finding?.kind === "found") return ok(finding);
    if (finding) anyReadable = true;
  }
  return anyReadable ? ok({ kind: "notFound" }) : refused("unreadable");
}

function isPstnRule(record: NaptrRecord): boolean {
  if (record.flags.toLowerCase() !== "u") return false;
  // RFC 6116 3.4.3: "E2U" 1*("+" type 0*(":" subtype)), case does not matter.
  const [e2u, ...services] = record.service.toLowerCase().split("+");
  return e2u === "e2u" && services.some(isPstnService);
}

function isPstnService(service: string): boolean {
  const [type, ...subtypes] = service.split(":");
  if (type !== "pstn") return false;
  return subtypes.length === 0 || subtypes.includes("tel") || subtypes.includes("sip");
}

/** A name server returns rules of equal rank in any order; sorting them by text keeps the answer stable. */
function byOrder(a: NaptrRecord, b: NaptrRecord): number {
  return a.order - b.order || a.preference - b.preference || (a.regexp < b.regexp ? -1 : Number(a.regexp > b.regexp));
}
