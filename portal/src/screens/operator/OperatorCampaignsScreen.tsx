// Campaigns of all accounts.

import { NotBuilt } from "../../components/not-built.tsx";

export function OperatorCampaignsScreen() {
  return <NotBuilt what="Campaigns" />;
}
