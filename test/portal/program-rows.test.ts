// The program of a call as its page shows it, from the steps of its `why`.

import type { CallTrail } from "@tandem/sdk";
import { expect, test } from "vitest";
import { programOf } from "../../portal/src/screens/calls/program-rows.ts";

const trailOf = (...steps: readonly (readonly [string, object])[]) =>
  ({ steps: steps.map(([step, details], at) => ({ at: `at ${at}`, step, details })) }) as unknown as CallTrail;

const shown = (trail: CallTrail) =>
  programOf(trail).map(({ words, results }) => [words.title, ...results.map((one) => one.words.title)]);

test("each instruction has what came of it, and other steps are left out", () => {
  const trail = trailOf(
    ["created", {}],
    ["script", { url: "https://a.example/", program: [{}, {}] }],
    ["answered", { leg: "First" }],
    ["instruction", { gather: [{}] }],
    ["instruction", { say: "Press a key." }],
    ["gathered", { digits: "5" }],
    ["script", { connect: "wss://a.example/" }],
    ["instruction", { connect: "wss://a.example/" }],
    ["stream", { connected: "wss://a.example/" }],
    ["stream", { packetsSent: 1, packetsReceived: 2 }],
    ["instruction", { record: "RE1" }],
    ["recorded", { endedBy: "Key" }],
    ["redirected", { informed: "https://a.example/over" }],
    ["redirected", {}],
    ["ended", {}],
  );
  expect(shown(trail)).toEqual([
    ["The script is a program"],
    ["Gather keys", "Keys"],
    ["Say"],
    ["The script connects with a program"],
    ["Connect with a program", "The program has answered", "The stream has ended"],
    ["Record the caller", "Recorded", "The dial's URL was told"],
    ["Redirected"],
  ]);
  expect(programOf(trail)[0]).toMatchObject({ url: "https://a.example/" });
  expect(programOf(trail)[5]).toMatchObject({ recordingSid: "RE1" });
});

test("what a dialled party hears is marked", () => {
  expect(programOf(trailOf(["instruction", { leg: "Second", say: "Hello." }]))).toMatchObject([{ isWhisper: true }]);
});

test("a call without a program has none", () => {
  expect(programOf(trailOf(["created", {}], ["rang", { leg: "First" }], ["dialled", {}]))).toEqual([]);
});
