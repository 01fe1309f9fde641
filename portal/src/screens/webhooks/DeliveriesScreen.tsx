// The deliveries of all subscriptions, also of those that were deleted: what the bars of the statistics count.

import { ButtonLink } from "../../components/button.tsx";
import { PageHead } from "../../components/page.tsx";
import { usePlace } from "../../components/place.ts";
import { DeliveryList } from "./DeliveryList.tsx";

export function DeliveriesScreen() {
  usePlace([{ label: "Webhooks", to: "/webhooks" }, { label: "All deliveries" }]);
  return (
    <DeliveryList
      subscriptionSid={undefined}
      head={() => (
        <PageHead
          title="All deliveries"
          sub="Of every webhook, those that were deleted included."
          buttons={<ButtonLink to="/webhooks?subscribe=yes">Subscribe</ButtonLink>}
        />
      )}
      why="Subscribe an address to events: each event sent to it is a delivery."
    />
  );
}
