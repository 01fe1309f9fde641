// One subscription and its deliveries.

import { NotBuilt } from "../../components/not-built.tsx";

export function WebhookScreen() {
  return <NotBuilt what="Webhook" />;
}
