// Campaigns of all accounts: those of the registry, those kept manually, and those whose account is not known.

import { CAMPAIGN_STATUSES, type OwnedTcrCampaign } from "@tandem/sdk";
import { useState } from "react";
import { operator } from "../../api/client.ts";
import { AccountLink } from "../../components/account-link.tsx";
import { CommandLine } from "../../components/command-line.tsx";
import { TextField } from "../../components/form.tsx";
import { ListPage } from "../../components/list-page.tsx";
import { NoneSuch } from "../../components/none-such.tsx";
import { Empty } from "../../components/page.tsx";
import { usePages } from "../../components/pages.ts";
import { usePlace } from "../../components/place.ts";
import { Status } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useAction } from "../../components/use-action.ts";
import { CampaignDrawer } from "./CampaignDrawer.tsx";
import { AccountChoice, SectionForm, useOpenForm, useSelection, useStatusFilter } from "./operator-parts.tsx";
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
  const entering = useOpenForm("Enter a campaign", (close) => <EnterCampaign onClose={close} />);
  const [status, statusField] = useStatusFilter(CAMPAIGN_STATUSES);
  const pages = usePages(["campaigns", "owned", status], (options) =>
    operator.campaigns.list({ ...options, ...(status && { status }) }),
  );
  const { chosen, close, table } = useSelection(pages.rows, ({ tcrCampaignId }) => tcrCampaignId);
  return (
    <ListPage
      title="Campaigns"
      sub="What texts from here are registered as"
      buttons={entering.button}
      drawer={chosen && <CampaignDrawer campaign={chosen} onClose={close} />}
      above={
        <>
          {entering.form}
          <UnassignedCampaigns />
        </>
      }
      filter={statusField}
    >
      <Table
        {...pages}
        {...table}
        label="Campaigns"
        columns={COLUMNS}
        empty={
          <NoneSuch what={`No campaign is ${status}`} filters={["status"]}>
            <Empty what="No campaigns yet" why="They come from the registry, or are entered by hand, here or by:">
              <CommandLine words="campaigns enter CABC123 --brand BABC123 --name Reminders" />
            </Empty>
          </NoneSuch>
        }
      />
    </ListPage>
  );
}

function EnterCampaign({ onClose }: { readonly onClose: () => void }) {
  const [tcrCampaignId, setId] = useState("");
  const [tcrBrandId, setBrand] = useState("");
  const [name, setName] = useState("");
  const [accountSid, setAccount] = useState("");
  const enter = useAction({
    run: () =>
      operator.campaigns.enter({
        tcrCampaignId: tcrCampaignId.trim(),
        tcrBrandId: tcrBrandId.trim(),
        name: name.trim(),
        ...(accountSid && { accountSid }),
      }),
    nouns: ["campaigns", "migrations"],
    done: ({ data }) => `${data.tcrCampaignId} is entered.`,
    onDone: onClose,
  });
  return (
    <SectionForm
      title="Enter a campaign by hand"
      verb="Enter it"
      failed="Not entered"
      action={enter}
      ready={[tcrCampaignId, tcrBrandId, name].every((text) => text.trim() !== "")}
      onClose={onClose}
    >
      <div className="operator-fields">
        <TextField label="Campaign id" className="mono" value={tcrCampaignId} onChange={setId} placeholder="CABC123" />
        <TextField label="Brand id" className="mono" value={tcrBrandId} onChange={setBrand} placeholder="BABC123" />
        <TextField label="Name" value={name} onChange={setName} placeholder="Appointment reminders" />
        <AccountChoice value={accountSid} onChange={setAccount} none="The one whose config names it" />
      </div>
    </SectionForm>
  );
}
