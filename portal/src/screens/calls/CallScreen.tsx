// One call: who hung up, and what was said?

import { NotBuilt } from "../../components/not-built.tsx";

export function CallScreen() {
  return <NotBuilt what="Call" />;
}
