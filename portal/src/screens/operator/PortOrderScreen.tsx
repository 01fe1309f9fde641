// One port order, by hand.

import { NotBuilt } from "../../components/not-built.tsx";

export function PortOrderScreen() {
  return <NotBuilt what="Port order" />;
}
