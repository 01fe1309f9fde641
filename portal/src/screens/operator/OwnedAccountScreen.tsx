// One account, as the operator and support see it.

import { NotBuilt } from "../../components/not-built.tsx";

export function OwnedAccountScreen() {
  return <NotBuilt what="Account" />;
}
