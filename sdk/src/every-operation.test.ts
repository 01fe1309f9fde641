import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createClient, createOperatorClient } from "./index.ts";

/** Fits every argument: in a path it is `x`, and it has the members of a list. */
const ANYTHING = ["x"];

/** Calls every method of a client and of what its methods return, and returns the requests that were sent. */
async function askedBy(create: (fetch: typeof globalThis.fetch) => object): Promise<readonly string[]> {
  const asked: string[] = [];
  const client = create(async (url, { method } = {}) => {
    asked.push(`${method} ${new URL(String(url)).pathname}`);
    return Response.json({ items: [] });
  });
  const visit = async (value: unknown): Promise<void> => {
    if (typeof value === "function") await visit(value(ANYTHING, ANYTHING, ANYTHING, ANYTHING));
    else if (value instanceof Promise) await value;
    else if (isStream(value)) await value.next().catch(() => undefined);
    else if (typeof value === "object") for (const member of Object.values(value ?? {})) await visit(member);
  };
  await visit(client);
  return asked;
}

function isStream(value: unknown): value is AsyncGenerator {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

function documented(): readonly string[] {
  const { paths } = JSON.parse(readFileSync(new URL("../../api/tandem.json", import.meta.url), "utf8"));
  return Object.entries(paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, "x")}`),
  );
}

/** Messages are served under two prefixes. */
const onePrefix = (operation: string) => operation.replace(" /messaging/v1/", " /v1/");

test("every documented operation has a method", async () => {
  const baseUrl = "http://localhost:8080";
  const asked = [
    ...(await askedBy((fetch) => createClient({ baseUrl, accountSid: "AC1", token: "t", fetch, retries: 0 }))),
    ...(await askedBy((fetch) => createOperatorClient({ baseUrl, token: "t", fetch, retries: 0 }))),
  ].map(onePrefix);
  const wanted = documented().map(onePrefix);
  expect(wanted.length).toBeGreaterThan(100);
  expect(wanted.filter((operation) => !asked.includes(operation))).toEqual([]);
});
