// Campaigns of all accounts: those of the registry, those kept manually, and those whose account is not known.

import { CAMPAIGN_STATUSES, type CampaignStatus, type OwnedTcrCampaign } from "@tandem/sdk";
import { useState } from "react";
import { operator } from "../../api/client.ts";
import { AccountLink } from "../../components/account-link.tsx";
import { Button } from "../../components/button.tsx";
import { Empty, PageHead } from "../../components/page.tsx";
import { usePlace } from "../../components/place.ts";
import { useSearchState } from "../../components/search-state.ts";
import { Status } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { CampaignDrawer } from "./CampaignDrawer.tsx";
import { AccountChoice, Choice, DeedForm, TextField, useDeed, useIsAdmin, usePages } from "./operator-parts.tsx";
import { UnassignedCampaigns } from "./UnassignedCampaigns.tsx";

const COLUMNS: readonly Column<OwnedTcrCampaign>[] = [
  {
    id: "id",
    head: "Campaign",
    cell: ({ tcrCampaignId }) => <b className="mono strong">{tcrCampaignId}</b>,
    phone: "first",
  },
  {
    id: "status",
    head: "Status",
    cell: ({ status }) => <Status kind="campaign" value={status} />,
    phone: "first-right",
  },
  { id: "account", head: "Account", cell: ({ accountSid }) => <AccountLink sid={accountSid} />, phone: "second-right" },
  { id: "brand", head: "Brand", cell: ({ tcrBrandId }) => <span className="mono">{tcrBrandId}</span> },
  { id: "source", head: "Kept by", cell: ({ source }) => (source === "Manual" ? "hand" : "the registry") },
  { id: "name", head: "Name", cell: ({ name }) => name, grow: true, phone: "second" },
  { id: "since", head: "Since", cell: ({ importedOn }) => <Time at={importedOn} form="day" />, align: "right" },
];

export function OperatorCampaignsScreen() {
  usePlace([{ label: "Campaigns" }]);
  const isAdmin = useIsAdmin();
  const [{ sel, status }, change] = useSearchState();
  const [isEntering, setEntering] = useState(false);
  const known = CAMPAIGN_STATUSES.find((each) => each === status);
  const { rows, source, onEnd } = usePages(["campaigns", "owned", known], (options) =>
    operator.campaigns.list({ ...options, ...(known && { status: known }) }),
  );
  const chosen = rows.find(({ tcrCampaignId }) => tcrCampaignId === sel);
  return (
    <div className={chosen ? "operator-split operator-split-open" : "operator-split"}>
      <div className="operator-page">
        <PageHead
          title="Campaigns"
          sub="What texts from here are registered as"
          buttons={
            isAdmin && (
              <Button kind="primary" onClick={() => setEntering(true)}>
                Enter a campaign
              </Button>
            )
          }
        />
        {isEntering && <EnterCampaign onClose={() => setEntering(false)} />}
        <UnassignedCampaigns />
        <div className="operator-filter">
          <Choice<CampaignStatus>
            label="Status"
            none="All"
            values={CAMPAIGN_STATUSES}
            value={known ?? ""}
            onChange={(next) => change({ status: next || undefined })}
          />
        </div>
        <div className="operator-list">
          <Table
            label="Campaigns"
            columns={COLUMNS}
            rows={rows}
            keyOf={({ tcrCampaignId }) => tcrCampaignId}
            selected={sel}
            onSelect={({ tcrCampaignId }) => change({ sel: tcrCampaignId })}
            source={source}
            empty={<Empty what="No such campaigns" why="They come from the registry, or are entered by hand." />}
            onEnd={onEnd}
          />
        </div>
      </div>
      {chosen && <CampaignDrawer campaign={chosen} onClose={() => change({ sel: undefined })} />}
    </div>
  );
}

function EnterCampaign({ onClose }: { readonly onClose: () => void }) {
  const [tcrCampaignId, setId] = useState("");
  const [tcrBrandId, setBrand] = useState("");
  const [name, setName] = useState("");
  const [accountSid, setAccount] = useState("");
  const enter = useDeed({
    run: () =>
      operator.campaigns.enter({
        tcrCampaignId: tcrCampaignId.trim(),
        tcrBrandId: tcrBrandId.trim(),
        name: name.trim(),
        ...(accountSid && { accountSid }),
      }),
    nouns: ["campaigns", "migrations"],
    done: (campaign) => `${campaign.tcrCampaignId} is entered.`,
    onDone: onClose,
  });
  return (
    <DeedForm
      title="Enter a campaign by hand"
      verb="Enter it"
      failed="Not entered"
      deed={enter}
      ready={[tcrCampaignId, tcrBrandId, name].every((text) => text.trim() !== "")}
      onSubmit={() => enter.mutate()}
      onClose={onClose}
    >
      <div className="operator-fields">
        <TextField label="Campaign id" mono value={tcrCampaignId} onChange={setId} placeholder="CABC123" />
        <TextField label="Brand id" mono value={tcrBrandId} onChange={setBrand} placeholder="BABC123" />
        <TextField label="Name" value={name} onChange={setName} placeholder="Appointment reminders" />
        <AccountChoice value={accountSid} onChange={setAccount} none="The one whose config names it" />
      </div>
    </DeedForm>
  );
}
