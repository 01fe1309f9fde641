// What the operator has stopped and not started again: links to carriers, trunks.

export interface Stopped {
  readonly name: string;
  readonly stoppedOn: Date;
}

/** Counts in whatever process keeps what is stopped. */
export interface StoppedStore {
  list(): Promise<readonly Stopped[]>;
  /** Answers since when it is stopped; what is stopped already stays as it is. */
  stop(name: string, now: Date): Promise<Stopped>;
  start(name: string): Promise<void>;
}
