// One number: why is it not Active, and where do its calls go?

import { NotBuilt } from "../../components/not-built.tsx";

export function NumberScreen() {
  return <NotBuilt what="Number" />;
}
