// Replays everything that waits for a subscription or was given up, in one action.

import { useMutation, useQuery } from "@tanstack/react-query";
import { client } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { Button } from "../../components/button.tsx";
import { toast } from "../../components/toast.tsx";
import { waitingQuery } from "./webhook-queries.ts";

/** The server replays the oldest 10,000 at a time. */
const ROUNDS_MAX = 10;

/** A replayed delivery is no longer `Failed`, so another round reaches the next ones. */
async function replayFailed(subscriptionSid: string): Promise<number> {
  let replayed = 0;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const { data } = await client.deliveries.replayMany({ subscriptionSid, status: "Failed" });
    replayed += data.replayed;
    if (data.complete) break;
  }
  return replayed;
}

export function ReplayAll({ subscriptionSid }: { readonly subscriptionSid: string }) {
  const { data: waiting } = useQuery(waitingQuery(subscriptionSid));
  const replay = useMutation({
    mutationFn: async () => {
      // First the pending ones: later they would include the replayed failures and be counted twice.
      const { data } = await client.deliveries.replayMany({ subscriptionSid, status: "Pending" });
      return data.replayed + (await replayFailed(subscriptionSid));
    },
    onSuccess: (count) => toast.done(`${count.toLocaleString()} on their way again`),
    onError: (error) => toast.problem("Not all replayed.", error),
    onSettled: () => queries.invalidateQueries({ queryKey: ["webhooks"] }),
  });
  if (!waiting || waiting.count === 0) return null;
  return (
    <Button small busy={replay.isPending} onClick={() => replay.mutate()}>
      Replay all {waiting.count}
      {waiting.hasMore && "+"}
    </Button>
  );
}
