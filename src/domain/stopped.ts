// What the operator has stopped and not started again: links to carriers, trunks.

export interface Stopped {
  readonly name: string;
  readonly stoppedOn: Date;
}

/** Takes effect in whichever process runs the link or trunk. */
export interface StoppedStore {
  list(): Promise<readonly Stopped[]>;
  /** Returns since when it is stopped; one that is stopped already stays as it is. */
  stop(name: string, now: Date): Promise<Stopped>;
  start(name: string): Promise<void>;
}
