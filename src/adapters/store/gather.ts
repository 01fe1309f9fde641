// Gathers what arrives while a statement is under way into the next one: under load many requests share a round trip, alone a
// request waits for nobody. Each caller gets its own answer after the statement that held its question.

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
      try {
        const answers = await answerAll(batch.map((entry) => entry.question));
        batch.forEach((entry, index) => {
          entry.resolve(answers[index] as Answer);
        });
      } catch (fault) {
        for (const entry of batch) entry.reject(fault);
      }
    }
    busy = false;
  }

  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        waiting.push({ question, resolve, reject });
        if (!busy) void run();
      }),
  };
}
