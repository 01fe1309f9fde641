// One migration: whose turn is it?

import { NotBuilt } from "../../components/not-built.tsx";

export function MigrationScreen() {
  return <NotBuilt what="Migration" />;
}
