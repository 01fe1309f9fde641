import { expect, test } from "vitest";
import { z } from "zod";
import { Unavailable } from "../../../base/unavailable.ts";
import type { Account } from "../../../domain/accounts/index.ts";
import { invalid, type Problem, problem } from "../../../domain/problems.ts";
import type { RefusedRequest } from "../../../domain/refused-requests.ts";
import { accountOperation, tagged } from "./operation.ts";
import { PER_MINUTE_MAX, RefusalLog, WAITING_MAX } from "./refusal-log.ts";

const TRACE = `00-${"a".repeat(32)}-${"b".repeat(16)}-00`;
const FORGED = problem("unauthorized", "The account or the token is wrong.");
const MISSING = problem("not-found", "The account has no number.");
const configure = accountOperation({
  id: "configure",
  summary: "A config",
  route: "POST /Configs/{sid}",
  limit: "write",
  writes: true,
  params: z.strictObject({ sid: z.string() }),
  body: z.strictObject({ name: z.string(), sendingTimes: z.strictObject({ from: z.string() }) }).optional(),
  answers: {},
  refusals: [],
  handle: async () => ({ ok: false, refusal: problem("conflict") }),
});
const [operation] = tagged("Test", [configure]);

/** A log whose clock the test moves. */
function newLog() {
  let nowMs = 0;
  const log = new RefusalLog({ now: () => new Date(nowMs) } as ConstructorParameters<typeof RefusalLog>[0]);
  const kept: RefusedRequest[] = [];
  return {
    log,
    kept,
    nextMinute: () => {
      nowMs += 60_000;
    },
    note: (refusal: Problem, sid?: string) =>
      log.note(
        {
          id: "request",
          caller:
            sid === undefined
              ? null
              : { kind: "account", account: { sid } as Account, toolWrites: false, token: 1, isPerson: false },
        },
        operation,
        { problem: refusal, traceId: TRACE },
      ),
    flush: () => log.flush(async (requests) => void kept.push(...requests)),
  };
}

test("a refused request is kept with what tells it from others", async () => {
  const { note, flush, kept } = newLog();
  note(MISSING, "AC1");
  note(FORGED);
  await flush();
  const shared = { createdOn: new Date(0), traceId: TRACE, requestId: "request" };
  expect(kept).toStrictEqual([
    { ...shared, accountSid: "AC1", operation: "configure", status: 404, code: "not-found", fault: MISSING.detail },
    { ...shared, accountSid: null, operation: "configure", status: 401, code: "unauthorized", fault: FORGED.detail },
  ]);
});

test("of what was sent only names of fields are kept, and those only that the operation has", async () => {
  const { note, flush, kept } = newLog();
  const said = ["my-secret is none of these."];
  note(invalid({ "sendingTimes.my-secret": said, "SID[3]": said, "my-secret": said, other: said, $: said }), "AC1");
  await flush();
  expect(kept[0]?.fault).toBe("sendingTimes, SID, a field that is not known, $");
  expect(JSON.stringify(kept)).not.toContain("my-secret");
});

test("a flood of one kind is cut off and counted, and hides neither other kinds nor other accounts", async () => {
  const { log, note, flush, kept, nextMinute } = newLog();
  for (let at = 0; at < PER_MINUTE_MAX + 7; at++) note(FORGED);
  note(MISSING);
  note(FORGED, "AC1");
  await flush();
  expect(kept).toHaveLength(PER_MINUTE_MAX + 2);
  expect([log.takeDropped(), log.takeDropped()]).toStrictEqual([7, 0]);
  nextMinute();
  note(FORGED);
  await flush();
  expect(kept).toHaveLength(PER_MINUTE_MAX + 3);
});

test("what waits is bounded", async () => {
  const { log, note, flush, kept } = newLog();
  for (let at = 0; at < WAITING_MAX + 3; at++) note(MISSING, `AC${at}`);
  await flush();
  expect(kept).toHaveLength(WAITING_MAX);
  expect(log.takeDropped()).toBe(3);
});

test("what the database cannot take for now waits, in order; what it refuses is dropped and counted", async () => {
  const { log, note, flush, kept } = newLog();
  note(MISSING, "AC1");
  const away = async () => {
    throw new Unavailable("away");
  };
  await expect(log.flush(away)).rejects.toThrow("away");
  note(MISSING, "AC2");
  await flush();
  expect(kept.map(({ accountSid }) => accountSid)).toStrictEqual(["AC1", "AC2"]);
  note(MISSING, "AC3");
  const bad = async () => {
    throw new Error("bad row");
  };
  await expect(log.flush(bad)).rejects.toThrow("bad row");
  expect(log.takeDropped()).toBe(1);
  await flush();
  expect(kept).toHaveLength(2);
});
