// The live log: what happens now, and what did my request do?

import { NotBuilt } from "../../components/not-built.tsx";

export function LogScreen() {
  return <NotBuilt what="Live log" />;
}
