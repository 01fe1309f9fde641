// The account: tokens, features, limits, addresses.

import { NotBuilt } from "../../components/not-built.tsx";

export function AccountScreen() {
  return <NotBuilt what="Account" />;
}
