import { expect, test } from "vitest";
import type { Log } from "../base/log.ts";
import { LinkStateLog } from "./link-state-log.ts";

function logged() {
  const lines: string[] = [];
  const at = (level: string) => (fields: object) => {
    const { kind, reason } = fields as { kind: string; reason: string };
    lines.push(`${level} ${kind} ${reason}`);
  };
  const log: Log = { debug: () => {}, info: at("info"), warn: at("warn"), error: at("error") };
  let nowMs = 0;
  const states = new LinkStateLog({ link: "east", kind: "down", reason: "not started" }, { log, now: () => ++nowMs });
  return {
    lines,
    states,
    set: (kind: "down" | "connecting" | "bound" | "throttled", reason: string) => states.set({ kind, reason }),
  };
}

test("a link that fails again and again for one reason is reported once, and another reason too", () => {
  const { lines, set } = logged();
  set("connecting", "not started");
  for (let n = 0; n < 3; n++) {
    set("down", "ECONNREFUSED");
    set("connecting", "ECONNREFUSED");
  }
  set("down", "bind refused: ESME_RINVPASWD");
  set("connecting", "bind refused: ESME_RINVPASWD");
  set("bound", "bound to acme");
  set("down", "ECONNRESET");
  expect(lines).toEqual([
    "warn down ECONNREFUSED",
    "warn down bind refused: ESME_RINVPASWD",
    "info bound bound to acme",
    "warn down ECONNRESET",
  ]);
});

test("two binds of one link that are lost together are one change", () => {
  const { lines, set } = logged();
  set("bound", "bound to acme");
  set("down", "closed by the peer");
  set("down", "ECONNRESET");
  expect(lines).toEqual(["info bound bound to acme", "warn down closed by the peer"]);
});

test("since tells since when it is up, or is not, however often it tries and is throttled", () => {
  const { states, set } = logged();
  const start = states.state.since;
  set("connecting", "");
  set("down", "ECONNREFUSED");
  set("connecting", "ECONNREFUSED");
  expect(states.state).toEqual({ kind: "connecting", reason: "ECONNREFUSED", since: start });
  set("bound", "bound to acme");
  const { since } = states.state;
  expect(since.getTime()).toBeGreaterThan(start.getTime());
  set("throttled", "bound to acme");
  expect(states.state.since).toBe(since);
});
