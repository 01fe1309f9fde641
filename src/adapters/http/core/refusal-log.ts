// Queues refused requests for the store. Recording one costs its request next to nothing and never waits; they are
// stored in batches, independently of requests.
//
// Guarantees: no part of a body and no secret is recorded, and of fields only names that the operation's schemas have.
// The queue is bounded, and so is what is recorded per account and code in a minute, so that a flood of one kind hides
// nothing else; what exceeds a bound is counted. What cannot be stored while the database is unreachable stays in the
// queue.

import { z } from "zod";
import type { Clock } from "../../../base/clock.ts";
import { Unavailable } from "../../../base/unavailable.ts";
import type { Problem } from "../../../domain/problems.ts";
import type { RefusedRequest } from "../../../domain/refused-requests.ts";
import type { Operation } from "./operation.ts";
import { PROBLEM_STATUS } from "./problem-answer.ts";
import type { RequestContext } from "./request-context.ts";

export interface Refusal {
  readonly problem: Problem;
  readonly traceId: string;
}

export const PER_MINUTE_MAX = 100;
export const WAITING_MAX = 5_000;
const BATCH_MAX = 500;
const FAULT_LENGTH_MAX = 256;
const FIELDS_MAX = 10;

export class RefusalLog {
  readonly #clock: Clock;
  readonly #waiting: RefusedRequest[] = [];
  /** How many were recorded for an account and code in this minute. */
  readonly #counts = new Map<string, number>();
  #minute = 0;
  #dropped = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(
    { id, caller }: Pick<RequestContext, "id" | "caller">,
    operation: Operation | undefined,
    { problem, traceId }: Refusal,
  ): void {
    const createdOn = this.#clock.now();
    const accountSid = caller?.kind === "account" ? caller.account.sid : null;
    if (!this.#takeRoom(`${accountSid} ${problem.code}`, createdOn)) {
      this.#dropped++;
      return;
    }
    this.#waiting.push({
      createdOn,
      accountSid,
      operation: operation?.id ?? null,
      status: PROBLEM_STATUS[problem.code],
      code: problem.code,
      fault: faultOf(problem, operation),
      traceId,
      requestId: id,
    });
  }

  #takeRoom(kind: string, now: Date): boolean {
    const minute = Math.floor(now.getTime() / 60_000);
    if (minute !== this.#minute) this.#counts.clear();
    this.#minute = minute;
    const count = this.#counts.get(kind) ?? 0;
    if (count >= PER_MINUTE_MAX || this.#waiting.length >= WAITING_MAX) return false;
    this.#counts.set(kind, count + 1);
    return true;
  }

  /** Stores what is queued. Not to be called again before it has ended. */
  async flush(keep: (requests: readonly RefusedRequest[]) => Promise<void>): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, BATCH_MAX);
      try {
        await keep(batch);
      } catch (fault) {
        if (fault instanceof Unavailable) throw fault;
        // The batch would fail again, and hold up all that follow.
        this.#waiting.splice(0, batch.length);
        this.#dropped += batch.length;
        throw fault;
      }
      this.#waiting.splice(0, batch.length);
    }
  }

  /** How many were dropped since the last call. */
  takeDropped(): number {
    const dropped = this.#dropped;
    this.#dropped = 0;
    return dropped;
  }
}

/** The names of the fields at fault without the messages, which may repeat what was sent. */
function faultOf({ errors, detail }: Problem, operation: Operation | undefined): string | null {
  if (!errors) return detail?.slice(0, FAULT_LENGTH_MAX) ?? null;
  const known = fieldsOf(operation);
  const names = Object.keys(errors).map((path) => {
    const [name = path] = /^[\w-]+/.exec(path) ?? [];
    return known.has(name.toLowerCase()) ? name : "a field that is not known";
  });
  return [...new Set(names)].slice(0, FIELDS_MAX).join(", ") || null;
}

/** Field names of requests that no schema has. */
const COMMON_FIELDS = ["$", "data", "files", "Idempotency-Key", "Last-Event-ID", "Host", "Authorization"];

function fieldsOf(operation: Operation | undefined): ReadonlySet<string> {
  const schemas = [operation?.params, operation?.query, operation?.body];
  const names = schemas.flatMap((schema) => {
    const given = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
    return given instanceof z.ZodObject ? Object.keys(given.shape) : [];
  });
  return new Set([...names, ...COMMON_FIELDS].map((name) => name.toLowerCase()));
}
