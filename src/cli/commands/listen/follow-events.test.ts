import { expect, test } from "vitest";
import type { AccountEvent } from "../../../../sdk/src/index.ts";
import { eventJsonLine, eventLine } from "./event-line.ts";
import { followEvents } from "./follow-events.ts";
import type { Forwarded } from "./forward-event.ts";

const CREATED_ON = "2026-01-01T00:00:00.000Z";

function eventOf(id: string, resourceSid: string, type: AccountEvent["type"] = "OptOutChanged"): AccountEvent {
  return { id, type, resourceSid, createdOn: CREATED_ON, payload: { Number: "+1" } } as AccountEvent;
}

function answered(status: number | null, failure: string | null = null): Forwarded {
  return { webhookSid: "listen-1", status, failure, ms: 12 };
}

async function* streamOf(...events: readonly AccountEvent[]) {
  yield* events;
}

test("events are forwarded, seen and counted; a slow answer about one resource holds up no other", async () => {
  const seen: string[] = [];
  let release: (forwarded: Forwarded) => void = () => undefined;
  const followed = await followEvents({
    events: streamOf(eventOf("1", "A"), eventOf("2", "A"), eventOf("3", "B"), eventOf("4", "C")),
    forward: async ({ id }) => {
      if (id === "1") return new Promise<Forwarded>((resolve) => (release = resolve));
      if (id === "4") release(answered(500));
      return answered(id === "3" ? null : 204);
    },
    report: ({ id }) => seen.push(id),
  });
  expect(followed).toEqual({ events: 4, failures: 2 });
  expect(seen.indexOf("3")).toBeLessThan(seen.indexOf("1"));
  expect(seen.indexOf("1")).toBeLessThan(seen.indexOf("2"));
});

test("without a receiver events are only seen, and unwanted types not at all", async () => {
  const seen: string[] = [];
  const followed = await followEvents({
    events: streamOf(eventOf("1", "A"), eventOf("2", "B", "TcrCampaignImported")),
    types: new Set(["TcrCampaignImported"] as const),
    report: ({ id }, forwarded) => {
      expect(forwarded).toBeUndefined();
      seen.push(id);
    },
  });
  expect(followed).toEqual({ events: 1, failures: 0 });
  expect(seen).toEqual(["2"]);
});

test("what ends the stream is not swallowed", async () => {
  async function* broken() {
    yield eventOf("1", "A");
    throw new Error("refused");
  }
  await expect(followEvents({ events: broken(), report: () => undefined })).rejects.toThrow("refused");
});

test("a line has time, type, resource, answer and duration", () => {
  const event = eventOf("1", `OM${"0".repeat(32)}`);
  expect(eventLine(event, answered(204))).toMatch(
    /^2026-01-01T00:00:00\.000Z {2}OptOutChanged {2,}OM0{32} {2}204 {2}12 ms\n$/,
  );
  expect(eventLine(event, answered(null, "nothing listens there"))).toMatch(
    /failed: nothing listens there {2}12 ms\n$/,
  );
  expect(eventLine(event, undefined)).toMatch(/OM0{32}\n$/);
  expect(eventLine(event, answered(null, "\u001b[2J"))).not.toContain("\u001b");
});

test("a JSON line is the event, with what became of it", () => {
  const event = eventOf("1", "A");
  expect(JSON.parse(eventJsonLine(event, undefined))).toEqual(event);
  expect(JSON.parse(eventJsonLine(event, answered(204)))).toEqual({ ...event, forwarded: answered(204) });
  expect(eventJsonLine(event, answered(204)).split("\n")).toHaveLength(2);
});
