// Numbers: the list.

import { NotBuilt } from "../../components/not-built.tsx";

export function NumbersScreen() {
  return <NotBuilt what="Numbers" />;
}
