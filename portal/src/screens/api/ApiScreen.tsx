// The API explorer: how do I call it?

import { NotBuilt } from "../../components/not-built.tsx";

export function ApiScreen() {
  return <NotBuilt what="API explorer" />;
}
