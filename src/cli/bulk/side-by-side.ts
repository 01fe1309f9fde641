// Asks one question after another, several at once; those of one lane in order. Answers in the order of the questions. Ends when all
// that began have ended; after a fault nothing more is begun, and the first one is thrown.

import { OrderedLanes } from "../ordered-queues.ts";

export interface SideBySideOrder<Question, Answer> {
  readonly questions: readonly Question[];
  readonly atOnceMax: number;
  readonly laneOf: (question: Question) => string;
  readonly ask: (question: Question) => Promise<Answer>;
}

export async function askSideBySide<Question, Answer>({
  ask,
  atOnceMax,
  laneOf,
  questions,
}: SideBySideOrder<Question, Answer>): Promise<readonly Answer[]> {
  const lanes = new OrderedLanes(atOnceMax);
  const answers: Answer[] = [];
  const faults: unknown[] = [];
  for (const [at, question] of questions.entries()) {
    await lanes.add(laneOf(question), async () => {
      if (faults.length > 0) return;
      try {
        answers[at] = await ask(question);
      } catch (error) {
        faults.push(error);
      }
    });
  }
  await lanes.idle();
  if (faults.length > 0) throw faults[0];
  return answers;
}
