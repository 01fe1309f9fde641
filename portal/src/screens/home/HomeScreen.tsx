// Home: does everything work, and what needs me? An account that has sent nothing yet gets its first run.

import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { usePlace } from "../../components/place.ts";
import { useSearchState } from "../../components/search-state.ts";
import { Dashboard } from "./Dashboard.tsx";
import { FirstRun } from "./FirstRun.tsx";
import { stepsQuery } from "./home-queries.ts";

export function HomeScreen() {
  usePlace([{ label: "Home" }]);
  const [{ first }] = useSearchState();
  const steps = useQuery(stepsQuery);
  // A user who began the first run stays in it: the first text must not replace the page.
  const isFirst = useRef<boolean>(undefined);
  if (!steps.data) return <NotLoaded query={steps} what="Home did not load" />;
  isFirst.current ??= !steps.data.hasSent;
  if (first !== undefined || isFirst.current) return <FirstRun steps={steps.data} />;
  return <Dashboard steps={steps.data} />;
}
