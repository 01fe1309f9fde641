// Calls: the list.

import { NotBuilt } from "../../components/not-built.tsx";

export function CallsScreen() {
  return <NotBuilt what="Calls" />;
}
