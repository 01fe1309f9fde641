// Routes, as the config file has them.

import { NotBuilt } from "../../components/not-built.tsx";

export function RoutesScreen() {
  return <NotBuilt what="Routes" />;
}
