// Accounts: the list.

import { NotBuilt } from "../../components/not-built.tsx";

export function AccountsScreen() {
  return <NotBuilt what="Accounts" />;
}
