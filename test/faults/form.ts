// Fault checks have a quick form, which `npm test` runs, and a long one, which `npm run faults` runs.

export const isLong = process.env.FAULTS === "long";

export function roundsOf(form: { readonly quick: number; readonly long: number }): number {
  return isLong ? form.long : form.quick;
}

/** Rounds add up in the long form; in the quick one a test that stands still for ten minutes hangs. */
export const LONG_TIMEOUT_MS = isLong ? 3_600_000 : 600_000;
