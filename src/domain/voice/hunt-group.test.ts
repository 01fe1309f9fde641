import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { at, fed, ORDER, type Run } from "../../../test/fakes/program-run.ts";
import { beginInbound, step } from "./call-flow.ts";
import type { CallInput } from "./call-state.ts";
import type { Dial, Program } from "./program.ts";

const PARTIES = ["LG1", "LG2", "LG3"];
const hunt = (more: Partial<Dial> = {}): Dial => ({
  kind: "dial",
  legSid: "LG1",
  to: "+1",
  others: [
    { legSid: "LG2", to: "+2" },
    { legSid: "LG3", to: "+3" },
  ],
  ...more,
});
const NOBODY = { kind: "say", text: "Nobody.", times: 1 } as const;

function hunting(...program: Program): Run {
  const [state, commands] = beginInbound({ ...ORDER, program }, at(0));
  return fed({ state, commands }, { kind: "answered", leg: "First" });
}

const rings = (legSid: string, hasMedia = false): CallInput => ({ kind: "ringing", leg: "Second", legSid, hasMedia });
const answers = (legSid: string): CallInput => ({ kind: "answered", leg: "Second", legSid });
const refuses = (legSid: string, sipCode: number): CallInput => ({
  kind: "refused",
  leg: "Second",
  legSid,
  sipCode,
  reason: "",
});
const ends = (legSid: string): CallInput => ({ kind: "ended", leg: "Second", legSid, by: "peer" });
const FIRST_ENDS: CallInput = { kind: "ended", leg: "First", by: "peer" };
const LATE: CallInput = { kind: "timer", timer: "ring", leg: "Second", turn: 1 };

const done = ({ commands }: Run) =>
  commands.flatMap((one) => {
    if (one.do === "note" || one.do === "start") return [];
    if (one.do === "tell") return [`${one.legSid} ${one.status}`];
    if (one.do === "fetch") return [`fetch ${JSON.stringify(one.facts)}`];
    return ["legSid" in one ? `${one.do} ${one.legSid}` : one.do];
  });
const since = (run: Run, before: Run) => done({ ...run, commands: run.commands.slice(before.commands.length) });
const endings = ({ state }: Run) => state.call.legs.map(({ sid, endReason }) => [sid, endReason]);

describe("parties that are called at the same time", () => {
  test("are all called, hear of each other nothing, and the caller hears ringing", () => {
    const ran = fed(hunting(hunt({ callerId: "+9" })), rings("LG2", true), rings("LG1"));
    expect(done(ran).slice(4)).toEqual([
      "playRingback",
      "dial LG1",
      "dial LG2",
      "dial LG3",
      "LG2 Ringing",
      "LG1 Ringing",
    ]);
    expect(ran.commands.filter((one) => one.do === "start" && one.timer === "ring")).toHaveLength(1);
    expect(ran.state.call.legs.slice(1)).toMatchObject([
      { sid: "LG1", from: "+9", to: "+1", rangOn: at(2) },
      { sid: "LG2", from: "+9", to: "+2", rangOn: at(1) },
      { sid: "LG3", from: "+9", to: "+3", rangOn: null },
    ]);
  });

  test("the first to answer is connected, and the others are hung up before that", () => {
    const ringing = fed(hunting(hunt()), rings("LG1"), rings("LG2"));
    const ran = fed(ringing, answers("LG2"));
    expect(since(ran, ringing)).toEqual([
      ...["LG1", "LG3"].flatMap((sid) => [`hangUp ${sid}`, `drop ${sid}`, `${sid} Completed`]),
      "LG2 Answered",
      "join",
    ]);
    expect(endings(ran)).toEqual([
      ["LG0", null],
      ["LG1", "Canceled"],
      ["LG2", null],
      ["LG3", "Canceled"],
    ]);
    for (const late of [answers("LG1"), ends("LG3"), refuses("LG1", 487), rings("LG3")]) {
      expect(step(ran.state, late, at(9))).toEqual([ran.state, []]);
    }
    const over = fed(ran, ends("LG2"));
    expect(since(over, ran)).toEqual(["hangUp LG0", "LG0 Completed", "LG2 Completed", "end"]);
  });

  test("one that refuses or is lost ends alone, and one that is left is as the party of any other dial", () => {
    const before = hunting(hunt(), NOBODY);
    const fewer = fed(before, refuses("LG1", 486), ends("LG3"));
    expect(since(fewer, before)).toEqual(["drop LG1", "LG1 Completed", "drop LG3", "LG3 Completed"]);
    expect(fewer.state.call.legs[1]).toMatchObject({ endReason: "Busy", sipCode: 486 });
    expect(fewer.state.phase).toBe("DiallingSecond");
    const notes = fewer.commands.flatMap((one) => (one.do === "note" && one.step === "dialled" ? [one.details] : []));
    expect(notes).toMatchObject([
      { to: "+1", endReason: "Busy", sipCode: 486 },
      { to: "+3", endReason: "Canceled" },
    ]);
    expect(since(fed(fewer, rings("LG2", true)), fewer)).toEqual(["LG2 Ringing", "playEarlyMedia"]);
    expect(since(fed(fewer, refuses("LG2", 603)), fewer)).toEqual(["part LG2", "LG2 Completed", "speak"]);
  });

  test("nobody answers: the next instruction follows, or the call ends, the first leg first", () => {
    const before = hunting(hunt(), NOBODY);
    expect(since(fed(before, LATE), before)).toEqual([
      ...["LG1", "LG2"].flatMap((sid) => [`hangUp ${sid}`, `drop ${sid}`, `${sid} Completed`]),
      ...["hangUp LG3", "part LG3", "LG3 Completed", "speak"],
    ]);
    const alone = hunting(hunt());
    const ended = fed(alone, LATE);
    expect(since(ended, alone)).toEqual([
      ...["LG0", ...PARTIES].map((sid) => `hangUp ${sid}`),
      ...["LG0", ...PARTIES].map((sid) => `${sid} Completed`),
      "end",
    ]);
    expect(ended.state.call).toMatchObject({ endReason: "NoAnswer", endedBy: "Second" });
  });

  test("one of them, and the last one, is hung up by a request", () => {
    const hangUp = (legSid: string): CallInput => ({ kind: "hangUpParty", leg: "Second", legSid });
    const before = hunting(hunt(), NOBODY);
    const fewer = fed(before, hangUp("LG1"));
    expect(since(fewer, before)).toEqual(["hangUp LG1", "drop LG1", "LG1 Completed"]);
    expect(fed(fewer, hangUp("LG1"), hangUp("LG0"), hangUp("LG9")).commands).toEqual(fewer.commands);
    const talking = fed(fewer, answers("LG2"));
    const over = fed(talking, hangUp("LG2"));
    expect(since(over, talking)).toEqual(["hangUp LG2", "part LG2", "LG2 Completed", "speak"]);
    expect(endings(over).slice(1)).toEqual([
      ["LG1", "HungUp"],
      ["LG2", "HungUp"],
      ["LG3", "Canceled"],
    ]);
    const alone = fed(hunting(hunt()), answers("LG2"), hangUp("LG2"));
    expect(alone.state.call).toMatchObject({ endReason: "HungUp", endedBy: "Api" });
  });

  test("the last one is busy: the caller hears that", () => {
    const ran = fed(hunting(hunt()), refuses("LG3", 486), refuses("LG1", 486), refuses("LG2", 486));
    expect(ran.state.phase).toBe("Busy");
    expect(done(ran).slice(-1)).toEqual(["playBusy"]);
  });

  test("the action hears of the one that answered", () => {
    const action = { url: "after", method: "POST" } as const;
    const ran = fed(hunting(hunt({ action })), answers("LG1"), ends("LG1"));
    expect(done(ran).at(-1)).toBe('fetch {"kind":"dialled","legSid":"LG1","reason":"Completed"}');
  });

  test("the caller gives up, or the call goes on elsewhere: all of them end", () => {
    const before = hunting(hunt());
    expect(since(fed(before, FIRST_ENDS), before)).toEqual([
      ...PARTIES.map((sid) => `hangUp ${sid}`),
      ...["LG0", ...PARTIES].map((sid) => `${sid} Completed`),
      "end",
    ]);
    const went = fed(before, { kind: "redirect", program: [NOBODY] });
    expect(since(went, before).filter((one) => one.endsWith("Completed"))).toEqual(
      PARTIES.map((sid) => `${sid} Completed`),
    );
    expect(endings(went).slice(1)).toEqual(PARTIES.map((sid) => [sid, "Canceled"]));
  });

  test("answer before the caller does, where the dial asks for that", () => {
    const [state, commands] = beginInbound({ ...ORDER, program: [hunt({ answersOnBridge: true })] }, at(0));
    const ran = fed({ state, commands }, refuses("LG2", 486), answers("LG3"), { kind: "answered", leg: "First" });
    expect(done(ran).slice(5)).toEqual([
      ...["drop LG2", "LG2 Completed"],
      ...["hangUp LG1", "drop LG1", "LG1 Completed", "LG3 Ringing", "LG3 Answered"],
      ...["answer", "LG0 Answered", "join"],
    ]);
  });
});

test("whatever comes in whatever order, each leg completes once, one party is connected at most, and it ends", () => {
  const legSid = fc.constantFrom(...PARTIES);
  const input = fc.oneof(
    legSid.map((sid) => rings(sid)),
    legSid.map(answers),
    fc.tuple(legSid, fc.constantFrom(486, 487, 603)).map(([sid, sipCode]) => refuses(sid, sipCode)),
    legSid.map(ends),
    fc.constant<CallInput>({ kind: "inactive", leg: "Second" }),
    fc.constant(LATE),
    fc.constant(FIRST_ENDS),
    fc.constant<CallInput>({ kind: "redirect", program: [NOBODY] }),
  );
  fc.assert(
    fc.property(fc.boolean(), fc.boolean(), fc.array(input, { maxLength: 12 }), (goesOn, onBridge, inputs) => {
      const program = [hunt({ answersOnBridge: onBridge }), ...(goesOn ? [NOBODY] : [])];
      const [state, commands] = beginInbound({ ...ORDER, program }, at(0));
      const begun = { state, commands };
      const ran = fed(begun, { kind: "answered", leg: "First" }, ...inputs, { kind: "answered", leg: "First" }, LATE);
      for (const { sid, status } of ran.state.call.legs) {
        const told = ran.commands.flatMap((one) => (one.do === "tell" && one.legSid === sid ? [one.status] : []));
        const places = told.map((one) => ["Ringing", "Answered", "Completed"].indexOf(one));
        expect(places).toEqual([...new Set(places)].sort());
        expect(places.includes(2)).toBe(status === "Completed");
      }
      const open = ran.state.call.legs.filter(({ leg, status }) => leg === "Second" && status !== "Completed");
      expect(open.length).toBeLessThan(2);
      expect(ran.commands.filter((one) => one.do === "join").length).toBeLessThan(2);
      const over = fed(ran, FIRST_ENDS);
      expect(over.state.phase).toBe("Ended");
    }),
  );
});
