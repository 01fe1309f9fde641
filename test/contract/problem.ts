// The form of every refusal.

import { expect } from "vitest";

export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string | null;
  readonly instance: string | null;
  readonly code: string;
  readonly traceId: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}

/** Words that would reveal internals. */
const INSIDES =
  /node_modules|node:internal|\.ts:\d|\.js:\d|\bat [\w.<>]+ \(|select .* from|insert into|pg_|SQLSTATE|\/tmp\//i;

export function checkProblemText(text: string, status: number): ProblemBody {
  expect(text).not.toMatch(INSIDES);
  const body = JSON.parse(text) as ProblemBody;
  expect(body).toMatchObject({
    type: expect.stringMatching(/^https:\/\/tools\.ietf\.org\/html\/rfc\d+#section-[\d.]+$/),
    title: expect.stringMatching(/\S/),
    status,
    code: expect.stringMatching(/^[a-z]+(-[a-z]+)*$/),
    traceId: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/),
  });
  expect(body).toHaveProperty("detail");
  expect(body).toHaveProperty("instance");
  expect(body.errors !== undefined).toBe(status === 400);
  return body;
}

/** Reads a refusal and checks it against the conventions. */
export async function problemOf(response: Response, status: number): Promise<ProblemBody> {
  const text = await response.text();
  expect(response.status, text).toBe(status);
  expect(response.headers.get("x-request-id")).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  return checkProblemText(text, status);
}
