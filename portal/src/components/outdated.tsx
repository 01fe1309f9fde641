// Instead of a screen whose code could not be fetched: the server was away, or has another build since the tab was
// opened. Only loading the page again helps; its address keeps the place.

import { Button } from "./button.tsx";
import { Verdict } from "./verdict.tsx";

/** As Vite and the browsers word it. */
const NOT_FETCHED = /dynamically imported module|preload CSS|module script failed/i;

export const isNotFetched = (error: unknown): boolean => error instanceof Error && NOT_FETCHED.test(error.message);

export function Outdated() {
  return (
    <div role="alert">
      <Verdict
        tone="warn"
        what="This screen could not be loaded"
        why="The server was away, or has a newer portal than this tab."
        advice="Load the page again: it opens at the same place."
      >
        <Button small icon="replay" onClick={() => location.reload()}>
          Load it again
        </Button>
      </Verdict>
    </div>
  );
}
