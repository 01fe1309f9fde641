// Records that a process owns, in SQL: their version is PostgreSQL's own, so that a record that changed since it was
// read is left alone (domain/give-back.ts).

import type { OwnedRecord } from "../../../domain/give-back.ts";

/** For a `from`: the records in the first two parameters, which `asRead` makes; a row is compared by `xmin::text`. */
export const AS_READ = "unnest($1::text[], $2::text[]) as given (id, version)";

export function asRead(records: readonly OwnedRecord[]): readonly [readonly string[], readonly string[]] {
  return [records.map(({ id }) => id), records.map(({ version }) => version)];
}
