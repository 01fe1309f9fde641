// Numbers that accounts can buy.

import { NotBuilt } from "../../components/not-built.tsx";

export function InventoryScreen() {
  return <NotBuilt what="Inventory" />;
}
