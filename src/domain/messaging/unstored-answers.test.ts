import { expect, test } from "vitest";
import { UnstoredAnswers } from "./unstored-answers.ts";

let made = 0;
const newAnswer = () => ({ message: { sid: `OM${++made}` } });

/** Returns the names in the order in which their promises resolve. */
async function ended(waits: Readonly<Record<string, Promise<void> | undefined>>): Promise<readonly string[]> {
  const names: string[] = [];
  for (const [name, wait] of Object.entries(waits)) void wait?.then(() => names.push(name));
  await new Promise(setImmediate);
  return names;
}

test("where no answer has come there is nothing to wait for", () => {
  const answers = new UnstoredAnswers();
  expect(answers.removed()).toBeUndefined();
  const answer = newAnswer();
  answers.add(answer);
  answers.remove([answer]);
  expect(answers.removed()).toBeUndefined();
});

test("who waits does so for the answers that came before, in whatever order they are stored, and no others", async () => {
  const answers = new UnstoredAnswers();
  const [first, second, third] = [newAnswer(), newAnswer(), newAnswer()];
  answers.add(first);
  const one = answers.removed();
  answers.add(second);
  const two = answers.removed();
  answers.add(third);
  const three = answers.removed();
  answers.remove([second]);
  expect(await ended({ one, two, three })).toEqual([]);
  answers.remove([first]);
  expect(await ended({ one, two, three })).toEqual(["one", "two"]);
  answers.remove([third]);
  expect(await ended({ three })).toEqual(["three"]);
});

test("when the sender gives its answers up nobody waits any longer", async () => {
  const answers = new UnstoredAnswers();
  answers.add(newAnswer());
  const wait = answers.removed();
  answers.clear();
  expect(await ended({ wait })).toEqual(["wait"]);
});
