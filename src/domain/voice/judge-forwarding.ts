// Judges where the calls of a number are to go, as an ordered call is judged: what is accepted can be called, unless
// the rules or the account change. The same rules are applied again at every call.

import { ok, type Result, refused } from "../../base/result.ts";
import type { Account } from "../accounts/index.ts";
import {
  type DestinationFault,
  type DialRules,
  hostFault,
  judgeCountry,
  type MayConnect,
  readDestination,
  selfFault,
} from "./judge-destination.ts";
import { allowedCountriesOf } from "./order-call.ts";
import type { CallStore } from "./ports.ts";

export interface ForwardingDeps {
  readonly calls: Pick<CallStore, "numbersOf">;
  readonly rules: DialRules;
  readonly mayConnect: MayConnect;
}

/** The destination of the calls to `number` as it is stored. */
export async function judgeForwarding(
  deps: ForwardingDeps,
  account: Account,
  number: string,
  text: string,
): Promise<Result<string, DestinationFault>> {
  const read = readDestination(text, deps.rules, account.country);
  if (!read.ok) return read;
  const fault = hostFault(deps, read.value) ?? selfFault(read.value, number);
  if (fault !== undefined) return refused({ code: "validation", reason: fault });
  const judged = judgeCountry(read.value, await allowedCountriesOf(deps, account), deps.rules);
  return judged.ok ? ok(judged.value.text) : judged;
}
