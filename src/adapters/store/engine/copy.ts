// COPY to and from a client of `pg`, in bounded memory. `pg` parses and writes the messages of COPY itself and passes
// them to the current statement; this file adds a statement that handles them.
//
// Guarantee: backpressure in both directions. A copy that is abandoned before its end destroys the connection, because
// nothing else stops PostgreSQL from sending the rest.

import { once } from "node:events";
import type pg from "pg";

/** Messages are collected into blocks of about this size: one message is one row. */
const BLOCK_BYTES = 64 * 1024;
/** PostgreSQL has to wait while this many blocks are unread. */
const BLOCKS_MAX = 8;

interface CopyConnection extends pg.Connection {
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
}

/** The state of the statement. */
interface Progress {
  connection: CopyConnection | undefined;
  /** PostgreSQL waits for data. */
  isOpen: boolean;
  isOver: boolean;
  fault: Error | undefined;
  /** Called whenever one of the other members has changed. */
  changed: () => void;
}

/** The object whose methods `pg` calls while the statement runs. */
function statementOf(text: string, progress: Progress, take: (chunk: Uint8Array) => void) {
  return {
    submit(connection: pg.Connection): void {
      progress.connection = connection as CopyConnection;
      connection.query(text);
    },
    handleCopyInResponse(): void {
      progress.isOpen = true;
      progress.changed();
    },
    handleCopyData: ({ chunk }: { readonly chunk: Uint8Array }): void => take(chunk),
    handleCommandComplete(): void {},
    handleReadyForQuery(): void {
      progress.isOver = true;
      progress.changed();
    },
    handleError(fault: Error): void {
      progress.fault ??= fault;
      progress.changed();
    },
  };
}

function newProgress(): Progress {
  return { connection: undefined, isOpen: false, isOver: false, fault: undefined, changed: () => undefined };
}

/** Waits until `isThere` returns true, or the statement has ended or failed. */
function until(progress: Progress, isThere: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    progress.changed = () => {
      if (!isThere() && !progress.isOver && !progress.fault) return;
      progress.changed = () => undefined;
      resolve();
    };
    progress.changed();
  });
}

/** The output of `copy … to stdout`, in blocks that the reader may keep. */
export async function* copyOut(client: pg.ClientBase, text: string): AsyncGenerator<Buffer> {
  const progress = newProgress();
  const blocks: Buffer[] = [];
  let rows: Uint8Array[] = [];
  let size = 0;
  // Copied, because `pg` reuses the buffer for later messages.
  const gather = () => {
    if (size > 0) blocks.push(Buffer.concat(rows, size));
    rows = [];
    size = 0;
  };
  const take = (chunk: Uint8Array) => {
    rows.push(Buffer.from(chunk));
    size += chunk.length;
    if (size < BLOCK_BYTES) return;
    gather();
    if (blocks.length >= BLOCKS_MAX) progress.connection?.stream.pause();
    progress.changed();
  };
  client.query(statementOf(text, progress, take));
  try {
    for (;;) {
      await until(progress, () => blocks.length > 0);
      const { fault, isOver } = progress;
      if (fault) throw fault;
      if (isOver) gather();
      yield* blocks.splice(0);
      if (isOver) return;
      progress.connection?.stream.resume();
    }
  } finally {
    if (!progress.isOver) progress.connection?.stream.destroy();
  }
}

export interface CopyIn {
  /** Resolves when more can be written. */
  write(chunk: Uint8Array): Promise<void>;
  /** Resolves when PostgreSQL has stored all of it. */
  end(): Promise<void>;
}

/** Begins `copy … from stdin`. To abandon it before its end, close the connection. */
export async function copyIn(client: pg.ClientBase, text: string): Promise<CopyIn> {
  const progress = newProgress();
  client.query(statementOf(text, progress, () => undefined));
  await until(progress, () => progress.isOpen);
  const connection = () => {
    if (progress.fault) throw progress.fault;
    if (!progress.connection) throw new Error("the copy has not begun");
    return progress.connection;
  };
  connection();
  return {
    async write(chunk) {
      const { stream } = connection();
      connection().sendCopyFromChunk(chunk);
      if (stream.writableNeedDrain) await Promise.race([once(stream, "drain"), until(progress, () => false)]);
      connection();
    },
    async end() {
      connection().endCopyFrom();
      await until(progress, () => false);
      connection();
    },
  };
}
