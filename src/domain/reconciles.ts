// Work that brings what we have to what is, again and again: what its last run came to, for operators to see.

export interface ReconcileRun {
  /** Such as `import-campaigns`. */
  readonly name: string;
  readonly startedOn: Date;
  readonly finishedOn: Date;
  readonly outcome: "Done" | "Failed";
  /** What was counted, and of a failure the reason. */
  readonly details: Readonly<Record<string, string | number>>;
}

export interface ReconcileLog {
  /** In place of the run before. */
  record(run: ReconcileRun): Promise<void>;
  /** The last run of each, by name. */
  list(): Promise<readonly ReconcileRun[]>;
}
