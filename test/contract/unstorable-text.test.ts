// What PostgreSQL cannot store, NUL and lone surrogates, passes no reader: in every text of every operation, written in
// every way (a JSON escape, a percent sequence, bytes, a JSON list inside a field, brackets, commas, a repeated field,
// `Name[]`), it is refused or does not reach the handler. Needs no server. A failure prints the seed;
// TANDEM_FUZZ_SEED=<seed> repeats it.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkDocument } from "../../src/adapters/documents/check-document.ts";
import type { Operation } from "../../src/adapters/http/core/operation.ts";
import { readRequest } from "../../src/adapters/http/core/run-operation.ts";
import { parseMultipart } from "../../src/adapters/http/reading/multipart.ts";
import { readForm, readJson } from "../../src/adapters/http/reading/read-body.ts";
import type { Result } from "../../src/base/result.ts";
import { type AnyOperation, type Documented, documented, type Given, goodInput, operations } from "./documented.ts";
import { resolve, type Schema } from "./from-schema.ts";
import { formText } from "./fuzz-ports.ts";

const SEED = Number(process.env.TANDEM_FUZZ_SEED ?? Date.now() & 0x7fffffff);
const SAMPLES = 2;
const UNSTORABLE = ["\0", "\ud800"];

/** Members with a grammar of their own, which handlers parse: numbers and addresses. `fuzz.test.ts` covers them. */
const PARSED = new Set([
  ...["number", "Number", "numbers", "phone", "phones", "billingTelephoneNumber", "from", "to", "recipients"],
  ...["url", "backupUrl", "callsForwardedTo", "script"],
]);

/** The first text that cannot be stored; undefined if there is none. */
function unstorableIn(value: unknown): string | undefined {
  if (typeof value === "string") return value.isWellFormed() && !value.includes("\0") ? undefined : value;
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const isParsed = PARSED.has(name) && (typeof member === "string" || isTexts(member));
    const found = unstorableIn(name) ?? (isParsed ? undefined : unstorableIn(member));
    if (found !== undefined) return found;
  }
  return undefined;
}

const isTexts = (value: unknown) => Array.isArray(value) && value.every((item) => typeof item === "string");

/** The handler's input; undefined when the request is refused. */
async function handed(
  operation: AnyOperation,
  { params, query }: Given,
  body: Result<unknown, unknown>,
): Promise<unknown> {
  if (!body.ok) return undefined;
  const reader = operation as Operation;
  const deps = { checkDocument };
  const form = reader.form && reader.body && (await reader.form.read(reader.body, body.value, deps));
  const read = readRequest(reader, { params, query }, body.value, form);
  if (!read.ok) return undefined;
  const shaped = read.value.body as { faults?: readonly unknown[]; data?: { errors: object } } | undefined;
  const isRefused = (shaped?.faults?.length ?? 0) > 0 || Object.keys(shaped?.data?.errors ?? {}).length > 0;
  return isRefused ? undefined : read.value;
}

/** Copies of a value, each with one of its texts changed. */
function variants(value: unknown, change: (text: string) => readonly unknown[]): readonly unknown[] {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) {
    return value.flatMap((item, at) => variants(item, change).map((changed) => value.with(at, changed)));
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    variants(member, change).map((changed) => ({ ...value, [name]: changed })),
  );
}

const within = (text: string) => UNSTORABLE.flatMap((bad) => [`${text}${bad}`]);

/** Ways to write a text where forms and queries accept a list. */
const LISTS: readonly ((text: string) => unknown)[] = [
  (text) => text,
  (text) => JSON.stringify([text]),
  (text) => JSON.stringify(["x", text]),
  (text) => `[x,${text}]`,
  (text) => `["x",'${text}']`,
  (text) => `x,${text}`,
  (text) => ["x", text],
  (text) => ["x", JSON.stringify([text])],
  (text) => ["x", `[${text}]`],
];
const TEXTS = ["", "http://127.0.0.1:9/", "+14155550100"];
const hostile = TEXTS.flatMap(within).flatMap((text) => LISTS.map((write) => write(text)));

const namesIn = ({ world }: Documented, schema: Schema | undefined): readonly string[] =>
  Object.keys((schema?.$ref === undefined ? schema : resolve(world, schema.$ref))?.properties ?? {});

const utf8 = (text: string) => Buffer.from(text);

/** Half of a surrogate pair is encoded as if UTF-8 had such characters. */
function percent(text: string): string {
  return [...text]
    .map((character) => (character.isWellFormed() ? encodeURIComponent(character) : "%ED%A0%80"))
    .join("");
}

function formOf(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined)
    .flatMap(([name, value]) => [value].flat().map((one) => `${encodeURIComponent(name)}=${percent(String(one))}`))
    .join("&");
}

/** Form bodies, each with one field that cannot be stored. */
function spoiledForms(names: readonly string[], body: object): readonly Buffer[] {
  return names.flatMap((name) => [
    ...[name, name.toLowerCase(), `${name}[]`].flatMap((spelled) =>
      hostile.map((value) => utf8(formOf({ ...body, [name]: undefined, [spelled]: value }))),
    ),
    // Bytes instead of percent sequences.
    Buffer.from(`${formOf({ ...body, [name]: undefined })}&${name}=\0`, "latin1"),
    Buffer.from(`${formOf({ ...body, [name]: undefined })}&${name}=\xed\xa0\x80`, "latin1"),
  ]);
}

async function hold(operation: AnyOperation): Promise<number> {
  const page = documented(operation);
  let judged = 0;
  const judge = async (what: string, given: Given, body: Result<unknown, unknown>) => {
    judged += 1;
    const value = await handed(operation, given, body);
    const found = unstorableIn(value);
    if (found === undefined) return;
    throw new Error(`${what}: the handler is given ${JSON.stringify(found)} of ${JSON.stringify([given, body])}`);
  };
  for (const good of fc.sample(goodInput(page), { seed: SEED, numRuns: SAMPLES })) {
    const body: Result<unknown, unknown> = { ok: true, value: good.body };
    for (const params of variants(good.params, within)) await judge("path", { ...good, params }, body);
    for (const name of namesIn(page, page.query)) {
      for (const value of hostile) {
        await judge("query", { ...good, query: { ...(good.query as object), [name]: value } }, body);
      }
    }
    const texts = variants(good.body, within).map((value) => JSON.stringify(value));
    for (const text of texts) {
      await judge("JSON", good, readJson(utf8(text)));
      if (!operation.form) continue;
      const { text: form, type } = formText(text, []);
      await judge("form with files", good, parseMultipart(type, utf8(form)) as Result<unknown, unknown>);
    }
    if (!operation.readBody) continue;
    const names = namesIn(page, page.body);
    for (const name of names) {
      for (const value of hostile) {
        const text = JSON.stringify({ ...(good.body as object), [name]: value });
        await judge("JSON read as a form", good, readJson(utf8(text)));
      }
    }
    for (const form of spoiledForms(names, good.body as object)) await judge("form", good, readForm(form));
  }
  return judged;
}

describe(`with seed ${SEED}`, () => {
  const named = operations
    .filter(({ params, query, body }) => params ?? query ?? body)
    // It takes no text.
    .filter(({ id }) => id !== "createToken")
    .map((operation) => [`${operation.method} ${operation.path}`, operation] as const);
  test.each(named)("%s hands on nothing that cannot be stored", async (_name, operation) => {
    // A message may be JSON or a form, and its lists may be written in several ways.
    expect(await hold(operation)).toBeGreaterThan(operation.id === "sendMessage" ? 5_000 : 0);
  });
});
