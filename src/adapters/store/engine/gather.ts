// Gathers what arrives while a statement is under way into the next one: under load many requests share a round trip, alone a
// request waits for nobody. Each caller gets its own answer after the statement that held its question. When a statement fails for
// another reason than that the database is out of reach, its questions are asked one by one: nobody suffers for another's.

import { Unavailable } from "../../../base/unavailable.ts";

export interface Gatherer<Question, Answer> {
  ask(question: Question): Promise<Answer>;
}

interface Waiting<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (fault: unknown) => void;
}

export function gather<Question, Answer>(
  /** Answers in the order of the questions. */
  answerAll: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  batchMax = 500,
): Gatherer<Question, Answer> {
  let waiting: Waiting<Question, Answer>[] = [];
  let busy = false;

  async function run(): Promise<void> {
    busy = true;
    // One turn of the loop, so that requests read from the sockets together travel together.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchMax);
      waiting = waiting.slice(batchMax);
      await settle(batch);
    }
    busy = false;
  }

  async function settle(batch: readonly Waiting<Question, Answer>[]): Promise<void> {
    try {
      const answers = await answerAll(batch.map((entry) => entry.question));
      batch.forEach((entry, index) => {
        entry.resolve(answers[index] as Answer);
      });
    } catch (fault) {
      if (batch.length > 1 && !(fault instanceof Unavailable)) for (const entry of batch) await settle([entry]);
      else for (const entry of batch) entry.reject(fault);
    }
  }

  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        waiting.push({ question, resolve, reject });
        if (!busy) void run();
      }),
  };
}
