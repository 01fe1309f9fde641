// Home: is it well, and what needs me? An account without traffic gets its first run here.

import { NotBuilt } from "../../components/not-built.tsx";

export function HomeScreen() {
  return <NotBuilt what="Home" />;
}
