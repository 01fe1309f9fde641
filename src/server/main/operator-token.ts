// The first operator token: taken from the environment, or made at the first start. It is shown only when it was just
// made: output goes to logs and journals, where a secret from the environment does not belong.

import { digestOfToken, tokenMaker } from "../../adapters/secrets.ts";
import type { OpenStore } from "../../adapters/store/store.ts";

const ENVIRONMENT = "environment";
const FIRST = "first";

export interface KnownToken {
  readonly text: string;
  readonly source: "environment" | "demo.env" | "made";
}

export interface TokenOrder {
  /** TANDEM_OPERATOR_TOKEN. */
  readonly given: string | undefined;
  /** The token that demo.env kept from an earlier start. */
  readonly kept: string | undefined;
  readonly now: Date;
}

/** Undefined where there are tokens, but the text of none is known any more. */
export async function ensureOperatorToken(
  store: OpenStore,
  { given, kept, now }: TokenOrder,
): Promise<KnownToken | undefined> {
  const isValid = async (token: string) => (await store.directory.operator(token)) !== undefined;
  if (given !== undefined) {
    if (!(await isValid(given))) await enter(store, given, now);
    return { text: given, source: "environment" };
  }
  if (kept !== undefined && (await isValid(kept))) return { text: kept, source: "demo.env" };
  if ((await store.operatorTokens.list()).length > 0) return undefined;
  const token = tokenMaker.make();
  const isMade = await store.transaction(({ operatorTokens }) =>
    operatorTokens.insert({ name: FIRST, role: "admin", createdOn: now }, token.digest),
  );
  return isMade ? { text: token.text, source: "made" } : undefined;
}

/** Replaces the token that the environment gave before. */
async function enter(store: OpenStore, token: string, now: Date): Promise<void> {
  await store.transaction(async ({ operatorTokens }) => {
    await operatorTokens.remove(ENVIRONMENT);
    await operatorTokens.insert({ name: ENVIRONMENT, role: "admin", createdOn: now }, digestOfToken(token));
  });
}
