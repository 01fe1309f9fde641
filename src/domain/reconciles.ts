// The last run of each reconcile task (work that regularly compares our data with its source), for operators to see.

export interface ReconcileRun {
  /** Such as `import-campaigns`. */
  readonly name: string;
  readonly startedOn: Date;
  readonly finishedOn: Date;
  readonly outcome: "Done" | "Failed";
  /** Counts of the run, and the reason of a failure. */
  readonly details: Readonly<Record<string, string | number>>;
}

export interface ReconcileLog {
  /** Replaces the previous run of the same name. */
  record(run: ReconcileRun): Promise<void>;
  /** Sorted by name. */
  list(): Promise<readonly ReconcileRun[]>;
}
