import { describe, expect, test } from "vitest";
import { newCall } from "../../../test/fakes/new-call.ts";
import type { Call } from "./call.ts";
import type { CallStepKind } from "./ports.ts";
import { summariseCall, trailOf } from "./summarise-call.ts";

const CREATED = new Date("2026-01-01T10:00:00Z");
const secondsIn = (seconds: number) => new Date(CREATED.getTime() + seconds * 1000);
const CALL = newCall({ sid: "CA1", accountSid: "AC1", createdOn: CREATED });
const ENDED: Call = { ...CALL, status: "Completed", endReason: "Busy", endedBy: "Second", completedOn: secondsIn(20) };
const noted = (seconds: number, step: CallStepKind, details: Readonly<Record<string, unknown>> = {}) => ({
  at: secondsIn(seconds),
  step,
  details,
});

describe("the summary", () => {
  test("of a call under way says only that", () => {
    expect(summariseCall(CALL, [])).toEqual({ what: "It is Ringing.", why: "The call is under way.", advice: null });
  });

  test("of a call that was never connected says why, and what to do", () => {
    const what = "The parties were never connected.";
    expect(summariseCall(ENDED, [])).toEqual({ what, why: "The line was busy.", advice: "Call again later." });
  });

  test("of a call that was connected says for how long, and who hung up", () => {
    const call: Call = { ...ENDED, endReason: "Completed", endedBy: "First", answeredOn: secondsIn(8) };
    expect(summariseCall(call, [])).toEqual({
      what: "The parties talked for 12 s.",
      why: "The first party, +14155550101, hung up.",
      advice: null,
    });
  });

  test("of a call that a party left before it was connected says which", () => {
    const [first] = CALL.legs;
    if (!first) throw new Error("The call has no leg.");
    const second = { ...first, leg: "Second", direction: "Outbound", to: "+13035550101" } as const;
    const call: Call = { ...ENDED, legs: [first, second], endReason: "Canceled" };
    const why = "The second party, +13035550101, hung up before both parties were connected.";
    expect(summariseCall(call, []).why).toBe(why);
  });

  test("of a called party that answered and hung up before it was connected says which, though others were called", () => {
    const [first] = CALL.legs;
    if (!first) throw new Error("The call has no leg.");
    const second = { ...first, leg: "Second", direction: "Outbound" } as const;
    const declined = { ...second, to: "+13035550101", answeredOn: secondsIn(5), endReason: "NoAnswer" } as const;
    const canceled = { ...second, to: "+13035550102", endReason: "Canceled" } as const;
    const call: Call = { ...ENDED, legs: [first, declined, canceled], endReason: "NoAnswer" };
    const { why, advice } = summariseCall(call, []);
    expect(why).toBe("The second party, +13035550101, hung up before both parties were connected.");
    expect(advice).toBeNull();
    const unanswered: Call = { ...call, legs: [first, { ...declined, answeredOn: null }] };
    expect(summariseCall(unanswered, []).why).toBe("Nobody answered in time.");
  });

  test("of a party that gave no response does not advise to let it ring longer", () => {
    const [first] = ENDED.legs;
    const legs = first ? [{ ...first, rangOn: null }] : [];
    const { why, advice } = summariseCall({ ...ENDED, endReason: "NoAnswer", legs }, [
      noted(4, "silent", { reason: "No response came from 192.0.2.1:5060 (UDP)." }),
    ]);
    expect(why).toBe("The called side did not even ring. No response came from 192.0.2.1:5060 (UDP).");
    expect(advice).toContain("firewall");
  });

  test("gives the advice that was noted", () => {
    const steps = [noted(1, "script", { reason: "The voice speaks en.", advice: "Leave language out." })];
    expect(summariseCall({ ...ENDED, endReason: "ScriptInvalid" }, steps).advice).toBe("Leave language out.");
  });

  test("repeats the reasons that were noted, and nothing that is no sentence", () => {
    const reasons = ["No port was free.", "", undefined, 486, "The disk was full."];
    const steps = reasons.map((reason) => noted(1, "ending", { reason }));
    expect(summariseCall(ENDED, steps).why).toBe("The line was busy. No port was free. The disk was full.");
  });
});

describe("the trail", () => {
  const stepsOf = (call: Call, notes: Parameters<typeof trailOf>[1]) => trailOf(call, notes).map(({ step }) => step);

  test("lists what happened in the order of time, with the end last", () => {
    const legs = CALL.legs.map((leg) => ({ ...leg, rangOn: secondsIn(1), answeredOn: secondsIn(3) }));
    const call: Call = { ...ENDED, legs, answeredOn: secondsIn(6) };
    const notes = [noted(2, "script"), noted(20, "ending"), noted(25, "recording")];
    const steps = ["created", "rang", "script", "answered", "joined", "ending", "recording", "ended"];
    expect(stepsOf(call, notes)).toEqual(steps);
    expect(trailOf(call, notes).at(-1)).toEqual({
      at: secondsIn(20),
      step: "ended",
      details: { endReason: "Busy", endedBy: "Second", legs: [{ leg: "First", sipCode: null, media: null }] },
    });
  });

  test("of a call under way has no end", () => {
    expect(stepsOf(CALL, [noted(1, "received")])).toEqual(["created", "rang", "received"]);
  });
});
