// Schemas that several operations share. `meta({ id })` gives a schema its name in the OpenAPI documents.

import { z } from "zod";
import type { Page, PageRequest } from "../../../base/page.ts";

/** Text that can be stored and shown: no control characters, no half of a surrogate pair. */
export function text(lengthMax: number): z.ZodString {
  return z
    .string()
    .min(1)
    .max(lengthMax)
    .regex(/^\P{Cc}*$/u, "Control characters are not allowed.")
    .refine((value) => value.isWellFormed(), "This is not well-formed Unicode.");
}

export const timestamp = z.iso.datetime({ precision: 3 }).describe("ISO 8601, UTC, with milliseconds.");

export const problemSchema = z
  .looseObject({
    type: z.string().describe("A URI that names the kind of problem."),
    title: z.string(),
    status: z.int32(),
    detail: z.string().nullable(),
    instance: z.string().nullable(),
    code: z.string().describe("Stable, in kebab case: what programs should look at."),
    traceId: z.string().describe("W3C trace context, to be given to support."),
  })
  .meta({ id: "Problem" });

export const validationProblemSchema = z
  .looseObject({
    ...problemSchema.shape,
    errors: z
      .record(z.string(), z.array(z.string()))
      .describe("Field name to messages; `$` is the request as a whole."),
  })
  .meta({ id: "ValidationProblem" });

/** The parameters of every list, and the filters of one. */
export function listQuery<Shape extends z.ZodRawShape>(filters: Shape) {
  return z.strictObject({
    PageSize: z.int().min(1).max(1000).default(50),
    SearchId: z
      .string()
      .max(512)
      .refine((value) => readCursor(value) !== undefined, "This is not a searchId that a list has answered.")
      .optional()
      .describe("The `searchId` of the page before."),
    OrderByDirection: z.enum(["Ascending", "Descending"]).default("Descending"),
    ...filters,
  });
}

export function listOf<Item extends z.ZodType>(name: string, item: Item) {
  return z
    .strictObject({
      items: z.array(item),
      searchId: z.string().optional().describe("Ask for the next page with it; absent on the last."),
    })
    .meta({ id: name });
}

export interface ListQuery {
  readonly PageSize: number;
  readonly SearchId?: string | undefined;
  readonly OrderByDirection: "Ascending" | "Descending";
}

export function pageRequestOf(query: ListQuery): PageRequest {
  const after = query.SearchId === undefined ? undefined : readCursor(query.SearchId);
  return { size: query.PageSize, direction: query.OrderByDirection, after };
}

export function listBody<Item, Shown>(page: Page<Item>, show: (item: Item) => Shown): object {
  const items = page.items.map(show);
  return page.next === undefined ? { items } : { items, searchId: Buffer.from(`k ${page.next}`).toString("base64url") };
}

function readCursor(searchId: string): string | undefined {
  const text = Buffer.from(searchId, "base64url").toString("utf8");
  return /^k [\x20-\x7e]{1,200}$/.test(text) ? text.slice(2) : undefined;
}
