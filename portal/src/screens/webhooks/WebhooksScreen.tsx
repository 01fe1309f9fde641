// Webhooks: did my server get it? The list of subscriptions.

import { NotBuilt } from "../../components/not-built.tsx";

export function WebhooksScreen() {
  return <NotBuilt what="Webhooks" />;
}
