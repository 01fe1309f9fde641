// What operators have done.

import { NotBuilt } from "../../components/not-built.tsx";

export function AuditScreen() {
  return <NotBuilt what="Audit log" />;
}
