// The health of a subscription, as a shape and a few words.

import { Mark } from "../../components/status.tsx";
import { answerOf, type Health as Facts } from "./webhook-queries.ts";

export function Health({ health }: { readonly health: Facts }) {
  const { word, waiting, last } = health;
  switch (word) {
    case "fine":
      return <Mark shape="active" tone="ok" word={last ? `Answers ${answerOf(last)}` : "Fine"} />;
    case "failing":
      return (
        <Mark shape="act" tone="warn" word={`Fails: ${answerOf(last)}${waiting > 0 ? `, ${waiting} waiting` : ""}`} />
      );
    case "switchedOff":
      return <Mark shape="failed" tone="bad" word="Switched off" />;
    case "off":
      return <Mark shape="off" tone="neutral" word="Off" />;
    case "quiet":
      return <Mark shape="queued" tone="neutral" word="No event yet" />;
  }
}
