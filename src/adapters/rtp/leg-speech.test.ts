import { expect, test } from "vitest";
import { LegSpeech } from "./leg-speech.ts";

const settled = () => new Promise<void>((resolve) => void setImmediate(resolve));

function speaking(parts: number) {
  const ordered: string[] = [];
  const world = { ordered, made: 0, isStopped: false };
  const audio = (async function* () {
    try {
      for (; world.made < parts; ) yield Int16Array.of(++world.made);
    } finally {
      world.isStopped = true;
    }
  })();
  const speech = new LegSpeech({ audio, tailMs: 300 }, (order) =>
    ordered.push(order.kind === "speechEnd" ? `end ${order.tailMs}` : `part ${order.samples[0]}`),
  );
  return { world, speech };
}

test("two parts are made ahead, one more for each that was used up, and then the end is reported", async () => {
  const { world, speech } = speaking(3);
  await settled();
  expect(world.ordered).toEqual(["part 1", "part 2"]);
  expect(world.made).toBe(2);
  speech.want();
  speech.want();
  await settled();
  expect(world.ordered).toEqual(["part 1", "part 2", "part 3", "end 300"]);
  speech.want();
  await settled();
  expect(world.ordered).toHaveLength(4);
});

test("speech that is stopped makes no more", async () => {
  const { world, speech } = speaking(10);
  await settled();
  speech.stop();
  speech.want();
  await settled();
  expect(world).toMatchObject({ made: 2, isStopped: true, ordered: ["part 1", "part 2"] });
});
