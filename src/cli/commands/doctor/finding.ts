// The result of a check of `tandem doctor`.

export type Verdict = "ok" | "warn" | "fail";

export interface Finding {
  readonly check: string;
  readonly verdict: Verdict;
  readonly found: string;
  /** What to do about it; absent when there is nothing to do. */
  readonly advice?: string;
}

export function ok(check: string, found: string): Finding {
  return { check, verdict: "ok", found };
}

export function warn(check: string, found: string, advice: string): Finding {
  return { check, verdict: "warn", found, advice };
}

export function fail(check: string, found: string, advice: string): Finding {
  return { check, verdict: "fail", found, advice };
}
