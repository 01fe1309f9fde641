// For speed alone (`bench -- messages` would notice): batches requests: those that arrive while a statement runs go
// into the next one. Under load many requests share a round trip; a single request does not wait. With a pace, those
// that follow a statement within a few milliseconds wait for the next one: fewer and larger statements under load. Each
// caller gets its own answer after the statement that contained its request. When a statement fails although the
// database can be reached, its requests are split in two halves that are tried separately, and so on: a bad request
// fails alone, and costs a number of statements that grows with the logarithm of the batch.

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
  /** Returns the answers in the order of the questions. */
  answerAll: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  batchMax = 500,
  /** The shortest time from the start of a statement to that of the next. */
  paceMs = 0,
): Gatherer<Question, Answer> {
  let waiting: Waiting<Question, Answer>[] = [];
  let busy = false;

  async function run(): Promise<void> {
    busy = true;
    // Waits one turn of the event loop, so that requests read from sockets together share a batch.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      const startMs = performance.now();
      const batch = waiting.slice(0, batchMax);
      waiting = waiting.slice(batchMax);
      await settle(batch);
      const restMs = startMs + paceMs - performance.now();
      if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs));
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
      if (batch.length === 1 || fault instanceof Unavailable) {
        for (const entry of batch) entry.reject(fault);
        return;
      }
      const half = batch.length >> 1;
      await settle(batch.slice(0, half));
      await settle(batch.slice(half));
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
