// The operator's overview: what waits for me?

import { NotBuilt } from "../../components/not-built.tsx";

export function OverviewScreen() {
  return <NotBuilt what="Overview" />;
}
