// Port orders of all accounts.

import { NotBuilt } from "../../components/not-built.tsx";

export function PortOrdersScreen() {
  return <NotBuilt what="Port orders" />;
}
