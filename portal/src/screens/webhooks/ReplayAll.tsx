// Sends everything again that waits for a subscription or was given up.

import { useMutation, useQuery } from "@tanstack/react-query";
import { client } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { Button } from "../../components/button.tsx";
import { toast } from "../../components/toast.tsx";
import { waitingQuery } from "./webhook-queries.ts";

export function ReplayAll({ subscriptionSid }: { readonly subscriptionSid: string }) {
  const { data: waiting = [] } = useQuery(waitingQuery(subscriptionSid));
  const replay = useMutation({
    mutationFn: async () => {
      // The oldest first, as they happened.
      for (const { sid } of waiting.toReversed()) await client.deliveries.replay(sid);
      return waiting.length;
    },
    onSuccess: (count) => toast.done(`${count} on their way again`),
    onError: (error) => toast.problem("Not all replayed.", error),
    onSettled: () => queries.invalidateQueries({ queryKey: ["webhooks"] }),
  });
  if (waiting.length === 0) return null;
  return (
    <Button small busy={replay.isPending} onClick={() => replay.mutate()}>
      Replay all {waiting.length}
    </Button>
  );
}
