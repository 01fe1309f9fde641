// Asks questions concurrently, those of one queue in order. Returns the answers in the order of the questions. After a
// fault no further question is asked; when all running ones have ended, the first fault is thrown.

import { OrderedQueues } from "../ordered-queues.ts";

export interface ConcurrentOrder<Question, Answer> {
  readonly questions: readonly Question[];
  readonly concurrencyMax: number;
  readonly queueOf: (question: Question) => string;
  readonly ask: (question: Question) => Promise<Answer>;
}

export async function askConcurrently<Question, Answer>({
  ask,
  concurrencyMax,
  queueOf,
  questions,
}: ConcurrentOrder<Question, Answer>): Promise<readonly Answer[]> {
  const queues = new OrderedQueues(concurrencyMax);
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
