// Advice on refusals and failures, for the person at the keyboard.

import type { TandemError, TandemNetworkError } from "../../sdk/src/index.ts";
import { tableOf } from "../base/table.ts";

const BY_ERROR_CODE: Readonly<Record<number, string>> = {
  1: "Numbers are written with their country code, as in +14155550150.",
  2: "tandem numbers list shows your numbers, tandem numbers available those that can be had.",
  3: "Give it one with tandem numbers configure NUMBER --config SID (tandem configs list shows them), or send with --hold.",
  4: "tandem numbers show NUMBER says what it waits for; --hold sends it as soon as the number is active.",
  5: "Wait until it has changed (tandem numbers show NUMBER), or send with --hold.",
  6: "tandem numbers list shows the features of each number.",
  1001: "Numbers are written with their country code, as in +14155550150.",
  1002: "They have to write START to the sender themselves; tandem optouts list --number NUMBER shows since when.",
  1003: "Try again later; tandem messages why SID tells what the carrier said.",
  1004: "tandem lookup NUMBER says whether it takes text messages.",
  1005: "The operator of the server allows countries to an account.",
  2001: "Give --text, or --media URL.",
  2002: "Send it as several messages.",
  2004: "Leave --expires out, or choose a later time.",
  2005: "A time is written 2026-01-31T09:00:00Z, not in the past and at most 35 days ahead.",
  2006: "Media are fetched by the server from http(s) URLs that it may reach.",
  3005: "Wait until some have left: tandem messages list --status Queued.",
  3015: "tandem campaigns list shows the campaigns; the registry has to activate it again.",
  3016: "tandem campaigns list shows the campaigns; the registry has to approve it.",
  3017: "tandem campaigns list shows the campaigns; link another one with tandem campaigns link ID CONFIG.",
  3019: "The operator of the server has suspended the account.",
  3100: "It may have arrived: send it again only if getting it twice does no harm.",
};

const BY_CODE = tableOf<string>({
  unauthorized:
    "Check --account and --token, TANDEM_ACCOUNT_SID and TANDEM_TOKEN, or sign in with tandem login; tandem operator wants an operator's token.",
  "feature-off": "Ask the operator for it: tandem account request-feature FEATURE.",
  "account-suspended": "tandem account tells why, and whom to ask.",
  "admin-only":
    "An operator who may do everything can make such a token: tandem operator tokens create NAME --role admin.",
  "rate-limited": "Try again in a moment; tandem account shows the limits.",
  "idempotency-key-reused": "Choose another --key, or leave it out.",
});

interface Reason {
  readonly code?: string | undefined;
  readonly errorCode?: number | undefined;
}

export function adviceFor({ code, errorCode }: Reason): string | undefined {
  return BY_ERROR_CODE[errorCode ?? 0] ?? BY_CODE.get(code ?? "");
}

/** Reports that no answer came, and what to check. */
export function networkFaultText(error: TandemNetworkError): string {
  const advice =
    error.fault === "unreachable"
      ? "\n→ Is the server running? Its address comes from --url, TANDEM_URL, the profile (tandem profiles list) or data/demo.env."
      : "";
  return `error: ${error.message}${advice}`;
}

/** The server's reasons, the codes to look them up by, and the advice. */
export function refusalText(error: TandemError): string {
  const { code, errorCode, requestId } = error;
  const ids = [code, errorCode && `error ${errorCode}`, requestId && `request ${requestId}`].filter(Boolean);
  const advice = adviceFor(error);
  // `$` stands for the whole request.
  const faults = Object.entries(error.errors).map(([field, messages]) =>
    field === "$" ? messages.join(" ") : `${field}: ${messages.join(" ")}`,
  );
  const what = faults.length === 0 ? error.message : faults.join(" ");
  return [
    `refused (${error.status}): ${what}${ids.length === 0 ? "" : ` [${ids.join(", ")}]`}`,
    ...(advice === undefined ? [] : [`→ ${advice}`]),
  ].join("\n");
}
