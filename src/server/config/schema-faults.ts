// Reads a value by a schema and describes all of its faults in words: where each is, and what is allowed there. The
// given text is not repeated, because it may be a secret; only a word where one of several is expected is repeated.

import type { z } from "zod";
import { nearName } from "../../base/near-name.ts";
import { ok, type Result, refused } from "../../base/result.ts";
import { memberNames, memberOf, nodesAt, type SchemaNode, wantedIn } from "./setting-words.ts";

export interface SchemaFault {
  readonly path: readonly PropertyKey[];
  /** Such as `a whole number from 1 to 10 is wanted`. */
  readonly text: string;
  /** What was given, such as `a list of 3`. */
  readonly given?: string | undefined;
  /** What the setting is for. */
  readonly about?: string | undefined;
}

/** `words` is the schema's JSON Schema. */
export function readBySchema<Schema extends z.ZodType>(
  schema: Schema,
  words: SchemaNode,
  value: unknown,
): Result<z.output<Schema>, readonly SchemaFault[]> {
  // Issues without a message of the schema's own get an empty one.
  const parse = (input: unknown) => schema.safeParse(input, { error: () => "" });
  const parsed = parse(value);
  if (parsed.success) return ok(parsed.data);
  const { issues } = parsed.error;
  // Zod checks nothing else after a fraction where a whole number is expected.
  const fractions = issues.filter(
    ({ code, path }) => code === "invalid_type" && isFraction(path.reduce(memberOf, value)),
  );
  const isOther = (issue: z.core.$ZodIssue) => !fractions.some(({ path }) => isSame(path, issue.path));
  const whole = fractions.reduce((all, { path }) => replaced(all, path, Math.trunc), value);
  const others = (fractions.length === 0 ? issues : (parse(whole).error?.issues ?? [])).filter(isOther);
  return refused([...fractions, ...others].flatMap((issue) => faultsOf(issue, [], words, value)));
}

const isFraction = (value: unknown) => typeof value === "number" && !Number.isInteger(value);

function isSame(one: readonly PropertyKey[], other: readonly PropertyKey[]): boolean {
  return one.length === other.length && one.every((step, at) => step === other[at]);
}

/** A copy with the number at the path changed. */
function replaced(
  value: unknown,
  [step, ...rest]: readonly PropertyKey[],
  change: (number: number) => number,
): unknown {
  if (step === undefined) return change(value as number);
  const inner = replaced(memberOf(value, step), rest, change);
  if (Array.isArray(value)) return value.with(Number(step), inner);
  return { ...(value as object), [step]: inner };
}

function faultsOf(
  issue: z.core.$ZodIssue,
  above: readonly PropertyKey[],
  words: SchemaNode,
  value: unknown,
): readonly SchemaFault[] {
  const path = [...above, ...issue.path];
  const nodes = nodesAt(words, path, value);
  const given = path.reduce(memberOf, value);
  if (issue.code === "unrecognized_keys") {
    const names = memberNames(nodes, given);
    return issue.keys.map((key) => ({ path: [...path, key], text: unknownText(key, names) }));
  }
  if (issue.code === "invalid_union") {
    // A fault within the intended alternative is more useful than the report that none fits.
    const meant = issue.errors.find((errors) => errors.some(isWithin));
    if (meant) return meant.flatMap((error) => faultsOf(error, path, words, value));
  }
  if (issue.code === "invalid_key") return issue.issues.map(({ message }) => ({ path, text: message }));
  const about = nodes.length === 1 ? nodes[0]?.description : undefined;
  return [{ path, ...(issue.message ? { text: issue.message } : wantedText(nodes, given)), about }];
}

const isWithin = ({ code, path }: z.core.$ZodIssue) => code === "unrecognized_keys" || path.length > 0;

function unknownText(name: string, names: readonly string[]): string {
  const near = nearName(name, names);
  return `there is no such setting; ${near === undefined ? `there are ${names.join(", ")}` : `is ${near} meant?`}`;
}

function wantedText(nodes: readonly SchemaNode[], given: unknown): Pick<SchemaFault, "text" | "given"> {
  const wanted = wantedIn(nodes, given) ?? "something else";
  if (given === undefined) return { text: `it is missing; ${wanted} is wanted` };
  const isWord = typeof given === "string" && wanted.startsWith("one of ") && !wanted.includes(", or ");
  return { text: `${wanted} is wanted`, given: isWord ? given.slice(0, 40) : kindOf(given) };
}

function kindOf(value: unknown): string {
  if (typeof value === "string") return value === "" ? "an empty text" : `text of ${value.length} characters`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === "object" && value !== null ? "an object" : String(value);
}
