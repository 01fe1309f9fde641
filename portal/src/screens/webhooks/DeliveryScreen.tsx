// One delivery: what was sent, what was answered, and when it is tried again.

import { NotBuilt } from "../../components/not-built.tsx";

export function DeliveryScreen() {
  return <NotBuilt what="Delivery" />;
}
