// Every operation of the documents has a name, a summary and examples, and every example fits its schema. Example
// requests are accepted, and example payloads are those that are sent.

import type { ValidateFunction } from "ajv";
import { describe, expect, test } from "vitest";
import type { Operation } from "../../src/adapters/http/core/operation.ts";
import { readRequest } from "../../src/adapters/http/core/run-operation.ts";
import { samplePayload } from "../../src/adapters/http/routes/webhooks/payload-schemas.ts";
import { writeTwilioForm } from "../../src/adapters/twilio/webhook-parameters.ts";
import { EVENT_TYPES } from "../../src/domain/events.ts";
import { PAYLOAD_SHAPES } from "../../src/domain/webhooks/index.ts";
import { apiDocuments } from "../../src/server/parts/api.ts";
import { asText, operations } from "./documented.ts";
import { type Schema, validatorOf } from "./from-schema.ts";

interface Example {
  readonly $ref?: string;
  readonly value?: unknown;
}

interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Example>>;
}

interface Content {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, Media>>;
}

interface Page {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly example?: unknown }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Page>>>>;
  readonly "x-webhooks"?: Readonly<Record<string, Readonly<Record<string, Page>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly examples: Readonly<Record<string, Example>>;
    readonly responses: Readonly<Record<string, Content>>;
  };
}

const documents = apiDocuments({ hasSandbox: true }) as unknown as Readonly<Record<string, Document>>;
const document = documents.everything as Document;
const pagesOf = (source: Document) =>
  [source.paths, source["x-webhooks"] ?? {}].flatMap((paths) => Object.values(paths).flatMap(Object.values<Page>));
const pages = pagesOf(document);
const { components } = document;
const part = <Kind extends keyof Document["components"]>(kind: Kind, ref: string | undefined) =>
  components[kind][ref?.split("/").at(-1) ?? ""] as Document["components"][Kind][string];

/** The examples of a place in the document; none if it is not JSON. */
function examplesOf({ example, examples }: Media): readonly unknown[] {
  const several = Object.values(examples ?? {}).map((one) => (one.$ref ? part("examples", one.$ref) : one).value);
  return example === undefined ? several : [example, ...several];
}

const mediaOf = (content: Content) =>
  Object.entries((content.$ref ? part("responses", content.$ref) : content).content ?? {});
/** Media types share schemas, and compiling a schema takes longer than everything else. */
const validators = new Map<string, ValidateFunction>();
function validator(schema: Schema): ValidateFunction {
  const key = JSON.stringify(schema);
  const known = validators.get(key) ?? validatorOf({ components: components.schemas }, schema);
  validators.set(key, known);
  return known;
}

const isFile = ({ schema }: Media) => schema.format === "binary";

test("every operation has a name of its own and a summary", () => {
  for (const source of Object.values(documents)) {
    const ids = pagesOf(source).map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(pagesOf(source).filter(({ summary }) => !/^[A-Z].{3,}/.test(summary))).toStrictEqual([]);
  }
});

test("messages stand under their own path, and the test kit stands where a sandbox runs", () => {
  expect(Object.keys(document.paths)).toEqual(
    expect.arrayContaining(["/messaging/v1/OutboundMessages", "/testkit/v1/Emulate/inbound-message"]),
  );
  const real = apiDocuments({ hasSandbox: false }).everything as unknown as Document;
  expect(Object.keys(real.paths).filter((path) => path.startsWith("/testkit"))).toStrictEqual([]);
});

test.each(pages.map((page) => [page.operationId, page] as const))("%s: every example fits", (_id, page) => {
  const bodies = page.requestBody ? [["the request", page.requestBody] as const] : [];
  for (const [place, content] of [...bodies, ...Object.entries(page.responses)]) {
    for (const [type, media] of mediaOf(content).filter(([, media]) => !isFile(media))) {
      const examples = examplesOf(media);
      expect(examples.length, `${place} as ${type}`).toBeGreaterThan(0);
      const fits = validator(media.schema);
      for (const example of examples) expect([fits(example), fits.errors, example]).toEqual([true, null, example]);
    }
  }
});

const withInput = operations.filter(({ params, body }) => params ?? body).map((one) => [one.id, one] as const);

test.each(withInput)("%s takes the request that is shown", async (id, operation) => {
  const page = pages.find(({ operationId }) => operationId === id) as Page;
  const [[, media] = []] = page.requestBody ? mediaOf(page.requestBody) : [];
  const [shown] = media ? examplesOf(media) : [];
  const reader = operation as Operation;
  const body = reader.form ? (shown as { data: unknown }).data : shown;
  const given = (place: string) =>
    asText(
      Object.fromEntries(
        page.parameters.filter((one) => one.in === place && "example" in one).map((one) => [one.name, one.example]),
      ),
    );
  const form = reader.form && reader.body && (await reader.form.read(reader.body, body, {}));
  const read = readRequest(reader, { params: given("path"), query: given("query") }, body, form);
  expect(read).toMatchObject({ ok: true });
  if (read.ok && reader.readBody) expect(read.value.body).toMatchObject({ faults: [] });
  if (reader.form) expect(form).toMatchObject({ data: { errors: {} } });
});

describe("payloads of webhooks", () => {
  test("every event is described", () => {
    expect(Object.keys(document["x-webhooks"] ?? {})).toStrictEqual([...EVENT_TYPES]);
  });

  test.each(EVENT_TYPES.flatMap((type) => PAYLOAD_SHAPES.map((shape) => [type, shape] as const)))(
    "%s in shape %s is what is sent, member for member",
    (type, shape) => {
      const schema = components.schemas[`${type}Payload${shape === "A" ? "" : shape}`] as Schema;
      const payload = samplePayload(type, shape, writeTwilioForm);
      const fits = validator(schema);
      expect([fits(payload), fits.errors]).toEqual([true, null]);
      const { properties = {}, required = [] } = schema;
      expect(Object.keys(payload)).toEqual(expect.arrayContaining([...required]));
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(payload)));
    },
  );
});
