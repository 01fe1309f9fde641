import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { at, fed, ORDER, type Run } from "../../../test/fakes/program-run.ts";
import { beginInbound, beginOutbound, step } from "./call-flow.ts";
import type { CallInput, CallStep } from "./call-state.ts";
import type { ConferenceOrder } from "./conference.ts";
import {
  type Confer,
  type Dial,
  type Gather,
  type HangUp,
  INSTRUCTIONS_MAX,
  type Instruction,
  type Pause,
  type Program,
  type Say,
} from "./program.ts";
import type { ScriptDocument } from "./script.ts";

const say = (text: string, times = 1): Say => ({ kind: "say", text, times });
const pause = (seconds: number): Pause => ({ kind: "pause", seconds });
const dial = (legSid: string, more: Partial<Dial> = {}): Dial => ({
  kind: "dial",
  legSid,
  to: "+14155550199",
  ...more,
});
const HANG_UP: HangUp = { kind: "hangUp", reason: "ScriptHangup", sipCode: 603 };

const STREAM = { url: "wss://agent.example/", name: "agent", tracks: "inbound", parameters: [] } as const;

const CONFERENCE: ConferenceOrder = {
  name: "team",
  label: null,
  muted: false,
  beeps: { enter: true, exit: true },
  startsOnEnter: true,
  endsOnExit: false,
  participantsMax: 50,
};
const confer = (more: Partial<Confer> = {}): Confer => ({ kind: "confer", conference: CONFERENCE, ...more });
const entered = (turn: number): CallInput => ({ kind: "conferenceEntered", turn, conferenceSid: "CF1" });
const left = (turn: number, fault: string | null = null): CallInput => ({
  kind: "conferenceLeft",
  turn,
  conferenceSid: fault === null ? "CF1" : null,
  fault,
});

const begun = ([state, commands]: CallStep): Run => ({ state, commands });
const inbound = (...program: Program) => begun(beginInbound({ ...ORDER, program }, at(0)));
const scripted = (...program: Program) =>
  fed(begun(beginInbound({ ...ORDER, program: undefined }, at(0))), { kind: "script", program, turn: 0 });

const FIRST_ANSWERS: CallInput = { kind: "answered", leg: "First" };
const SECOND_ANSWERS: CallInput = { kind: "answered", leg: "Second" };
const FIRST_ENDS: CallInput = { kind: "ended", leg: "First", by: "peer" };
const SECOND_ENDS: CallInput = { kind: "ended", leg: "Second", by: "peer" };
const PLAYED: CallInput = { kind: "played", leg: "First" };
const refusedWith = (sipCode: number): CallInput => ({ kind: "refused", leg: "Second", sipCode, reason: "" });
const late = (timer: "pause" | "speech" | "talk" | "ring" | "digits" | "press", turn: number): CallInput => ({
  kind: "timer",
  timer,
  ...(timer === "ring" && { leg: "Second" }),
  turn,
});
const key = (digit: string): CallInput => ({ kind: "key", leg: "First", digit });
const page = (url: string): ScriptDocument => ({ url, method: "POST" });
const gather = (more: Partial<Gather> = {}): Gather => ({
  kind: "gather",
  prompts: [],
  action: page("menu"),
  digitsMax: 250,
  finishKeys: "#",
  timeoutSeconds: 5,
  asksWithoutDigits: false,
  ...more,
});

/** What was done, without timers and notes. */
const done = ({ commands }: Run) =>
  commands.flatMap((one) => {
    if (one.do === "note" || one.do === "start" || one.do === "end") return [];
    if (one.do === "tell") return [`${one.legSid} ${one.status}`];
    if (one.do === "inform") return [];
    if (one.do === "fetch") return [`fetch ${one.document.url} ${JSON.stringify(one.facts)}`];
    if (one.do === "listenForKeys") return [`keys ${one.on ? "on" : "off"}`];
    if (one.do === "speak") return [`speak ${one.text}`];
    if (one.do === "play") return [`play ${one.url}`];
    return ["legSid" in one ? `${one.do} ${one.legSid}` : one.do];
  });
const since = (run: Run, what: string) => done(run).slice(done(run).indexOf(what) + 1);

describe("a program does one thing after another", () => {
  test("texts and pauses, then it hangs up", () => {
    const ran = fed(
      inbound(say("One.", 2), pause(3), say("Two.")),
      FIRST_ANSWERS,
      PLAYED,
      PLAYED,
      late("pause", 3),
      PLAYED,
    );
    expect(done(ran)).toEqual([
      "LG0 Ringing",
      "ring",
      "answer",
      "LG0 Answered",
      "speak One.",
      "speak One.",
      "speak Two.",
      "hangUp LG0",
      "LG0 Completed",
    ]);
    expect(ran.commands).toContainEqual({ do: "start", timer: "pause", turn: 3, ms: 3_000 });
    expect(ran.state.call).toMatchObject({ endReason: "ScriptHangup", endedBy: "Service" });
  });

  test("what a dial leads to when its party hangs up, and then another dial", () => {
    const program = [dial("LG1"), say("Once more."), dial("LG2"), HANG_UP];
    const talked = fed(inbound(...program), FIRST_ANSWERS, SECOND_ANSWERS, SECOND_ENDS);
    expect(since(talked, "join")).toEqual(["part LG1", "LG1 Completed", "speak Once more."]);
    expect(talked.state.call).toMatchObject({ status: "Answered", endReason: null });
    const again = fed(talked, PLAYED, { kind: "ringing", leg: "Second", hasMedia: false }, SECOND_ANSWERS, FIRST_ENDS);
    expect(since(again, "speak Once more.")).toEqual([
      "playRingback",
      "dial LG2",
      "LG2 Ringing",
      "LG2 Answered",
      "join",
      "hangUp LG2",
      "LG0 Completed",
      "LG2 Completed",
    ]);
    expect(again.state.call).toMatchObject({ answeredOn: at(2), endReason: "Completed", endedBy: "First" });
    expect(again.state.call.legs.map(({ sid, endReason }) => [sid, endReason])).toEqual([
      ["LG0", "Completed"],
      ["LG1", "Completed"],
      ["LG2", "Completed"],
    ]);
  });

  test.each<[string, CallInput, string, string]>([
    ["is busy, without a busy tone", refusedWith(486), "Busy", "part LG1"],
    ["refuses", refusedWith(603), "Rejected", "part LG1"],
    ["rings too long", late("ring", 1), "NoAnswer", "hangUp LG1"],
    ["is lost", { kind: "ended", leg: "Second", by: "timeout" }, "Failed", "part LG1"],
  ])("what follows a dial whose party %s", (_why, input, endReason, first) => {
    const ran = fed(inbound(dial("LG1"), say("Nobody.")), FIRST_ANSWERS, input);
    expect(since(ran, "dial LG1")[0]).toBe(first);
    expect(since(ran, "dial LG1").slice(-2)).toEqual(["LG1 Completed", "speak Nobody."]);
    expect(ran.state.call.legs[1]).toMatchObject({ status: "Completed", endReason });
    expect(ran.state.call.endReason).toBeNull();
  });

  test("what follows a dial that may not be carried out", () => {
    const forbidden = dial("LG1", { isForbidden: true });
    expect(done(fed(inbound(forbidden, say("Nobody.")), FIRST_ANSWERS)).slice(2)).toEqual([
      "answer",
      "LG0 Answered",
      "speak Nobody.",
    ]);
    expect(done(inbound(forbidden))).toEqual(["reject", "LG0 Completed"]);
  });

  test("what follows a dial that lasted as long as it may", () => {
    const ran = fed(
      inbound(dial("LG1", { maxSeconds: 60 }), say("Over.")),
      FIRST_ANSWERS,
      SECOND_ANSWERS,
      late("talk", 1),
    );
    expect(since(ran, "join")).toEqual(["hangUp LG1", "part LG1", "LG1 Completed", "speak Over."]);
  });

  test("a party rings and talks as long as its dial says, or as the call does", () => {
    const times = (more: Partial<Dial>) =>
      fed(inbound(dial("LG1", more)), FIRST_ANSWERS, SECOND_ANSWERS).commands.flatMap((one) =>
        one.do === "start" ? [[one.timer, one.ms]] : [],
      );
    expect(times({ ringSeconds: 20, maxSeconds: 60 })).toEqual([
      ["ring", 20_000],
      ["duration", 600_000],
      ["talk", 60_000],
    ]);
    expect(times({})).toEqual([
      ["ring", 30_000],
      ["duration", 600_000],
    ]);
  });

  test("each instruction of a longer program is noted, and that of a program of one is not", () => {
    const noted = ({ commands }: Run) =>
      commands.flatMap((one) => (one.do === "note" && one.step === "instruction" ? [one.details] : []));
    const long = fed(inbound(say("x".repeat(200)), pause(1), HANG_UP), FIRST_ANSWERS, PLAYED, late("pause", 2));
    expect(noted(long)).toEqual([{ say: `${"x".repeat(99)}…` }, { pause: 1 }, { hangUp: true }]);
    expect(noted(fed(inbound(say("Bye."), HANG_UP), FIRST_ANSWERS, PLAYED))).toEqual([]);
    expect(noted(inbound(gather()))).toEqual([]);
    expect(noted(fed(inbound(gather()), FIRST_ANSWERS))).toEqual([{ gather: [] }]);
    const asking = scripted({ kind: "redirect", document: page("next") });
    expect(noted(asking)).toEqual([{ redirect: "next" }]);
    const went = fed(asking, { kind: "script", program: [HANG_UP], turn: asking.state.turn });
    expect(noted(went)).toEqual([{ redirect: "next" }, { hangUp: true }]);
  });
});

describe("a stream", () => {
  const over = (turn: number, fault: string | null = null): CallInput => ({
    kind: "streamEnded",
    turn,
    streamSid: "MZ1",
    fault,
  });
  const connect = (action?: ScriptDocument): Instruction => ({ kind: "connect", stream: STREAM, action });

  test("answers the caller, gets its keys, and when it is over the program goes on", () => {
    const connected = fed(inbound(connect(), say("Bye.")), FIRST_ANSWERS, key("5"));
    expect(done(connected).slice(1)).toEqual([
      "ring",
      "answer",
      "LG0 Answered",
      "keys on",
      "connectStream",
      "streamKey",
    ]);
    expect(fed(connected, over(2)).commands).toEqual(connected.commands);
    expect(since(fed(connected, over(1)), "streamKey")).toEqual(["keys off", "speak Bye."]);
  });

  test("that is over has its action asked, with what went wrong", () => {
    const ran = fed(inbound(connect(page("after")), say("Never.")), FIRST_ANSWERS, over(1, "It broke."));
    const facts = { kind: "streamed", streamSid: "MZ1", name: "agent", fault: "It broke." };
    expect(since(ran, "connectStream")).toEqual(["keys off", `fetch after ${JSON.stringify(facts)}`]);
  });

  test("ends when the call is redirected", () => {
    const ran = fed(inbound(connect()), FIRST_ANSWERS, { kind: "redirect", program: [say("Elsewhere.")] });
    expect(since(ran, "connectStream")).toEqual(["disconnectStream", "keys off", "speak Elsewhere."]);
    expect(fed(ran, over(1)).commands).toEqual(ran.commands);
  });
});

describe("keys", () => {
  const asks = (digits: string) => ["keys off", `fetch menu {"kind":"gathered","digits":"${digits}"}`];
  const answered = (...program: Program) => fed(inbound(...program), FIRST_ANSWERS);

  test("stop the prompts when the first one goes down, and are enough when there are as many as wanted", () => {
    const begun = answered(
      gather({ prompts: [say("Press."), pause(1), say("Or wait.")], digitsMax: 2 }),
      say("Never."),
    );
    expect(since(begun, "LG0 Answered")).toEqual(["keys on", "speak Press."]);
    const pressed = fed(begun, key("1"));
    expect(since(pressed, "speak Press.")).toEqual(["stopSpeaking"]);
    const enough = fed(pressed, PLAYED, key("#"));
    expect(since(enough, "stopSpeaking")).toEqual(asks("1"));
    expect(since(fed(pressed, key("2")), "stopSpeaking")).toEqual(asks("12"));
    expect(enough.state).toMatchObject({ phase: "Asking", left: [] });
  });

  test("are awaited anew after each one, from the end of the prompts", () => {
    const begun = answered(gather({ prompts: [say("Press.")], timeoutSeconds: 7 }), say("Nothing."));
    expect(begun.commands.filter((one) => one.do === "start" && one.timer === "digits")).toEqual([]);
    const waiting = fed(begun, PLAYED);
    expect(waiting.commands.at(-1)).toEqual({ do: "start", timer: "digits", turn: 3, ms: 7_000 });
    const one = fed(waiting, key("1"), late("digits", 3));
    expect(one.state.phase).toBe("Listening");
    expect(since(fed(one, late("digits", 4)), "speak Press.")).toEqual(asks("1"));
    expect(since(fed(waiting, late("digits", 3)), "speak Press.")).toEqual(["keys off", "speak Nothing."]);
  });

  test.each([
    [false, "#", ["keys off", "speak Nothing."]],
    [true, "#", asks("")],
    [false, "*", asks("#")],
    [false, "", asks("#")],
  ])(
    "that are none go on with the next instruction (asked anyway: %s, finish key %j)",
    (asksWithoutDigits, finishKeys, then) => {
      const begun = answered(gather({ asksWithoutDigits, finishKeys }), say("Nothing."));
      expect(since(fed(begun, key("#"), late("digits", 3)), "keys on")).toEqual(then);
    },
  );

  test("are nothing to anyone else", () => {
    for (const one of [say("One."), pause(1), dial("LG1")]) {
      const begun = answered(one);
      expect(fed(begun, key("1")).commands).toEqual(begun.commands);
    }
  });
});

test("sounds are played as texts are said, in a gather too, and skipped where they fail", () => {
  const play = (url: string, times = 1): Instruction => ({ kind: "play", url, times });
  const failed: CallInput = { kind: "speechFailed", leg: "First", reason: "it is no sound" };
  const ran = fed(inbound(play("a", 2), play("b"), say("Done.")), FIRST_ANSWERS, PLAYED, PLAYED, failed);
  expect(since(ran, "ring")).toEqual(["answer", "LG0 Answered", "play a", "play a", "play b", "speak Done."]);
  expect(ran.commands).toContainEqual({
    do: "note",
    step: "speech",
    details: { reason: "The sound could not be played: it is no sound" },
  });
  const gathering = fed(inbound(gather({ prompts: [play("a") as Gather["prompts"][number]] })), FIRST_ANSWERS);
  expect(since(fed(gathering, key("1")), "play a")).toEqual(["stopSpeaking"]);
  expect(fed(gathering, PLAYED).state.phase).toBe("Listening");
});

test("keys are sent to the first party one after another, with pauses", () => {
  const begun = fed(inbound({ kind: "press", keys: "1wW#" }, say("Sent.")), FIRST_ANSWERS);
  const ran = fed(begun, late("press", 1), late("press", 2), late("press", 3), late("press", 4), late("press", 5));
  expect(since(ran, "LG0 Answered")).toEqual(["press", "press", "speak Sent."]);
  expect(ran.commands.flatMap((one) => (one.do === "start" && one.timer === "press" ? [one.ms] : []))).toEqual([
    300, 500, 1_000, 300,
  ]);
  expect(ran.commands).toContainEqual({ do: "press", digit: "#", ms: 200 });
});

test("the first party ends a dial by the star key where it may, and no other party by any key", () => {
  const star: CallInput = { kind: "key", leg: "Second", digit: "*" };
  const may = fed(
    inbound(dial("LG1", { endsOnStar: true }), say("Over.")),
    FIRST_ANSWERS,
    SECOND_ANSWERS,
    key("1"),
    star,
  );
  expect(done(may).at(-1)).toBe("join");
  expect(since(fed(may, key("*")), "join")).toEqual(["hangUp LG1", "part LG1", "LG1 Completed", "speak Over."]);
  const mayNot = fed(inbound(dial("LG1"), say("Over.")), FIRST_ANSWERS, SECOND_ANSWERS, key("*"));
  expect(done(mayNot).at(-1)).toBe("join");
  const alone = fed(inbound(dial("LG1", { endsOnStar: true })), FIRST_ANSWERS, SECOND_ANSWERS, key("*"));
  expect(alone.state.call).toMatchObject({ endReason: "Completed", endedBy: "First" });
  expect(since(alone, "join")).toEqual(["hangUp LG0", "hangUp LG1", "LG0 Completed", "LG1 Completed"]);
});

describe("a dial that answers the caller when its party has answered", () => {
  const bridging = (more: Partial<Dial> = {}) => dial("LG1", { answersOnBridge: true, ...more });
  const RINGS: CallInput = { kind: "ringing", leg: "Second", hasMedia: false };

  test("lets the caller hear its own network ring, and connects both when both have answered", () => {
    const ran = fed(inbound(bridging({ maxSeconds: 9 })), RINGS, SECOND_ANSWERS, FIRST_ANSWERS);
    expect(done(ran)).toEqual([
      "LG0 Ringing",
      "ring",
      "dial LG1",
      "LG1 Ringing",
      "LG1 Answered",
      "answer",
      "LG0 Answered",
      "join",
    ]);
    expect(ran.state).toMatchObject({ phase: "Joined", call: { status: "Answered", answeredOn: at(3) } });
    expect(ran.commands.slice(-1)).toEqual([{ do: "start", timer: "talk", turn: 1, ms: 9_000 }]);
  });

  test("joins nobody before the caller is there", () => {
    const ran = fed(inbound(bridging()), SECOND_ANSWERS);
    expect(ran.state.phase).toBe("Bridging");
    expect(fed(ran, SECOND_ANSWERS).commands).toEqual(ran.commands);
  });

  test("is as any other dial where the caller is there already", () => {
    const ran = fed(inbound(say("One."), bridging()), FIRST_ANSWERS, PLAYED, SECOND_ANSWERS);
    expect(since(ran, "speak One.")).toEqual(["playRingback", "dial LG1", "LG1 Ringing", "LG1 Answered", "join"]);
  });

  test.each<[number, number]>([
    [486, 486],
    [603, 480],
    [503, 480],
  ])("ends the call of a caller who was never answered, when its party answers %i, by %i", (theirs, ours) => {
    const ran = fed(inbound(bridging()), refusedWith(theirs));
    expect(ran.commands).toContainEqual({ do: "reject", sipCode: ours });
    expect(since(ran, "dial LG1")).toEqual(["reject", "LG0 Completed", "LG1 Completed"]);
  });

  test("that fails lets the next instruction answer the caller", () => {
    const ran = fed(inbound(bridging(), say("Nobody.")), refusedWith(486));
    expect(since(ran, "dial LG1")).toEqual(["part LG1", "LG1 Completed", "answer"]);
    expect(done(fed(ran, FIRST_ANSWERS)).slice(-2)).toEqual(["LG0 Answered", "speak Nobody."]);
  });

  test("whose party is gone before the caller is there waits for the caller, and answers it once", () => {
    const gone = fed(inbound(bridging(), say("Nobody.")), SECOND_ANSWERS, SECOND_ENDS);
    expect(since(gone, "answer")).toEqual(["part LG1", "LG1 Completed"]);
    expect(gone.state.phase).toBe("Answering");
    expect(done(fed(gone, FIRST_ANSWERS)).slice(-2)).toEqual(["LG0 Answered", "speak Nobody."]);
    const last = fed(inbound(bridging()), SECOND_ANSWERS, SECOND_ENDS);
    expect(done(last).slice(-3)).toEqual(["hangUp LG0", "LG0 Completed", "LG1 Completed"]);
  });

  test("may follow another one: who comes then hears the ringing tone", () => {
    const again = dial("LG2", { answersOnBridge: true });
    const gone = fed(inbound(bridging(), again), SECOND_ANSWERS, SECOND_ENDS);
    expect(done(gone).at(-1)).toBe("dial LG2");
    const there = fed(gone, FIRST_ANSWERS);
    expect(done(there).slice(-2)).toEqual(["LG0 Answered", "playRingback"]);
    expect(done(fed(there, SECOND_ANSWERS)).slice(-2)).toEqual(["LG2 Answered", "join"]);
    const pausing = fed(inbound(bridging(), pause(3), say("Well.")), SECOND_ANSWERS, SECOND_ENDS, FIRST_ANSWERS);
    expect(pausing.state.phase).toBe("Pausing");
  });

  test("shows the number that it names", () => {
    const ran = fed(inbound(dial("LG1", { callerId: "+14155550150" }), dial("LG2")), FIRST_ANSWERS, refusedWith(486));
    expect(ran.state.call.legs.map(({ from }) => from)).toEqual([ORDER.from, "+14155550150", ORDER.callerId]);
  });
});

describe("a further document", () => {
  test("takes the place of what is left, and only the one that was asked for last", () => {
    const asking = fed(
      inbound(say("One."), { kind: "redirect", document: page("next") }, say("Never.")),
      FIRST_ANSWERS,
      PLAYED,
    );
    expect(done(asking).at(-1)).toBe('fetch next {"kind":"redirected"}');
    const late: CallInput = { kind: "script", program: [say("Late.")], turn: 1 };
    expect(fed(asking, late).state).toEqual(asking.state);
    const went = fed(asking, { kind: "script", program: [say("Two.")], turn: asking.state.turn });
    expect(done(went).at(-1)).toBe("speak Two.");
  });

  test("can be asked for before the call is answered", () => {
    const asking = scripted({ kind: "redirect", document: page("next") });
    expect(done(asking)).toEqual(["ring", "ask", 'fetch next {"kind":"redirected"}']);
    const rejected = fed(asking, { kind: "script", program: [HANG_UP], turn: asking.state.turn });
    expect(done(rejected).slice(3)).toEqual(["reject", "LG0 Completed"]);
  });

  test.each<[string, CallInput, string]>([
    ["was connected", SECOND_ENDS, "Completed"],
    ["was busy", refusedWith(486), "Busy"],
  ])("is asked for when a dialled party %s", (_why, input, reason) => {
    const before = reason === "Busy" ? [] : [SECOND_ANSWERS];
    const ran = fed(inbound(dial("LG1", { action: page("after") }), say("Never.")), FIRST_ANSWERS, ...before, input);
    expect(done(ran).slice(-3)).toEqual([
      "part LG1",
      "LG1 Completed",
      `fetch after {"kind":"dialled","legSid":"LG1","reason":"${reason}"}`,
    ]);
  });

  test("is asked for when a party may not be dialled, and not when the caller has hung up", () => {
    const action = page("after");
    const forbidden = inbound(dial("LG1", { action, isForbidden: true }));
    expect(done(forbidden).at(-1)).toBe('fetch after {"kind":"dialled","legSid":null,"reason":"Failed"}');
    const gone = fed(inbound(dial("LG1", { action })), FIRST_ANSWERS, SECOND_ANSWERS, FIRST_ENDS);
    expect(done(gone).join()).not.toContain("fetch");
  });
});

describe("a redirection", () => {
  const redirect = (...program: Program): CallInput => ({ kind: "redirect", program });
  const went = (run: Run, ...inputs: readonly CallInput[]) => {
    const before = run.commands.length;
    const ran = fed(run, ...inputs, redirect(say("Elsewhere.")));
    return done({ ...ran, commands: ran.commands.slice(before) });
  };

  test("is nothing to a call that is not answered or has ended", () => {
    const { state } = scripted(pause(5));
    expect(step(state, redirect(say("Hello.")), at(9))).toEqual([state, []]);
    const answering = inbound(say("Hello.")).state;
    expect(step(answering, redirect(), at(9))).toEqual([answering, []]);
    const ended = fed(inbound(say("Hello.")), FIRST_ANSWERS, FIRST_ENDS).state;
    expect(step(ended, redirect(say("Hello.")), at(9))).toEqual([ended, []]);
  });

  test("stops a text, and nothing where there is none", () => {
    expect(went(inbound(say("One."), say("Two.")), FIRST_ANSWERS).slice(-2)).toEqual([
      "stopSpeaking",
      "speak Elsewhere.",
    ]);
    for (const one of [pause(5), { kind: "press", keys: "12" }] as const) {
      const silent = fed(inbound(say("One."), one, say("Two.")), FIRST_ANSWERS, PLAYED);
      expect(went(silent)).toEqual(["speak Elsewhere."]);
    }
  });

  test("stops the collection of keys, which are nothing to the new program", () => {
    const gathering = fed(inbound(say("One."), gather({ prompts: [say("Press.")] })), FIRST_ANSWERS, PLAYED);
    const ran = fed(gathering, redirect(say("Elsewhere."), say("Further.")));
    expect(since(ran, "speak Press.")).toEqual(["keys off", "stopSpeaking", "speak Elsewhere."]);
    expect(fed(ran, key("1"), key("#")).commands).toEqual(ran.commands);
    expect(done(fed(ran, PLAYED)).at(-1)).toBe("speak Further.");
    const listening = fed(inbound(gather()), FIRST_ANSWERS);
    expect(went(listening)).toEqual(["keys off", "speak Elsewhere."]);
  });

  test("stops the prompt for a key", () => {
    const prompted = begun(
      beginOutbound({ ...ORDER, called: ORDER.to, keyPrompt: "Press.", program: [say("One.")] }, at(0)),
    );
    const asked = fed(prompted, FIRST_ANSWERS);
    expect(went(asked)).toEqual(["keys off", "stopSpeaking", "speak Elsewhere."]);
    expect(fed(asked, redirect(say("Elsewhere.")), key("1")).state.call.endReason).toBeNull();
  });

  test.each<[string, readonly CallInput[], readonly string[], string]>([
    ["is connected", [SECOND_ANSWERS], ["hangUp LG1", "part LG1", "LG1 Completed"], "Completed"],
    ["is called", [], ["hangUp LG1", "part LG1", "LG1 Completed"], "Canceled"],
    ["is busy", [refusedWith(486)], ["part LG1", "LG1 Completed"], "Busy"],
  ])("parts from a second party that %s", (_what, inputs, parted, endReason) => {
    const dialling = fed(inbound(dial("LG1")), FIRST_ANSWERS, ...inputs);
    expect(went(dialling)).toEqual([...parted, "speak Elsewhere."]);
    const ran = fed(dialling, redirect(say("Elsewhere.")));
    expect(ran.state.call.legs[1]).toMatchObject({ status: "Completed", endReason, completedOn: at(1) });
    expect(ran.state.call).toMatchObject({ endReason: null });
    const late = fed(ran, SECOND_ENDS, { kind: "timer", timer: "busy" }, { kind: "inactive", leg: "Second" });
    expect(late.commands).toEqual(ran.commands);
  });

  test("tells the action of the dial that it leaves how that went, and obeys no answer to it", () => {
    const talking = fed(inbound(dial("LG1", { action: page("after") })), FIRST_ANSWERS, SECOND_ANSWERS);
    const ran = fed(talking, redirect(say("Elsewhere.")));
    expect(ran.commands).toContainEqual({
      do: "inform",
      document: page("after"),
      facts: { kind: "dialled", legSid: "LG1", reason: "Completed" },
    });
    expect(done(ran).at(-1)).toBe("speak Elsewhere.");
    expect(fed(talking, FIRST_ENDS).commands.map((one) => one.do)).not.toContain("inform");
  });

  test("takes the place of a document that is awaited", () => {
    const asking = fed(inbound(say("One."), { kind: "redirect", document: page("next") }), FIRST_ANSWERS, PLAYED);
    const ran = fed(asking, redirect(say("Elsewhere.")));
    const late: CallInput = { kind: "script", program: [say("Late.")], turn: asking.state.turn };
    expect(fed(ran, late).commands).toEqual(ran.commands);
    expect(done(ran).at(-1)).toBe("speak Elsewhere.");
  });

  test("to a program without instructions hangs up", () => {
    const ran = fed(inbound(gather()), FIRST_ANSWERS, redirect());
    expect(done(ran).slice(-3)).toEqual(["keys off", "hangUp LG0", "LG0 Completed"]);
    expect(ran.state.call.endReason).toBe("ScriptHangup");
  });

  test("is narrated, and is recorded where it dials", () => {
    const ran = fed(inbound(dial("LG1")), FIRST_ANSWERS, redirect(dial("LG2", { record: true })), SECOND_ANSWERS);
    expect(ran.commands).toContainEqual({ do: "note", step: "instruction", details: { dial: "+14155550199" } });
    expect(ran.state.call.recording).toMatchObject({ segments: [{ index: 1 }] });
  });
});

describe("a call is answered when its program needs that", () => {
  test("not for a pause before it is rejected", () => {
    const ran = fed(scripted(pause(5), { ...HANG_UP, sipCode: 486 }), late("pause", 1));
    expect(done(ran)).toEqual(["ring", "ask", "reject", "LG0 Completed"]);
    expect(ran.commands).toContainEqual({ do: "reject", sipCode: 486 });
  });

  test("after a pause, for a text", () => {
    const ran = fed(scripted(pause(5), say("Hello.")), late("pause", 1), FIRST_ANSWERS);
    expect(done(ran)).toEqual(["ring", "ask", "answer", "LG0 Answered", "speak Hello."]);
  });

  test("never for a program without instructions", () => {
    expect(done(scripted())).toEqual(["ring", "ask", "reject", "LG0 Completed"]);
  });
});

describe("a program ends", () => {
  test("when the caller hangs up, with what is left of it", () => {
    const ran = fed(inbound(say("One."), dial("LG1")), FIRST_ANSWERS, FIRST_ENDS, PLAYED);
    expect(since(ran, "speak One.")).toEqual(["LG0 Completed"]);
    expect(ran.state.call).toMatchObject({ endReason: "Canceled", endedBy: "First" });
  });

  test("when the call has lasted as long as it may, counted from its first text", () => {
    const ran = fed(inbound(say("One."), dial("LG1"), say("Two.")), FIRST_ANSWERS, PLAYED, SECOND_ANSWERS);
    const durations = ran.commands.filter((one) => one.do === "start" && one.timer === "duration");
    expect(durations).toEqual([{ do: "start", timer: "duration", ms: 600_000 }]);
    expect(fed(ran, { kind: "timer", timer: "duration" }).state.call).toMatchObject({ endReason: "MaxDuration" });
  });

  test("when it has begun as many instructions as it may", () => {
    let ran = fed(inbound(...Array.from({ length: INSTRUCTIONS_MAX + 1 }, () => pause(1)), say("Late.")));
    for (let number = 1; number <= INSTRUCTIONS_MAX; number++) ran = fed(ran, late("pause", number));
    expect(ran.state.call).toMatchObject({ endReason: "ScriptInvalid" });
  });

  test("a text that takes too long is cut off, and one that cannot be spoken is skipped", () => {
    const ran = fed(inbound(say("One."), say("Two."), say("Three.")), FIRST_ANSWERS, late("speech", 1), {
      kind: "speechFailed",
      leg: "First",
      reason: "the engine ended",
    });
    expect(since(ran, "speak One.")).toEqual(["stopSpeaking", "speak Two.", "speak Three."]);
    expect(ran.commands).toContainEqual({
      do: "note",
      step: "speech",
      details: { reason: "The text could not be spoken: the engine ended" },
    });
  });
});

test("only the dials that ask for it are recorded, in segments of one recording", () => {
  const program = [dial("LG1", { record: true }), dial("LG2", { record: false }), dial("LG3", { record: true })];
  const talk = [SECOND_ANSWERS, SECOND_ENDS];
  const ran = fed(inbound(...program), FIRST_ANSWERS, ...talk, ...talk, ...talk);
  expect(ran.commands.flatMap((one) => (one.do === "record" ? [one.index] : []))).toEqual([1, 2]);
  expect(ran.state.call.recording).toMatchObject({
    sid: "RE1",
    status: "Processing",
    segments: [{ index: 1 }, { index: 2 }],
  });
});

describe("a party in a conference", () => {
  test("stays in it until it is over, and the program goes on", () => {
    const inside = fed(inbound(confer(), say("Bye.")), FIRST_ANSWERS, entered(1));
    expect(inside.state).toMatchObject({ phase: "Conferring", call: { status: "Answered", answeredOn: at(2) } });
    expect(done(fed(inside, left(1)))).toEqual([...done(inside), "leaveConference", "speak Bye."]);
  });

  test.each([
    ["is removed", left(1), '"conferenceSid":"CF1","fault":null'],
    ["cannot enter", left(1, "It is full."), '"conferenceSid":null,"fault":"It is full."'],
    ["has been in it for long enough", late("talk", 1), '"conferenceSid":"CF1","fault":null'],
    ["presses the star key", key("*"), '"conferenceSid":"CF1","fault":null'],
  ])("is asked for the action when it %s", (_what, input, facts) => {
    const program = confer({ action: page("after"), maxSeconds: 60, endsOnStar: true });
    const ran = fed(inbound(program, say("Never.")), FIRST_ANSWERS, entered(1), key("1"), input);
    expect(since(ran, "enterConference")).toEqual([
      "leaveConference",
      "keys off",
      `fetch after {"kind":"conferred",${facts}}`,
    ]);
  });

  test("leaves it when the call goes on elsewhere, and what comes late changes nothing", () => {
    const ran = fed(inbound(confer()), FIRST_ANSWERS, entered(1), { kind: "redirect", program: [confer()] });
    expect(since(ran, "enterConference")).toEqual(["leaveConference", "enterConference"]);
    expect(step(ran.state, left(1), at(9))).toEqual([ran.state, []]);
    expect(step(ran.state, entered(1), at(9))).toEqual([ran.state, []]);
  });

  test("a hang-up in it is a call that was completed", () => {
    const ran = fed(inbound(confer(), say("Never.")), FIRST_ANSWERS, entered(1), FIRST_ENDS);
    expect(ran.state.call).toMatchObject({ status: "Completed", endReason: "Completed", endedBy: "First" });
  });
});

test("timers of an instruction that is over do nothing", () => {
  const ran = fed(
    inbound(pause(1), dial("LG1"), dial("LG2"), say("Bye.")),
    late("pause", 1),
    FIRST_ANSWERS,
    refusedWith(603),
  );
  for (const stale of [late("pause", 1), late("ring", 2), late("talk", 2), late("speech", 1)]) {
    expect(step(ran.state, stale, at(50))).toEqual([ran.state, []]);
  }
});

describe("whatever a program holds and whatever comes, in whatever order", () => {
  const instruction = fc.oneof(
    fc.record({
      kind: fc.constant("say" as const),
      text: fc.constant("Hello."),
      times: fc.integer({ min: 1, max: 3 }),
    }),
    fc.constant<Instruction>({ kind: "play", url: "a.wav", times: 2 }),
    fc.record({ kind: fc.constant("press" as const), keys: fc.constantFrom("1", "w2", "W") }),
    fc.record({ kind: fc.constant("pause" as const), seconds: fc.integer({ min: 1, max: 9 }) }),
    fc.record({
      kind: fc.constant("dial" as const),
      legSid: fc.constant(""),
      to: fc.constant("+14155550199"),
      others: fc.constantFrom(undefined, [{ legSid: "", to: "+14155550198" }]),
      isForbidden: fc.boolean(),
      record: fc.boolean(),
      maxSeconds: fc.constantFrom(undefined, 60),
      endsOnStar: fc.boolean(),
      answersOnBridge: fc.boolean(),
      action: fc.constantFrom(undefined, page("after")),
    }),
    fc.record({
      kind: fc.constant("gather" as const),
      prompts: fc.array(
        fc.constantFrom<Gather["prompts"][number]>(
          { kind: "say", text: "Press.", times: 1 },
          { kind: "pause", seconds: 1 },
        ),
        {
          maxLength: 2,
        },
      ),
      action: fc.constant(page("menu")),
      digitsMax: fc.integer({ min: 1, max: 3 }),
      finishKeys: fc.constantFrom("", "#"),
      timeoutSeconds: fc.constant(5),
      asksWithoutDigits: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant("record" as const),
      recordingSid: fc.constant("RE2"),
      action: fc.constant(page("recorded")),
      maxSeconds: fc.constant(60),
      silenceSeconds: fc.constantFrom(0, 5),
      finishKeys: fc.constantFrom("", "#"),
      beeps: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant("confer" as const),
      conference: fc.constant(CONFERENCE),
      maxSeconds: fc.constantFrom(undefined, 60),
      endsOnStar: fc.boolean(),
      action: fc.constantFrom(undefined, page("after")),
    }),
    fc.constant<Instruction>({ kind: "redirect", document: page("next") }),
    fc.constant<Instruction>({ kind: "startStream", stream: STREAM }),
    fc.constant<Instruction>({ kind: "stopStream", name: "agent" }),
    fc.record({
      kind: fc.constant("connect" as const),
      stream: fc.constant(STREAM),
      action: fc.constantFrom(undefined, page("after")),
    }),
    fc.constant(HANG_UP),
  );
  const withLegs = (all: Program, sidOf: (place: number) => string): Program =>
    all.map((one, place) => {
      if (one.kind !== "dial") return one;
      const legSid = sidOf(place);
      return { ...one, legSid, others: one.others?.map((other) => ({ ...other, legSid: `${legSid}b` })) };
    });
  /** Every party that is dialled gets a leg of its own. */
  const program = fc
    .array(instruction, { maxLength: 6 })
    .map((all): Program => withLegs(all, (place) => `LG${place + 1}`));
  const leg = fc.constantFrom("First" as const, "Second" as const);
  const input = fc.oneof(
    { weight: 4, arbitrary: fc.constant<CallInput>(FIRST_ANSWERS) },
    { weight: 4, arbitrary: fc.constant<CallInput>(SECOND_ANSWERS) },
    { weight: 4, arbitrary: fc.constant<CallInput>(PLAYED) },
    { weight: 2, arbitrary: fc.constant<CallInput>(SECOND_ENDS) },
    fc.constantFrom("1", "#", "*").map(key),
    fc.tuple(program, fc.integer({ min: 1, max: 8 })).map(
      ([what, turn]): CallInput => ({
        kind: "script",
        // A further document has legs of its own.
        program: withLegs(what, (place) => `LG${place + 1}-${turn}`),
        turn,
      }),
    ),
    fc
      .integer({ min: 1, max: 8 })
      .map((turn): CallInput => ({ kind: "streamEnded", turn, streamSid: "MZ1", fault: null })),
    fc.tuple(program, fc.integer({ min: 10, max: 99 })).map(
      ([what, number]): CallInput => ({
        kind: "redirect",
        program: withLegs(what, (place) => `LG${place + 1}-${number}`),
      }),
    ),
    fc.integer({ min: 1, max: 8 }).map(entered),
    fc.integer({ min: 1, max: 8 }).map((turn) => left(turn)),
    fc.constant<CallInput>(FIRST_ENDS),
    fc.constant<CallInput>({ kind: "canceled", leg: "First" }),
    fc.constant<CallInput>({ kind: "hangUp", by: "Api", reason: "HungUp" }),
    fc.constant<CallInput>({ kind: "speechFailed", leg: "First", reason: "" }),
    fc.constant<CallInput>({ kind: "timer", timer: "duration" }),
    fc.constant<CallInput>({ kind: "timer", timer: "busy" }),
    fc.constant<CallInput>({ kind: "silence", leg: "First" }),
    fc.record({ kind: fc.constant("inactive" as const), leg }),
    fc.record({ kind: fc.constant("ringing" as const), leg, hasMedia: fc.boolean() }),
    fc
      .constantFrom(486, 603, 503)
      .map((sipCode): CallInput => ({ kind: "refused", leg: "Second", sipCode, reason: "" })),
    fc.record({ kind: fc.constant("recordingControl" as const), action: fc.constantFrom("Pause", "Resume") }),
    fc
      .tuple(fc.constantFrom("pause", "speech", "talk", "ring", "digits", "press"), fc.integer({ min: 1, max: 8 }))
      .map(([timer, number]): CallInput => late(timer, number)),
  );
  const start = fc.constantFrom("inbound", "scripted", "outbound");
  const anyRun = fc.tuple(start, program, fc.array(input, { maxLength: 30 })).map(([how, what, inputs]) => {
    const outbound = () => begun(beginOutbound({ ...ORDER, called: ORDER.to, program: what }, at(0)));
    const run = how === "inbound" ? inbound(...what) : how === "scripted" ? scripted(...what) : outbound();
    return fed(run, ...(inputs as CallInput[]));
  });

  const toldOf = ({ commands }: Run, legSid: string) =>
    commands.flatMap((one) => (one.do === "tell" && one.legSid === legSid ? [one.status] : []));

  test("each leg tells a part of Ringing, Answered, Completed, in this order, and Completed once when it ends", () => {
    fc.assert(
      fc.property(anyRun, (ran) => {
        for (const { sid, status } of ran.state.call.legs) {
          const places = toldOf(ran, sid).map((one) => ["Ringing", "Answered", "Completed"].indexOf(one));
          expect(places).toEqual([...new Set(places)].sort());
          expect(places.includes(2)).toBe(status === "Completed");
        }
      }),
    );
  });

  test("the legs are dialled and end one after another, and end with the call", () => {
    fc.assert(
      fc.property(anyRun, (ran) => {
        const { call } = ran.state;
        const [, ...seconds] = call.legs;
        const open = seconds.filter(({ status }) => status !== "Completed").length;
        expect(open).toBeLessThan(ran.state.phase === "DiallingSecond" ? 3 : 2);
        expect(call.legs.every(({ status }) => status === "Completed")).toBe(call.status === "Completed");
        expect(ran.commands.filter((one) => one.do === "end")).toHaveLength(call.status === "Completed" ? 1 : 0);
      }),
    );
  });

  test("nothing is played to a party that is not there, and only living legs are joined", () => {
    fc.assert(
      fc.property(anyRun, ({ commands }) => {
        const state = new Map<string, string>();
        const isThere = () => [...state].some(([legSid, told]) => legSid !== "LG0" && told === "Answered");
        for (const one of commands) {
          if (one.do === "tell") state.set(one.legSid, one.status);
          if (
            one.do === "speak" ||
            one.do === "play" ||
            one.do === "press" ||
            one.do === "beep" ||
            one.do === "recordFirst" ||
            one.do === "playRingback" ||
            one.do === "playBusy"
          ) {
            expect(state.get("LG0")).toBe("Answered");
          }
          if (one.do === "join") expect([state.get("LG0"), isThere()]).toEqual(["Answered", true]);
          if (one.do === "record") expect(isThere()).toBe(true);
        }
      }),
    );
  });

  test("what is recorded of a program is begun once at a time, and ended", () => {
    fc.assert(
      fc.property(anyRun, ({ state, commands }) => {
        let isOpen = false;
        for (const one of commands) {
          if (one.do === "recordFirst") expect(isOpen).toBe(false);
          if (one.do === "recordFirst") isOpen = true;
          if (one.do === "pauseRecording" || one.do === "end" || one.do === "part") isOpen = false;
        }
        expect(isOpen).toBe(state.phase === "Recording");
        const under = state.call.programRecordings.filter(({ status }) => status === "Recording");
        expect(under).toHaveLength(isOpen ? 1 : 0);
      }),
    );
  });

  test("a conference is entered once at a time, and left before anything else is done", () => {
    fc.assert(
      fc.property(anyRun, ({ state, commands }) => {
        let isIn = false;
        for (const one of commands) {
          if (one.do === "enterConference") expect(isIn).toBe(false);
          if (one.do === "speak" || one.do === "play" || one.do === "recordFirst" || one.do === "dial")
            expect(isIn).toBe(false);
          if (one.do === "enterConference") isIn = true;
          // What ends the call ends this as well.
          if (one.do === "leaveConference" || one.do === "end") isIn = false;
        }
        expect(isIn).toBe(state.phase === "Conferring");
      }),
    );
  });

  test("it ends when its timers run, whoever stays on the line", () => {
    fc.assert(
      fc.property(anyRun, (ran) => {
        let { state, commands } = ran;
        for (let turns = 0; state.phase !== "Ended"; turns++) {
          expect(turns).toBeLessThan(100);
          const timers = commands.filter((one) => one.do === "start");
          const waits: readonly CallInput[] =
            state.phase === "Joined"
              ? [SECOND_ENDS]
              : state.phase === "Streaming" || state.phase === "Conferring"
                ? [{ kind: "timer", timer: "duration" }]
                : [FIRST_ANSWERS, { kind: "script", program: [], turn: state.turn }];
          const late = timers
            .filter(({ timer }) => timer !== "duration")
            .map(
              ({ timer, leg: of, turn }): CallInput => ({
                kind: "timer",
                timer,
                leg: of,
                turn,
              }),
            );
          for (const one of [...waits, ...late]) {
            const [next, more] = step(state, one, at(1_000));
            state = next;
            commands = [...commands, ...more];
          }
        }
      }),
    );
  });
});
