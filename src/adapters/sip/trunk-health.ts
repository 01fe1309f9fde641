// Whether a trunk answers: asks by OPTIONS, and notes what came of it.

import { hostText } from "../../../rules/sip-uri.ts";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { Flow } from "./flow.ts";
import { contactOn } from "./invite.ts";
import { randomText } from "./random-text.ts";
import type { Transactions } from "./transactions.ts";
import type { Trunk } from "./trunks.ts";

/** RFC 3261 11: any final answer but 408 and 503 shows that the peer is alive. `done` is called once. */
export function askHealth(
  transactions: Transactions,
  flow: Flow,
  uri: string,
  done: (isUp: boolean, reason: string) => void,
): void {
  const draft = {
    method: "OPTIONS",
    uri,
    routes: [],
    from: `<sip:tandem@${hostText(flow.localAddress)}>;tag=${randomText(8)}`,
    to: `<${uri}>`,
    callId: randomText(12),
    cseq: 1,
    lines: `Contact: ${contactOn(flow)}\r\nAccept: application/sdp\r\n`,
    body: "",
  };
  transactions.request(draft, flow, {
    onResponse: ({ status, reason }) => {
      if (status >= 200) done(status !== 503 && status !== 408, `${status} ${reason}`);
    },
    onUnanswered: async (status, fault) => {
      const known = fault ?? (await flow.probe?.());
      done(false, known ?? (status === 408 ? "no answer to OPTIONS" : "cannot be reached"));
    },
  });
}

export function judgeTrunk(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  trunk: Trunk,
  isUp: boolean,
  reason: string,
): void {
  if (trunk.isUp !== isUp) {
    trunk.since = clock.now();
    const fields = { trunk: trunk.settings.name, reason };
    if (isUp) log.info(fields, "trunk answers again");
    else log.warn(fields, "trunk does not answer");
  }
  trunk.isUp = isUp;
  trunk.reason = reason;
}
