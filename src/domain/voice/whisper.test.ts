import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { at, fed, ORDER, type Run } from "../../../test/fakes/program-run.ts";
import { beginInbound } from "./call-flow.ts";
import type { CallInput } from "./call-state.ts";
import { type Dial, type Gather, type HangUp, INSTRUCTIONS_MAX, type Program, type Say } from "./program.ts";

const page = (url: string) => ({ url, method: "POST" }) as const;
const dial = (more: Partial<Dial> = {}): Dial => ({
  kind: "dial",
  legSid: "LG1",
  to: "+1",
  whisper: page("whisper"),
  ...more,
});
const say = (text: string): Say => ({ kind: "say", text, times: 1 });
const HANG_UP: HangUp = { kind: "hangUp", reason: "ScriptHangup", sipCode: 603 };
const GATHER: Gather = {
  kind: "gather",
  prompts: [say("Press one.")],
  action: page("pressed"),
  digitsMax: 1,
  finishKeys: "#",
  timeoutSeconds: 5,
  asksWithoutDigits: false,
};

const begun = (...program: Program): Run => {
  const [state, commands] = beginInbound({ ...ORDER, program }, at(0));
  return { state, commands };
};
const FIRST_ANSWERS: CallInput = { kind: "answered", leg: "First" };
const SECOND_ANSWERS: CallInput = { kind: "answered", leg: "Second" };
const PLAYED: CallInput = { kind: "played", leg: "Second" };
const FIRST_ENDS: CallInput = { kind: "ended", leg: "First", by: "peer" };
const SECOND_ENDS: CallInput = { kind: "ended", leg: "Second", by: "peer" };
const key = (digit: string, leg: "First" | "Second" = "Second"): CallInput => ({ kind: "key", leg, digit });
const answer =
  (...program: Program) =>
  (run: Run): Run =>
    fed(run, { kind: "script", program, turn: run.state.turn });
/** The party has answered, and this is what it is to hear. */
const hears = (program: Program, ...outer: Program): Run =>
  answer(...program)(fed(begun(...outer), FIRST_ANSWERS, SECOND_ANSWERS));

const done = ({ commands }: Run) =>
  commands.flatMap((one) => {
    if (one.do === "note" || one.do === "start") return [];
    if (one.do === "tell") return [`${one.legSid} ${one.status}`];
    if (one.do === "fetch") return [`fetch ${one.document.url} ${one.legSid ?? ""} ${JSON.stringify(one.facts)}`];
    const to = "leg" in one && !("legSid" in one) && one.leg ? ` to ${one.leg}` : "";
    if (one.do === "speak") return [`speak ${one.text}${to}`];
    return ["legSid" in one ? `${one.do} ${one.legSid}` : `${one.do}${to}`];
  });
const since = (run: Run, before: Run) => done({ ...run, commands: run.commands.slice(before.commands.length) });

describe("what a party hears before it is connected", () => {
  test("is asked for when it has answered, and it is connected when that is over", () => {
    const before = fed(begun(dial({ maxSeconds: 60 })), FIRST_ANSWERS);
    const asked = fed(before, SECOND_ANSWERS);
    expect(since(asked, before)).toEqual(["LG1 Ringing", "LG1 Answered", 'fetch whisper LG1 {"kind":"redirected"}']);
    const heard = answer(say("A call for sales."), { kind: "pause", seconds: 1 })(asked);
    expect(since(heard, asked)).toEqual(["speak A call for sales. to Second"]);
    const { turn } = fed(heard, PLAYED).state;
    const joined = fed(heard, PLAYED, { kind: "timer", timer: "pause", turn });
    expect(since(joined, heard)).toEqual(["join"]);
    expect(joined.state).toMatchObject({ phase: "Joined", whisper: undefined, left: [] });
    expect(joined.commands.at(-1)).toMatchObject({ do: "start", timer: "talk", ms: 60_000 });
    expect(joined.commands).toContainEqual({
      do: "note",
      step: "instruction",
      details: { leg: "Second", say: "A call for sales." },
    });
  });

  test("may be nothing: it is connected at once", () => {
    expect(done(hears([], dial())).at(-1)).toBe("join");
  });

  test("may hang up: the dial is over, and the next instruction or the action follows", () => {
    const ran = hears([say("Not now."), HANG_UP], dial(), say("Nobody."));
    const over = fed(ran, PLAYED);
    expect(since(over, ran)).toEqual(["hangUp LG1", "part LG1", "LG1 Completed", "speak Nobody."]);
    expect(over.state.call.legs[1]).toMatchObject({ endReason: "ScriptHangup" });
    const asked = hears([HANG_UP], dial({ action: page("after") }));
    expect(done(asked).at(-1)).toBe(
      'fetch after  {"kind":"dialled","legSid":"LG1","reason":"ScriptHangup","isUnbridged":true}',
    );
    const alone = hears([HANG_UP], dial());
    expect(done(alone).slice(-3)).toEqual(["LG0 Completed", "LG1 Completed", "end"]);
  });

  test("may ask for a key, which only that party can press, and go on with what comes then", () => {
    const ran = hears([GATHER, HANG_UP], dial(), say("Nobody."));
    expect(done(ran).slice(-2)).toEqual(["listenForKeys to Second", "speak Press one. to Second"]);
    const other = fed(ran, key("1", "First"), { kind: "played", leg: "First" });
    expect(since(other, ran)).toEqual([]);
    const pressed = fed(ran, key("1"));
    expect(since(pressed, ran)).toEqual([
      "stopSpeaking to Second",
      "listenForKeys to Second",
      'fetch pressed LG1 {"kind":"gathered","digits":"1"}',
    ]);
    expect(done(answer()(pressed)).at(-1)).toBe("join");
    const silent = fed(ran, PLAYED);
    const late = fed(silent, { kind: "timer", timer: "digits", turn: silent.state.turn });
    expect(since(late, silent)).toEqual([
      "listenForKeys to Second",
      ...["hangUp LG1", "part LG1", "LG1 Completed", "speak Nobody."],
    ]);
  });

  test.each<[string, CallInput, readonly string[]]>([
    ["it hangs up", SECOND_ENDS, ["part LG1", "LG1 Completed", "speak Nobody."]],
    [
      "it sends no audio",
      { kind: "inactive", leg: "Second" },
      ["hangUp LG1", "part LG1", "LG1 Completed", "speak Nobody."],
    ],
    ["the caller hangs up", FIRST_ENDS, ["hangUp LG1", "LG0 Completed", "LG1 Completed", "end"]],
    ["the caller sends no audio", { kind: "inactive", leg: "First" }, []],
    [
      "the call goes on elsewhere",
      { kind: "redirect", program: [say("Elsewhere.")] },
      ["hangUp LG1", "part LG1", "LG1 Completed", "speak Elsewhere."],
    ],
  ])("%s meanwhile", (_what, input, then) => {
    const ran = hears([say("A call for sales.")], dial(), say("Nobody."));
    expect(since(fed(ran, input), ran)).toEqual(then);
  });

  test("left by a hang-up counts as unanswered, where the dial ends the call, too", () => {
    const asked = fed(hears([say("A call for sales.")], dial({ action: page("after") })), SECOND_ENDS);
    expect(asked.state.call.legs[1]).toMatchObject({ endReason: "NoAnswer" });
    expect(done(asked).at(-1)).toBe(
      'fetch after  {"kind":"dialled","legSid":"LG1","reason":"NoAnswer","isUnbridged":true}',
    );
    const alone = fed(hears([say("A call for sales.")], dial()), SECOND_ENDS);
    expect(alone.state.call).toMatchObject({ endReason: "NoAnswer", endedBy: "Second" });
    const talked = fed(hears([], dial()), SECOND_ENDS);
    expect(talked.state.call).toMatchObject({ endReason: "Completed", endedBy: "Second" });
  });

  test("cannot be another dial", () => {
    const ran = hears([dial({ legSid: "LG2" })], dial(), say("Nobody."));
    expect(done(ran).slice(-4)).toEqual(["hangUp LG1", "part LG1", "LG1 Completed", "speak Nobody."]);
    expect(ran.state.call.legs[1]).toMatchObject({ endReason: "ScriptInvalid" });
    expect(JSON.stringify(ran.commands)).toContain("dial comes too early");
  });

  test("is for the one of several parties that answered, and the caller hears no early media", () => {
    const other = { legSid: "LG2", to: "+2", whisper: page("other") };
    const before = fed(begun(dial({ others: [other] })), FIRST_ANSWERS);
    const ran = fed(before, { kind: "answered", leg: "Second", legSid: "LG2" });
    expect(done(ran).at(-1)).toBe('fetch other LG2 {"kind":"redirected"}');
    const rings = fed(fed(begun(dial()), FIRST_ANSWERS), { kind: "ringing", leg: "Second", hasMedia: true });
    expect(done(rings).at(-1)).toBe("LG1 Ringing");
  });

  test("comes before a caller is answered where the dial answers it then", () => {
    const asked = fed(begun(dial({ answersOnBridge: true })), SECOND_ANSWERS);
    const ran = answer(say("A call for sales."))(asked);
    expect(since(ran, asked)).toEqual(["speak A call for sales. to Second"]);
    expect(fed(ran, { kind: "redirect", program: [] }).state).toEqual(ran.state);
    const over = fed(ran, PLAYED);
    expect(since(over, ran)).toEqual(["answer"]);
    expect(since(fed(over, FIRST_ANSWERS), over)).toEqual(["LG0 Answered", "join"]);
  });

  test("counts as instructions of the call, which are bounded", () => {
    const pauses = Array.from({ length: INSTRUCTIONS_MAX }, () => ({ kind: "pause", seconds: 1 }) as const);
    let ran = hears(pauses, dial(), say("Nobody."));
    while (ran.state.phase === "Pausing") ran = fed(ran, { kind: "timer", timer: "pause", turn: ran.state.turn });
    expect(ran.state).toMatchObject({ phase: "Ended", call: { endReason: "ScriptInvalid" } });
  });
});

test("whatever it is and whatever comes, the caller hears nothing of it, each leg completes once, and it ends", () => {
  const instruction = fc.constantFrom(say("Hello."), GATHER, HANG_UP, dial({ legSid: "LG9" }), {
    kind: "redirect",
    document: page("next"),
  } as const);
  const program = fc.array(instruction, { maxLength: 4 });
  const leg = fc.constantFrom("First" as const, "Second" as const);
  const input = fc.oneof(
    leg.map((of): CallInput => ({ kind: "played", leg: of })),
    leg.map((of) => key("1", of)),
    leg.map((of): CallInput => ({ kind: "inactive", leg: of })),
    leg.map((of): CallInput => ({ kind: "speechFailed", leg: of, reason: "" })),
    leg.map((of): CallInput => ({ kind: "answered", leg: of })),
    fc
      .tuple(program, fc.integer({ min: 1, max: 9 }))
      .map(([what, turn]): CallInput => ({ kind: "script", program: what, turn })),
    fc.integer({ min: 1, max: 9 }).map((turn): CallInput => ({ kind: "timer", timer: "digits", turn })),
    fc.constant(SECOND_ENDS),
  );
  fc.assert(
    fc.property(fc.boolean(), program, fc.array(input, { maxLength: 15 }), (answersOnBridge, what, inputs) => {
      const asked = fed(begun(dial({ answersOnBridge }), say("After.")), FIRST_ANSWERS, SECOND_ANSWERS);
      let ran = answer(...what)(asked);
      for (const one of inputs) {
        const whispering = ran.state.whisper !== undefined;
        const before = ran;
        ran = fed(ran, one);
        const isStill = whispering && ran.state.whisper !== undefined;
        const told = ran.commands.slice(before.commands.length);
        if (isStill) for (const each of told) if (each.do === "speak") expect(each.leg).toBe("Second");
        if (!ran.state.whisper && !whispering) {
          for (const each of told) if (each.do === "speak") expect(each.leg).toBeUndefined();
        }
      }
      const over = fed(ran, FIRST_ENDS, { kind: "hangUp", by: "Api", reason: "HungUp" });
      expect(over.state.phase).toBe("Ended");
      for (const { sid } of over.state.call.legs) {
        const told = over.commands.filter(
          (one) => one.do === "tell" && one.legSid === sid && one.status === "Completed",
        );
        expect(told).toHaveLength(1);
      }
    }),
  );
});
