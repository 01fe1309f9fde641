// Instead of a screen whose code could not be fetched: the server was away, or does not have this tab's build any more.
// Only loading the page again helps; its address keeps the place. While the server is away the browser would show a
// page of its own instead, so the button comes once the server answers.

import { useQuery } from "@tanstack/react-query";
import { hasServer } from "../api/newer-build.ts";
import { Button } from "./button.tsx";
import { usePlace } from "./place.ts";
import { Verdict } from "./verdict.tsx";

/** As Vite and the browsers word it. */
const NOT_FETCHED = /dynamically imported module|preload CSS|module script failed/i;

/** The code of a screen did not arrive. */
export class ScreenNotFetched extends Error {
  constructor(cause: unknown) {
    super("The code of this screen did not arrive.", { cause });
  }
}

/** Imports a screen. Left to itself the router would load the page again at once, also while the server is away. */
export function fetching<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return () =>
    load().catch((error: unknown) => {
      throw error instanceof Error && NOT_FETCHED.test(error.message) ? new ScreenNotFetched(error) : error;
    });
}

const ASK_EVERY_MS = 2_000;

export function Outdated() {
  usePlace([{ label: "Not loaded" }]);
  const { data: isThere } = useQuery({
    queryKey: ["server"],
    queryFn: hasServer,
    refetchInterval: ({ state: { data } }) => (data ? false : ASK_EVERY_MS),
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <div role="alert">
      <h1 className="vh">Not loaded</h1>
      <Verdict
        tone="warn"
        what="This screen could not be loaded"
        why={
          isThere === false
            ? "The server does not answer. It is asked again every two seconds."
            : "The server was away, or has a newer portal than this tab."
        }
        advice={isThere && "Load the page again: it opens at the same place."}
      >
        {isThere && (
          <Button small icon="replay" onClick={() => location.reload()}>
            Load it again
          </Button>
        )}
      </Verdict>
    </div>
  );
}
