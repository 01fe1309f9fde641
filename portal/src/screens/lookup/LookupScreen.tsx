// Lookup: can it be texted? One number, or a CSV file.

import { NotBuilt } from "../../components/not-built.tsx";

export function LookupScreen() {
  return <NotBuilt what="Lookup" />;
}
