// Shared by commands that work on the server's database instead of its API.

import { RefusedError } from "./exit-codes.ts";

/** The server's settings and log. */
export async function serverContext() {
  const { readConfig } = await import("../server/config/config.ts");
  const { openLog } = await import("../server/main/log.ts");
  const config = readConfig(process.env);
  if (!config.ok) throw new RefusedError(`The settings are not right:\n  ${config.refusal.join("\n  ")}`);
  return { config: config.value, log: openLog("warn", { fd: process.stderr.fd, stream: () => process.stderr }) };
}

export function orRefuse<Value>(
  result: { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly refusal: string },
): Value {
  if (result.ok) return result.value;
  throw new RefusedError(result.refusal);
}
