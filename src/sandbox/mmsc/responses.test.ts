import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { silent } from "../../../test/fakes/silent-log.ts";
import { systemClock } from "../../base/clock.ts";
import type { ForwardRequest, Mm4Message } from "../../wire/mm4/messages.ts";
import { conductOf } from "./behaviour.ts";
import { Responses } from "./responses.ts";

const TO = "+15559870002";
const request: ForwardRequest = {
  kind: "forward",
  transactionId: '"T1"',
  messageId: '"M1@mms.tandem.test"',
  from: "+15551230001/TYPE=PLMN@mms.tandem.test",
  to: [`${TO}/TYPE=PLMN@mmsc.sandbox.test`],
  originatorSystem: "system-user@mms.tandem.test",
  isAckRequested: true,
  isReportRequested: true,
  date: new Date("2026-05-04T03:02:01Z"),
  subject: "",
  text: "hi",
  media: [],
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Kinds of the mails, in the order in which they were sent to a peer that refuses the first `refusals`. */
async function sentTo(refusals: number, responseCode: number): Promise<readonly Mm4Message["kind"][]> {
  const sent: Mm4Message["kind"][] = [];
  const responses = new Responses({
    name: "mmsc.sandbox.test",
    clock: systemClock,
    log: silent,
    reportDelayMs: 1,
    conductOf: () => conductOf("delivered"),
    async send({ kind }) {
      sent.push(kind);
      if (sent.length <= refusals) throw Object.assign(new Error("no"), { responseCode });
    },
  });
  responses.respond({ request, recipients: [TO], timers: new Set() }, "Ok", true);
  await vi.advanceTimersByTimeAsync(3_600_000);
  responses.close();
  return sent;
}

test("what the peer refuses for now is sent again", async () => {
  expect(await sentTo(2, 451)).toEqual(["response", "deliveryReport", "response", "deliveryReport"]);
});

test("what the peer never accepts is given up in the end", async () => {
  expect(await sentTo(Number.POSITIVE_INFINITY, 451)).toHaveLength(22);
});

test("what the peer refuses permanently is not sent again", async () => {
  expect(await sentTo(2, 554)).toEqual(["response", "deliveryReport"]);
});
