// How plain commands read each kind of value (base/plain-command.ts). A parser refuses invalid input; `finish` converts
// the result for the API, for values that a parser must not return, such as null.

import { InvalidArgumentError } from "commander";
import { isCountedLimit } from "../../rules/counted-limits.ts";
import type { Limit } from "../../sdk/src/index.ts";
import type { Kind } from "../base/plain-command.ts";
import {
  collect,
  collectTypes,
  oneOf,
  orNone,
  parseCount,
  parseErrorCode,
  parseEventType,
  parseMoment,
  parseMomentAhead,
  parseYesOrNo,
  someOf,
} from "./arguments.ts";
import { parseSendingTimes } from "./commands/configs/sending-times.ts";

interface KindReader {
  readonly parse?: (text: string, before?: never) => unknown;
  readonly finish?: (value: never) => unknown;
}

/** `words`: the allowed values. */
export function readerOf(kind: Kind, words: readonly string[]): KindReader {
  if (kind === "oneOf") return { parse: oneOf(words) };
  if (kind === "someOf") return { parse: someOf(words) };
  return READERS[kind];
}

const READERS: Readonly<Record<Exclude<Kind, "oneOf" | "someOf">, KindReader>> = {
  text: {},
  textOrNone: { finish: orNone },
  count: { parse: parseCount },
  countOrNone: {
    parse: (text) => (orNone(text) === null ? "none" : parseCount(text)),
    finish: (count: number | "none") => (count === "none" ? null : count),
  },
  yesOrNo: { parse: parseYesOrNo },
  since: { parse: (text) => parseMoment(text) },
  ahead: { parse: (text) => parseMomentAhead(text) },
  several: { parse: collect },
  commaWords: { parse: (text) => orNone(text)?.split(",") ?? [] },
  errorCode: { parse: parseErrorCode },
  refusalStatus: { parse: parseRefusalStatus },
  eventType: { parse: parseEventType },
  eventTypes: { parse: collectTypes },
  sendingTimes: {
    parse: (text) => ({ times: parseSendingTimes(text) }),
    finish: ({ times }: { readonly times: unknown }) => times,
  },
  limits: { parse: collectLimits },
  countries: {
    parse: collectCountries,
    finish: (named: readonly string[]) => (named.includes("OWN") ? null : named),
  },
};

function parseRefusalStatus(text: string): number {
  if (!/^[45]\d\d$/.test(text)) throw new InvalidArgumentError("A status from 400 to 599 is wanted.");
  return Number(text);
}

const LIMIT_CLASSES = [
  "lookup",
  "lookupBatch",
  "send",
  "sendToRecipient",
  "read",
  "session",
  "write",
  "call",
  "concurrentCalls",
  "webhooks",
  "weight",
] as const;
const SECONDS_MAX = 86_400;
type LimitChanges = { readonly [Class in (typeof LIMIT_CLASSES)[number]]?: Limit };

export function collectLimits(text: string, before: LimitChanges = {}): LimitChanges {
  const [, name = "", requests = "", seconds] = /^(\w+)=(\d{1,10})(?:\/(\d{1,5}))?$/.exec(text) ?? [];
  const known = LIMIT_CLASSES.find((each) => each.toLowerCase() === name.toLowerCase());
  const windowSeconds = Number(seconds ?? (isCountedLimit(known ?? "") ? 1 : Number.NaN));
  if (known === undefined || !(windowSeconds >= 1 && windowSeconds <= SECONDS_MAX)) {
    throw new InvalidArgumentError(`send=200/10 is 200 in 10 s; there are ${LIMIT_CLASSES.join(", ")}.`);
  }
  return { ...before, [known]: { requests: Number(requests), windowSeconds } };
}

function collectCountries(text: string, before: readonly string[] = []): readonly string[] {
  const named = text.split(",").map((word) => word.trim().toUpperCase());
  if (!named.every((word) => /^([A-Z]{2}|OWN)$/.test(word))) {
    throw new InvalidArgumentError("Countries are two letters, such as US; own alone means those of its numbers.");
  }
  const all = [...before, ...named];
  if (all.includes("OWN") && all.length > 1) throw new InvalidArgumentError("own stands alone.");
  return all;
}
