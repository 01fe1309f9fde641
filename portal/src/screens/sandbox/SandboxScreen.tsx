// The sandbox: a telephone that texts and calls, and the switches of the world outside.

import { NotBuilt } from "../../components/not-built.tsx";

export function SandboxScreen() {
  return <NotBuilt what="Sandbox" />;
}
