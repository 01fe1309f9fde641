// The front door of migrations.

export type { LinkOutcome, MigrationFacts, MigrationNumber, MigrationOrder, MigrationStore } from "./migration.ts";
export { BLOCKER_CODES, type ViewTerms } from "./migration-blockers.ts";
export { EXPECTED_SECONDS, MIGRATION_STEPS, stepTimes } from "./migration-times.ts";
export {
  MIGRATION_ACTORS,
  MIGRATION_STATUSES,
  PREFLIGHT_CHECKS,
  type ProposedNumber,
  preflight,
  viewMigration,
} from "./migration-view.ts";
