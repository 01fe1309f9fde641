import fc from "fast-check";
import { expect, test } from "vitest";
import { type BridgeCommand, type BridgeInput, type BridgePhase, stepBridge } from "./bridge.ts";

function run(...inputs: readonly BridgeInput[]) {
  let phase: BridgePhase = "Inviting";
  const commands: BridgeCommand[] = [];
  for (const input of inputs) {
    const [next, done] = stepBridge(phase, input);
    phase = next;
    commands.push(...done);
  }
  return { phase, commands };
}

const IN = { kind: "answered", fault: null } as const;
const GONE_WHILE_ENTERING = "The conference has ended, or its node was lost, while the call was being brought there.";
const NO_ANSWER = "The node that has the conference did not answer.";

test.each<[what: string, input: BridgeInput, commands: readonly BridgeCommand[]]>([
  ["no node has it any more", { kind: "gone" }, [{ do: "close" }, { do: "openHere" }]],
  ["its node has it no more", { kind: "refused", sipCode: 404 }, [{ do: "close" }, { do: "openHere" }]],
  ["it is let in", IN, [{ do: "join" }]],
  ["it leaves before", { kind: "leave", reason: "HungUp" }, [{ do: "close", reason: "HungUp" }]],
])("a call on its way to a conference of another node, and %s", (_what, input, commands) => {
  expect(run(input).commands).toEqual(commands);
});

test.each<[what: string, input: BridgeInput, fault: string]>([
  ["full", { kind: "refused", sipCode: 486 }, "The conference has as many participants as it may."],
  ["silent", { kind: "late" }, NO_ANSWER],
  ["silent in SIP's own time", { kind: "refused", sipCode: 408 }, NO_ANSWER],
  [
    "out of ports",
    { kind: "refused", sipCode: 503 },
    "The node that has the conference did not take the call: it answered 503.",
  ],
  ["without audio", { kind: "answered", fault: "its SDP cannot be read" }, "its SDP cannot be read"],
  ["never asked", { kind: "failed", fault: "No port for media is free." }, "No port for media is free."],
  ["gone at once", { kind: "ended" }, GONE_WHILE_ENTERING],
  ["dead", { kind: "lost" }, GONE_WHILE_ENTERING],
])("a call does not enter where the other node is %s, and is told why", (_what, input, fault) => {
  expect(run(input)).toEqual({ phase: "Over", commands: [{ do: "close" }, { do: "release", fault }] });
});

test.each<BridgeInput>([{ kind: "ended" }, { kind: "lost" }])(
  "a call that was in it goes on without a fault when it is over there: %j",
  (input) => {
    expect(run(IN, input).commands).toEqual([{ do: "join" }, { do: "close" }, { do: "release", fault: null }]);
  },
);

test("a call that leaves says why, and is not told that it is out", () => {
  const left = { kind: "leave", reason: "Redirected" } as const;
  expect(run(IN, left, { kind: "ended" }, { kind: "lost" }).commands).toEqual([
    { do: "join" },
    { do: "close", reason: "Redirected" },
  ]);
});

test("whatever comes, it enters once at most, is closed once, and is told once at most that it is out", () => {
  const kinds = ["gone", "late", "ended", "lost"] as const;
  const input = fc.oneof(
    fc.constantFrom(...kinds).map((kind): BridgeInput => ({ kind })),
    fc.option(fc.constant("no audio")).map((fault): BridgeInput => ({ kind: "answered", fault })),
    fc.constantFrom(404, 408, 486, 503).map((sipCode): BridgeInput => ({ kind: "refused", sipCode })),
    fc.constantFrom<BridgeInput>({ kind: "failed", fault: "no port" }, { kind: "leave", reason: "Left" }),
  );
  fc.assert(
    fc.property(fc.array(input, { maxLength: 8 }), (inputs) => {
      const { phase, commands } = run(...inputs);
      const count = (what: BridgeCommand["do"]) => commands.filter((command) => command.do === what).length;
      expect(count("join")).toBeLessThanOrEqual(1);
      expect(count("close")).toBe(phase === "Over" ? 1 : 0);
      expect(count("release") + count("openHere")).toBeLessThanOrEqual(1);
      // Who was in it does not enter again, and has no fault.
      if (count("join") === 1) expect(commands.filter((one) => one.do === "release" && one.fault !== null)).toEqual([]);
      if (count("join") === 1) expect(count("openHere")).toBe(0);
    }),
  );
});
