// Fault checks have a quick form, which `npm test` runs, and a long one, which `npm run faults` runs.

export const isLong = process.env.FAULTS === "long";

export function roundsOf(form: { readonly quick: number; readonly long: number }): number {
  return isLong ? form.long : form.quick;
}

export const LONG_TIMEOUT_MS = 3_600_000;
