// Says that the server has a newer portal than this tab. The tab goes on with its own as long as the user wants.

import { useEffect } from "react";
import { useNewerBuild } from "../api/newer-build.ts";
import { toast } from "../components/toast.tsx";

export function useNewerBuildNote(): void {
  const isNewer = useNewerBuild();
  useEffect(() => {
    const action = { verb: "Load it", run: () => location.reload() };
    if (isNewer) toast.offered("There is a newer portal than this tab. It opens at the same place.", action);
  }, [isNewer]);
}
