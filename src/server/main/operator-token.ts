// The first operator token: the environment's, or one made at the first start and shown once.

import { digestOfToken, tokenMaker } from "../../adapters/secrets.ts";
import type { OpenStore } from "../../adapters/store/store.ts";

const ENVIRONMENT = "environment";
const FIRST = "first";

/** Answers the token where this start knows its text: given by the environment, or made just now. */
export async function ensureOperatorToken(
  store: OpenStore,
  given: string | undefined,
  now: Date,
): Promise<string | undefined> {
  if (given !== undefined) {
    if ((await store.directory.operator(given)) !== undefined) return given;
    await store.transaction(async ({ operatorTokens }) => {
      await operatorTokens.remove(ENVIRONMENT);
      await operatorTokens.insert(ENVIRONMENT, digestOfToken(given), now);
    });
    return given;
  }
  if ((await store.operatorTokens.list()).length > 0) return undefined;
  const token = tokenMaker.make();
  const made = await store.transaction(({ operatorTokens }) => operatorTokens.insert(FIRST, token.digest, now));
  return made ? token.text : undefined;
}
