// A new list of the API, or a new filter of one, fails here until list-cases.ts has it, of which list-plans.test.ts
// beside the store shows what is read.

import { expect, test } from "vitest";
import { twilioCallOperations } from "../src/adapters/twilio/calls.ts";
import { twilioConferenceOperations } from "../src/adapters/twilio/conferences.ts";
import { twilioMessageOperations } from "../src/adapters/twilio/messages.ts";
import { isRefused } from "../src/adapters/twilio/operation.ts";
import { twilioPhoneOperations } from "../src/adapters/twilio/phone-numbers.ts";
import { twilioRecordingOperations } from "../src/adapters/twilio/recordings.ts";
import { everyOperation } from "../src/server/parts/api.ts";
import { CASES } from "./fakes/list-cases.ts";

const OTHERWISE: readonly string[] = [
  // The campaigns that the account's configs name, which are read as a whole.
  "listMigrations",
  // Texts, of which text-search.test.ts shows what is read; the rest is other lists.
  "searchAccount",
  // In one conference.
  "twilioListParticipants",
];

const PAGING = new Set(["PageSize", "SearchId", "OrderByDirection", "Page", "PageToken"]);

/** Parameter names of every list. Operators see an account's lists by operations of their own, with the same names. */
function everyList(): ReadonlyMap<string, readonly string[]> {
  const operations = [
    ...everyOperation().map(({ operation }) => operation),
    ...[twilioCallOperations, twilioConferenceOperations, twilioMessageOperations].flat(),
    ...[twilioPhoneOperations, twilioRecordingOperations].flat(),
  ] as readonly { readonly id: string; readonly query?: unknown }[];
  return new Map(
    operations.flatMap(({ id, query }): readonly [string, readonly string[]][] => {
      const { shape = {} } = (query ?? {}) as { readonly shape?: Readonly<Record<string, unknown>> };
      const names = Object.keys(shape);
      if (!names.includes("PageSize") || id.endsWith("OfAccount")) return [];
      return [[id, names.filter((name) => !PAGING.has(name) && !isRefused(shape[name]))]];
    }),
  );
}

test("every list and each of its filters has a test of what it reads", () => {
  const known = new Map<string, Set<string>>();
  for (const { of, filters } of CASES) {
    for (const id of of) known.set(id, new Set([...(known.get(id) ?? []), ...Object.keys(filters)]));
  }
  const missing = [...everyList()].flatMap(([id, names]) =>
    known.has(id) ? names.filter((name) => !known.get(id)?.has(name)).map((name) => `${id} ${name}`) : [id],
  );
  expect(missing.toSorted()).toEqual(OTHERWISE);
});
