// Says honestly that a screen is not built yet, and how to do the same today.

import { Empty } from "./page.tsx";
import { usePlace } from "./place.ts";

export function NotBuilt({ what }: { readonly what: string }) {
  usePlace([{ label: what }]);
  return (
    <>
      <h1 className="vh">{what}</h1>
      <Empty
        what={`${what}: not built yet`}
        why="The API and the CLI do all of it today: see /docs and `tandem --help`."
      />
    </>
  );
}
