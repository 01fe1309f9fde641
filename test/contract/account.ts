// An account of a test's own, so that tests that count requests do not disturb one another.

import { expect } from "vitest";
import { basic, json, type TandemApi } from "../tandem.ts";

export interface TestAccount {
  readonly sid: string;
  readonly token: string;
  /** Calls the API as this account. */
  call(path: string, init?: RequestInit): Promise<Response>;
  /** As the operator: PATCHes the account. */
  change(change: object): Promise<void>;
}

export async function newAccount(
  tandem: Pick<TandemApi, "url" | "operator">,
  order: object = {},
): Promise<TestAccount> {
  const made = await tandem.operator("/operator/v1/Accounts", json("POST", { name: "Test", ...order }));
  expect(made.status).toBe(201);
  const { sid, token } = (await made.json()) as { sid: string; token: string };
  return {
    sid,
    token,
    call: (path, init) => fetch(tandem.url + path, { ...init, headers: { ...basic(sid, token), ...init?.headers } }),
    async change(change) {
      const changed = await tandem.operator(`/operator/v1/Accounts/${sid}`, json("PATCH", change));
      expect(changed.status).toBe(200);
      await changed.body?.cancel();
    },
  };
}

/** A limit of `requests` in a window that does not end during the test. */
export function limitOf(requests: number): { readonly requests: number; readonly windowSeconds: number } {
  const now = Date.now() / 1000;
  const [longest] = [86_400, 80_000].sort((a, b) => b - (now % b) - (a - (now % a)));
  return { requests, windowSeconds: longest as number };
}
