import { expect, test } from "vitest";
import { askConcurrently } from "./ask-concurrently.ts";

test("answers come in the order of the questions, and those of a queue are asked in it", async () => {
  const asked: string[] = [];
  const answers = await askConcurrently({
    questions: ["a1", "b1", "a2", "c1", "a3"],
    concurrencyMax: 3,
    queueOf: (question) => question.charAt(0),
    async ask(question) {
      asked.push(question);
      // The first of its queue takes longer.
      for (let turns = question === "a1" ? 10 : 1; turns > 0; turns--) await Promise.resolve();
      return question.toUpperCase();
    },
  });
  expect(answers).toEqual(["A1", "B1", "A2", "C1", "A3"]);
  expect(asked.filter((question) => question.startsWith("a"))).toEqual(["a1", "a2", "a3"]);
});

test("after a fault nothing more is begun, and what has begun is waited for", async () => {
  const ended: number[] = [];
  const asking = askConcurrently({
    questions: [1, 2, 3, 4, 5],
    concurrencyMax: 2,
    queueOf: String,
    async ask(question) {
      await Promise.resolve();
      ended.push(question);
      if (question === 1) throw new Error("no more");
      return question;
    },
  });
  await expect(asking).rejects.toThrow("no more");
  expect(ended).toEqual([1, 2]);
});
