// The front door of migrations.

export * from "./migration.ts";
export * from "./migration-blockers.ts";
export * from "./migration-times.ts";
export * from "./migration-view.ts";
