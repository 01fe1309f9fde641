// Looks up a batch of numbers. Answers are in the order of the input; a number that is repeated, perhaps written in
// another way, is looked up once; an invalid number gets an error in its place.

import { type ParsedNumber, parseNumber } from "../../../rules/numbers/parse-number.ts";
import { answerFor, type LookupDeps } from "./look-up-number.ts";
import type { LookupAnswer } from "./number-info.ts";

/** Enough to keep the store and the providers busy, few enough not to starve other requests. */
const UNDER_WAY_MAX = 32;
/** After so many, other requests are answered. */
const STRETCH = 100;

export type BatchItem =
  | { readonly kind: "answered"; readonly answer: LookupAnswer }
  | { readonly kind: "refused"; readonly number: string; readonly error: string };

/** `country`: the account's, in which numbers without a plus are read. */
export async function lookUpNumbers(
  deps: LookupDeps,
  inputs: readonly string[],
  country: string | null,
): Promise<readonly BatchItem[]> {
  const parsed = inputs.map((input) => parseNumber(input, country));
  const distinct = new Map<string, ParsedNumber>();
  for (const result of parsed) {
    if (result.ok) distinct.set(result.value.e164, result.value);
  }
  const answers = await answerAll(deps, [...distinct.values()]);
  return parsed.map((result, at): BatchItem => {
    if (!result.ok) return { kind: "refused", number: inputs[at] ?? "", error: result.refusal.reason };
    return { kind: "answered", answer: answers.get(result.value.e164) as LookupAnswer };
  });
}

async function answerAll(deps: LookupDeps, numbers: readonly ParsedNumber[]): Promise<Map<string, LookupAnswer>> {
  const answers = new Map<string, LookupAnswer>();
  const left = numbers.values();
  let rest = Promise.resolve();
  async function work(): Promise<void> {
    for (const number of left) {
      answers.set(number.e164, await answerFor(deps, number));
      if (answers.size % STRETCH === 0) rest = new Promise<void>((resolve) => deps.clock.soon(resolve));
      await rest;
    }
  }
  await Promise.all(Array.from({ length: Math.min(UNDER_WAY_MAX, numbers.length) }, work));
  return answers;
}
