// Campaigns: the list, with their migrations.

import { NotBuilt } from "../../components/not-built.tsx";

export function CampaignsScreen() {
  return <NotBuilt what="Campaigns" />;
}
