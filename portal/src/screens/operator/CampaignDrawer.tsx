// One campaign beside the list. A manually kept campaign is suspended, expired, resumed and moved here.

import type { CampaignChange, OwnedTcrCampaign } from "@tandem/sdk";
import { useState } from "react";
import { operator } from "../../api/client.ts";
import { AccountLink } from "../../components/account-link.tsx";
import { Button } from "../../components/button.tsx";
import { Drawer } from "../../components/drawer.tsx";
import { type FactList, Facts } from "../../components/page.tsx";
import { Sid } from "../../components/sid.tsx";
import { Status } from "../../components/status.tsx";
import { Time } from "../../components/time.tsx";
import { useAction } from "../../components/use-action.ts";
import { Mono } from "../../components/words.tsx";
import { AccountChoice, useIsAdmin } from "./operator-parts.tsx";

interface CampaignDrawerProps {
  readonly campaign: OwnedTcrCampaign;
  readonly onClose: () => void;
}

export function CampaignDrawer({ campaign, onClose }: CampaignDrawerProps) {
  const isAdmin = useIsAdmin();
  return (
    <Drawer
      label={`Campaign ${campaign.tcrCampaignId}`}
      title={campaign.tcrCampaignId}
      sub={campaign.name}
      onClose={onClose}
    >
      <div className="operator-block">
        <Facts facts={factsOf(campaign)} />
        {isAdmin && campaign.source === "Manual" && <Actions key={campaign.accountSid} campaign={campaign} />}
        {campaign.source === "Registry" && <p className="mid">The registry says how it stands.</p>}
      </div>
    </Drawer>
  );
}

function factsOf(campaign: OwnedTcrCampaign): FactList {
  const { messagingConfigSid, throughput } = campaign;
  return [
    ["Status", <Status key="status" kind="campaign" value={campaign.status} />],
    ["Account", <AccountLink key="account" sid={campaign.accountSid} />],
    ["Brand", <Mono key="brand">{campaign.tcrBrandId}</Mono>],
    ["Config", messagingConfigSid === null ? "not linked" : <Sid key="config" value={messagingConfigSid} />],
    ["Operators", throughput.length === 0 ? "no reports" : `${throughput.length} say what they let through`],
    ["Since", <Time key="since" at={campaign.importedOn} form="day" />],
  ];
}

function Actions({ campaign: { tcrCampaignId, status, accountSid } }: Pick<CampaignDrawerProps, "campaign">) {
  const [account, setAccount] = useState(accountSid);
  const change = useAction({
    run: (wanted: CampaignChange) => operator.campaigns.change(tcrCampaignId, wanted),
    nouns: ["campaigns", "migrations"],
    done: () => `${tcrCampaignId} is changed.`,
    failed: "Not changed.",
  });
  const turn = (next: OwnedTcrCampaign["status"], verb: string, isHarsh: boolean) =>
    status !== next && (
      <Button
        kind={isHarsh ? "danger" : "quiet"}
        busy={change.isPending}
        onClick={() => change.start({ status: next })}
      >
        {verb}
      </Button>
    );
  return (
    <>
      <div className="row">
        {turn("Active", "Make it active", false)}
        {turn("Suspended", "Suspend it", true)}
        {turn("Expired", "Expire it", true)}
      </div>
      <AccountChoice value={account} onChange={setAccount} none="Choose the account" />
      <Button
        busy={change.isPending}
        disabled={account === "" || account === accountSid}
        onClick={() => change.start({ accountSid: account })}
      >
        Move it to this account
      </Button>
    </>
  );
}
