// Answers of lookup that the operator has set.

import { NotBuilt } from "../../components/not-built.tsx";

export function OverridesScreen() {
  return <NotBuilt what="Lookup overrides" />;
}
