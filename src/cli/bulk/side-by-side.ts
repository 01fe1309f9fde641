// Asks one question after another, several at once; those of one queue in order. Answers in the order of the questions.
// Ends when all that began have ended; after a fault nothing more is begun, and the first one is thrown.

import { OrderedQueues } from "../ordered-queues.ts";

export interface SideBySideOrder<Question, Answer> {
  readonly questions: readonly Question[];
  readonly atOnceMax: number;
  readonly queueOf: (question: Question) => string;
  readonly ask: (question: Question) => Promise<Answer>;
}

export async function askSideBySide<Question, Answer>({
  ask,
  atOnceMax,
  queueOf,
  questions,
}: SideBySideOrder<Question, Answer>): Promise<readonly Answer[]> {
  const queues = new OrderedQueues(atOnceMax);
  const answers: Answer[] = [];
  const faults: unknown[] = [];
  for (const [at, question] of questions.entries()) {
    await queues.add(queueOf(question), async () => {
      if (faults.length > 0) return;
      try {
        answers[at] = await ask(question);
      } catch (error) {
        faults.push(error);
      }
    });
  }
  await queues.idle();
  if (faults.length > 0) throw faults[0];
  return answers;
}
