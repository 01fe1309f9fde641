// The first operator token: taken from the environment, or made at the first start and shown once.

import { digestOfToken, tokenMaker } from "../../adapters/secrets.ts";
import type { OpenStore } from "../../adapters/store/store.ts";

const ENVIRONMENT = "environment";
const FIRST = "first";

/** Returns the token where its text is known: when the environment gives it, or when it was made just now. */
export async function ensureOperatorToken(
  store: OpenStore,
  given: string | undefined,
  now: Date,
): Promise<string | undefined> {
  if (given !== undefined) {
    if ((await store.directory.operator(given)) !== undefined) return given;
    await store.transaction(async ({ operatorTokens }) => {
      await operatorTokens.remove(ENVIRONMENT);
      await operatorTokens.insert({ name: ENVIRONMENT, role: "admin", createdOn: now }, digestOfToken(given));
    });
    return given;
  }
  if ((await store.operatorTokens.list()).length > 0) return undefined;
  const token = tokenMaker.make();
  const made = await store.transaction(({ operatorTokens }) =>
    operatorTokens.insert({ name: FIRST, role: "admin", createdOn: now }, token.digest),
  );
  return made ? token.text : undefined;
}
