// Sends a message for every row of a CSV file, with several concurrent requests; messages to one recipient are sent in
// the file's order. Guarantees: a row is sent once, however often the work is interrupted and a request is repeated.
// Every request has an Idempotency-Key made from the run and the row. The server forgets a key after a day: for rows
// whose request may be older, and for keys that the server has stored for a different request, the sent messages are
// searched first.

import { type MessageOrder, type OutboundMessage, type TandemClient, TandemError } from "../../../../sdk/src/index.ts";
import { backoffMs } from "../../../base/backoff.ts";
import { adviceFor } from "../../advice.ts";
import { askConcurrently } from "../../bulk/ask-concurrently.ts";
import type { CsvJournal } from "../../bulk/csv-journal.ts";
import type { CsvWork, SettledRow } from "../../bulk/process-csv.ts";
import type { RetryingCaller } from "../../bulk/retrying-caller.ts";
import { RefusedError } from "../../exit-codes.ts";
import type { TextTemplate } from "./text-template.ts";

export const ADDED_COLUMNS = ["sid", "status", "segmentCount", "errorCode", "error"] as const;
export const BATCH_MAX = 100;
const CONCURRENCY_MAX = 8;
/** Less than the day for which the server remembers a key. */
const KEY_LIFE_MS = 23 * 3_600_000;
/** How much the clocks of client and server may differ. */
const CLOCKS_APART_MS = 5 * 60_000;
const QUEUE_FULL = 3005;
const QUEUE_FULL_TRIES_MAX = 20;
const QUEUE_FULL_BACKOFF = { msMin: 1_000, msMax: 30_000 };
/** Refusals that concern every row. */
const SENDER_CODES: ReadonlySet<number | undefined> = new Set([1, 2, 3, 4, 5, 6, 3015, 3016, 3017, 3019]);

export interface CsvSendOrder {
  readonly client: Pick<TandemClient, "messages">;
  readonly caller: RetryingCaller;
  readonly journal: Pick<CsvJournal, "run" | "continuedFrom">;
  /** The members that are the same for every row. */
  readonly message: Omit<MessageOrder, "to" | "text">;
  readonly toColumn: number;
  readonly text: TextTemplate;
  readonly isDryRun: boolean;
  readonly nowMs: () => number;
}

interface RowToSend {
  readonly rowNumber: number;
  readonly to: string;
  readonly message: MessageOrder;
}

export function csvSend(order: CsvSendOrder): CsvWork<RowToSend> {
  const sender = new RowSender(order);
  return {
    questionOf(cells, rowNumber) {
      const to = cells[order.toColumn]?.trim() ?? "";
      if (to === "") return refused("", "There is no number in this row.");
      const text = order.text(cells);
      return { ask: { rowNumber, to, message: { ...order.message, to, ...(text === "" ? {} : { text }) } } };
    },
    ask: (rows) => sender.sendAll(rows),
  };
}

/** Throws when nothing can be sent from this sender now. */
export async function checkSender(
  { client, message }: Pick<CsvSendOrder, "client" | "message">,
  caller: Pick<RetryingCaller, "call" | "signal">,
): Promise<void> {
  const { signal } = caller;
  // To the sender itself, because only refusals of the sender matter.
  const trial = { ...message, to: message.from, text: "?" };
  const { data } = await caller.call(() => client.messages.rehearse(trial, { signal }));
  const refusal = data.refusals.find(({ errorCode }) => SENDER_CODES.has(errorCode));
  if (!refusal) return;
  const advice = adviceFor(refusal);
  throw new RefusedError(
    `${refusal.message} [error ${refusal.errorCode}]${advice === undefined ? "" : `\n→ ${advice}`}`,
  );
}

class RowSender {
  readonly #order: CsvSendOrder;
  readonly #sidsFound = new Set<string>();
  /** How many of the next rows may have been sent under keys that the server has forgotten. */
  #doubtfulLeft: number;
  #isSenderInDoubt = false;
  #batchStartedMs = 0;

  constructor(order: CsvSendOrder) {
    this.#order = order;
    const { continuedFrom } = order.journal;
    const isOld = continuedFrom !== undefined && order.nowMs() - Date.parse(continuedFrom) > KEY_LIFE_MS;
    this.#doubtfulLeft = isOld ? BATCH_MAX : 0;
  }

  async sendAll(rows: readonly RowToSend[]): Promise<readonly SettledRow[]> {
    if (this.#isSenderInDoubt) await checkSender(this.#order, this.#order.caller);
    this.#isSenderInDoubt = false;
    this.#batchStartedMs = this.#order.nowMs();
    const doubtful = new Set(rows.slice(0, this.#doubtfulLeft));
    const settled = await askConcurrently({
      questions: rows,
      concurrencyMax: CONCURRENCY_MAX,
      queueOf: ({ to }) => to,
      ask: (row) => (this.#order.isDryRun ? this.#rehearse(row) : this.#send(row, doubtful.has(row))),
    });
    this.#doubtfulLeft -= doubtful.size;
    return settled;
  }

  async #rehearse({ message }: RowToSend): Promise<SettledRow> {
    const { caller, client } = this.#order;
    const { signal } = caller;
    const { data } = await caller.call(() => client.messages.rehearse(this.#asOfNow(message), { signal }));
    const [refusal] = data.refusals;
    if (refusal) return refused(String(refusal.errorCode), data.refusals.map((each) => each.message).join(" "));
    return { cells: ["", "WouldBeSent", String(data.segmentCount), "", ""], isRefused: false };
  }

  async #send(row: RowToSend, isDoubtful: boolean): Promise<SettledRow> {
    const found = isDoubtful ? await this.#findSent(row) : undefined;
    if (found) return accepted(found);
    for (let attempt = 0; ; attempt++) {
      try {
        return accepted((await this.#order.caller.call(() => this.#request(row))).data);
      } catch (error) {
        if (!(error instanceof TandemError)) throw error;
        if (error.errorCode === QUEUE_FULL && attempt < QUEUE_FULL_TRIES_MAX) {
          const pauseMs = backoffMs(QUEUE_FULL_BACKOFF, attempt + 1);
          await this.#order.caller.pause(pauseMs, "because the account's queue is full");
          continue;
        }
        return this.#settleRefusal(row, error);
      }
    }
  }

  #request({ message, rowNumber }: RowToSend) {
    const { caller, client, journal, nowMs } = this.#order;
    if (nowMs() - this.#batchStartedMs > KEY_LIFE_MS) {
      throw new Error("This computer slept for too long to know what has been sent.");
    }
    const idempotencyKey = `${journal.run}:${rowNumber}`;
    return client.messages.send(this.#asOfNow(message), { idempotencyKey, signal: caller.signal });
  }

  /** If the work outlasts --send-at, the remaining rows are sent immediately: the server refuses times in the past. */
  #asOfNow({ sendAt, ...message }: MessageOrder): MessageOrder {
    return typeof sendAt === "string" && Date.parse(sendAt) > this.#order.nowMs() ? { ...message, sendAt } : message;
  }

  async #settleRefusal(row: RowToSend, error: TandemError): Promise<SettledRow> {
    if (error.code === "idempotency-key-reused") {
      // The first request with this key was for the same row, but had a different body (its SendAt has passed since).
      const found = await this.#findSent(row);
      if (found) return accepted(found);
      return refused("", "It was asked for before the work was interrupted, but there is no message of it.");
    }
    // Any other status concerns all rows.
    if (error.status !== 400) throw error;
    if (SENDER_CODES.has(error.errorCode)) this.#isSenderInDoubt = true;
    return refused(String(error.errorCode ?? ""), error.message);
  }

  /** The message that was probably sent for this row. Each message is matched to one row only. */
  async #findSent({ message }: RowToSend): Promise<OutboundMessage | undefined> {
    const { caller, client, journal } = this.#order;
    const { from, smartEncoding } = message;
    const to = message.to ?? "";
    const sinceMs = journal.continuedFrom === undefined ? this.#batchStartedMs : Date.parse(journal.continuedFrom);
    const createdOnFrom = new Date(sinceMs - CLOCKS_APART_MS).toISOString();
    const { signal } = caller;
    const { data } = await caller.call(() =>
      client.messages.list({ from, to, createdOnFrom, pageSize: 1000, orderByDirection: "Ascending", signal }),
    );
    // Smart encoding may have changed the text; then only the recipient is compared.
    const isLike = (item: OutboundMessage) =>
      item.recipients.length === 1 && (smartEncoding === true || item.text === (message.text ?? ""));
    const found = data.items.find((item) => isLike(item) && !this.#sidsFound.has(item.sid));
    if (found) this.#sidsFound.add(found.sid);
    return found;
  }
}

function accepted({ sid, status, segmentCount }: OutboundMessage): SettledRow {
  return { cells: [sid, status, String(segmentCount), "", ""], isRefused: false };
}

function refused(errorCode: string, error: string): SettledRow {
  return { cells: ["", "", "", errorCode, error], isRefused: true };
}
