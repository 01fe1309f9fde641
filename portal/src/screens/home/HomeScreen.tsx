// Home: is it well, and what needs me? An account that has sent nothing yet gets its first run.

import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { Loading } from "../../components/page.tsx";
import { usePlace } from "../../components/place.ts";
import { useSearchState } from "../../components/search-state.ts";
import { Problem } from "../../components/verdict.tsx";
import { Dashboard } from "./Dashboard.tsx";
import { FirstRun } from "./FirstRun.tsx";
import { stepsQuery } from "./home-queries.ts";

export function HomeScreen() {
  usePlace([{ label: "Home" }]);
  const [{ first }] = useSearchState();
  const steps = useQuery(stepsQuery);
  // Whoever begins stays: the first text must not take the page away.
  const isFirst = useRef<boolean>(undefined);
  if (steps.error) return <Problem what="Home did not load" error={steps.error} />;
  if (!steps.data) return <Loading />;
  isFirst.current ??= !steps.data.hasSent;
  if (first !== undefined || isFirst.current) return <FirstRun steps={steps.data} />;
  return <Dashboard steps={steps.data} />;
}
