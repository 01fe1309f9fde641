// Does the same again and again, several times at once, until it is stopped. `stop` reports what failed.

export interface Repeated {
  /** Resolves when nothing is under way any more. */
  stop(): Promise<void>;
}

export function repeat(count: number, work: () => Promise<unknown>): Repeated {
  let isStopped = false;
  const workers = Array.from({ length: count }, async () => {
    while (!isStopped) await work();
  });
  const ended = Promise.allSettled(workers);
  return {
    async stop() {
      isStopped = true;
      const failed = (await ended).find(({ status }) => status === "rejected");
      if (failed?.status === "rejected") throw failed.reason;
    },
  };
}

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Does it so often, a number of times at once. */
export async function times(count: number, atOnce: number, work: () => Promise<unknown>): Promise<void> {
  let left = count;
  const workers = Array.from({ length: atOnce }, async () => {
    while (left-- > 0) await work();
  });
  await Promise.all(workers);
}
