// The reader accepts exactly what is documented; no server is needed. For every operation, input generated from its
// page of the document passes the reader, and input that breaks one documented rule does not. A changed rule of a
// schema changes both. Rules that need facts (is it a number, is it yours) belong to the handlers. A failure prints the
// seed; TANDEM_FUZZ_SEED=<seed> repeats it.

import fc, { type Arbitrary } from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Operation } from "../../src/adapters/http/core/operation.ts";
import { readRequest } from "../../src/adapters/http/core/run-operation.ts";
import { codePoints } from "../../src/adapters/http/core/schemas.ts";
import {
  type AnyOperation,
  asText,
  type Documented,
  documented,
  type Given,
  goodInput,
  operations,
} from "./documented.ts";
import { type Broken, broken, type Schema, type SchemaWorld, valid, validatorOf } from "./from-schema.ts";

const SEED = Number(process.env.TANDEM_FUZZ_SEED ?? Date.now() & 0x7fffffff);
const GOOD_RUNS = 25;
const BROKEN_RUNS_PER_RULE = 1;

interface BrokenInput {
  readonly rule: string;
  readonly given: Given;
}

function brokenInputs(page: Documented): readonly Arbitrary<BrokenInput>[] {
  const { world, params, query, body } = page;
  const good = goodInput(page);
  const within = (place: keyof Given, bad: Arbitrary<Broken>) =>
    fc.tuple(good, bad).map(([given, { rule, value }]) => ({
      rule: `${place}: ${rule}`,
      given: { ...given, [place]: value },
    }));
  return [
    ...brokenText(world, params).map((bad) => within("params", bad)),
    ...brokenText(world, query).map((bad) => within("query", bad)),
    ...(body ? broken(world, body, "json").map((bad) => within("body", bad)) : []),
  ];
}

function brokenText(world: SchemaWorld, schema: Schema): readonly Arbitrary<Broken>[] {
  const good = valid(world, schema).map(asText);
  const members = Object.entries(schema.properties ?? {});
  return [
    good.map((value) => ({ rule: "no other parameters", value: { ...value, noSuchParameter: "1" } })),
    ...(schema.required ?? []).map((name) =>
      good.map(({ [name]: _, ...value }) => ({ rule: `required: ${name}`, value: value as unknown })),
    ),
    ...members.flatMap(([name, member]) =>
      broken(world, member, "text").map((bad) =>
        fc.tuple(good, bad).map(([value, { rule, value: unfit }]) => ({
          rule: `${name}: ${rule}`,
          value: { ...value, [name]: unfit },
        })),
      ),
    ),
  ];
}

/** The faults that the reader reports. */
async function faultsOf(operation: AnyOperation, { params, query, body }: Given): Promise<unknown> {
  const reader = operation as Operation;
  const form = reader.form && reader.body && (await reader.form.read(reader.body, body, {}));
  const read = readRequest(reader, { params, query }, body, form);
  if (!read.ok) return read.refusal;
  const shaped = read.value.body as { faults?: readonly unknown[]; data?: { errors: object } } | undefined;
  if (reader.readBody && shaped?.faults?.length) return shaped.faults;
  return reader.form && Object.keys(shaped?.data?.errors ?? {}).length > 0 ? shaped?.data?.errors : undefined;
}

/** The reader accepts input if and only if it is documented. */
async function hold(operation: AnyOperation): Promise<void> {
  const page = documented(operation);
  await fc.assert(
    fc.asyncProperty(goodInput(page), async (given) => {
      expect(await faultsOf(operation, given)).toBeUndefined();
    }),
    { seed: SEED, numRuns: GOOD_RUNS, endOnFailure: true },
  );
  const isValidBody = page.body ? validatorOf(page.world, page.body) : () => true;
  for (const inputs of brokenInputs(page)) {
    for (const { rule, given } of fc.sample(inputs, { seed: SEED, numRuns: BROKEN_RUNS_PER_RULE })) {
      const what = `${rule} is broken by ${JSON.stringify(given).slice(0, 300)}`;
      if (rule.startsWith("body")) expect(isValidBody(given.body), `${what}, says the test`).toBe(false);
      expect(await faultsOf(operation, given), what).toBeDefined();
    }
  }
}

type Place = "params" | "query" | "body";

interface Mutant {
  readonly what: string;
  readonly operation: AnyOperation;
  /** Whether the input is affected by the changed rule. */
  readonly touches: (given: Given) => boolean;
}

const unwrapped = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
    ? unwrapped(schema.def.innerType as z.ZodType)
    : schema;

/**
 * Copies of an operation in which one rule of one schema is changed: a member is missing, or a text has a maximum
 * length.
 */
function mutantsOf(operation: AnyOperation): readonly Mutant[] {
  return (["params", "query", "body"] as const).flatMap((place) => {
    const schema = operation[place] && unwrapped(operation[place]);
    if (!(schema instanceof z.ZodObject)) return [];
    return Object.keys(schema.shape).flatMap((name) => mutantsOfMember(operation, place, schema.shape, name));
  });
}

const LENGTH_MAX = 3;

function mutantsOfMember(operation: AnyOperation, place: Place, shape: z.ZodRawShape, name: string): readonly Mutant[] {
  const { [name]: member, ...others } = shape;
  const inner = unwrapped(member as z.ZodType);
  const givenTo = (given: Given) => (given[place] as Readonly<Record<string, unknown>> | undefined)?.[name];
  const { maxLength = 0, pattern } = z.toJSONSchema(inner, { unrepresentable: "any" }) as Schema;
  const mutant = (what: string, changed: z.ZodRawShape): AnyOperation =>
    ({ ...operation, [place]: z.strictObject(changed).meta({ id: `Mutant${what}` }) }) as AnyOperation;
  const forgotten = {
    what: `${place} without ${name}`,
    operation: mutant("Forgotten", others),
    touches: (given: Given) => givenTo(given) !== undefined,
  };
  if (
    !(inner instanceof z.ZodString) ||
    maxLength <= LENGTH_MAX ||
    (pattern !== undefined && !pattern.includes("\\p"))
  ) {
    return [forgotten];
  }
  const shorter = {
    what: `${place} with a shorter ${name}`,
    operation: mutant("Shorter", { ...others, [name]: inner.check(codePoints(0, LENGTH_MAX)).optional() }),
    touches: (given: Given) => [...String(givenTo(given) ?? "").trim()].length > LENGTH_MAX,
  };
  return [forgotten, shorter];
}

const hasInput = ({ params, query, body }: AnyOperation) => Boolean(params ?? query ?? body);
const named = operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const);

describe(`with seed ${SEED}`, () => {
  test.each(named)("%s takes what is documented and nothing else", (_name, operation) => hold(operation));

  test.each(named.filter(([, operation]) => hasInput(operation)))(
    "%s: another rule in a schema is another document and another reader",
    async (_name, operation) => {
      const page = documented(operation);
      const mutants = mutantsOf(operation);
      expect(mutants.length).toBeGreaterThan(0);
      for (const { what, operation: mutant, touches } of mutants) {
        expect(documented(mutant), what).not.toEqual(page);
        const [given] = fc.sample(goodInput(page).filter(touches), { seed: SEED, numRuns: 1 });
        expect(await faultsOf(operation, given as Given), what).toBeUndefined();
        expect(await faultsOf(mutant, given as Given), what).toBeDefined();
      }
    },
  );
});

test("every operation of the documents is looked at", () => {
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  expect(operations.length).toBeGreaterThan(80);
});
