// Links and trunks: which carrier ails?

import { NotBuilt } from "../../components/not-built.tsx";

export function LinksScreen() {
  return <NotBuilt what="Links" />;
}
