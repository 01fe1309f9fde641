// The MessagingConfigs of an account, for support, and beside the list how one sends and what it answers.

import type { MessagingConfig } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { operator } from "../../api/client.ts";
import { dataQuery } from "../../api/queries.ts";
import { CONFIG_COLUMNS, keywordsOf, timesOf } from "../../components/config-columns.tsx";
import { Drawer } from "../../components/drawer.tsx";
import { Loaded } from "../../components/not-loaded.tsx";
import { Empty, type FactList, Facts, Split } from "../../components/page.tsx";
import { usePages } from "../../components/pages.ts";
import { Sid } from "../../components/sid.tsx";
import { Table } from "../../components/table.tsx";
import { useSelection } from "./operator-parts.tsx";

export function OwnedConfigs({ accountSid }: { readonly accountSid: string }) {
  const { close, table } = useSelection<MessagingConfig>([], ({ sid }) => sid);
  const pages = usePages(["configs", "owned", accountSid], (options) =>
    operator.account(accountSid).messagingConfigs.list(options),
  );
  const drawer = table.selected && <OneConfig accountSid={accountSid} sid={table.selected} onClose={close} />;
  return (
    <Split drawer={drawer}>
      <div className="list-box operator-short">
        <Table
          {...pages}
          {...table}
          label="MessagingConfigs of the account"
          columns={CONFIG_COLUMNS}
          empty={<Empty what="No MessagingConfigs yet" why="A number of the account needs one before it can send." />}
        />
      </div>
    </Split>
  );
}

interface OneConfigProps {
  readonly accountSid: string;
  readonly sid: string;
  readonly onClose: () => void;
}

function OneConfig({ accountSid, sid, onClose }: OneConfigProps) {
  const { messagingConfigs } = operator.account(accountSid);
  const config = useQuery(dataQuery(["configs", "ownedOne", sid], (options) => messagingConfigs.get(sid, options)));
  return (
    <Drawer
      label="MessagingConfig"
      title={config.data?.name ?? "MessagingConfig"}
      sub={<Sid value={sid} full />}
      onClose={onClose}
    >
      <Loaded query={config} what="The config did not load">
        {(loaded) => (
          <div className="operator-block">
            <Facts facts={factsOf(loaded)} />
          </div>
        )}
      </Loaded>
    </Drawer>
  );
}

const USUAL = <span className="dim">the usual words</span>;

function factsOf(config: MessagingConfig): FactList {
  return [
    ["Campaign", config.tcrCampaignId ?? "none"],
    ["Sends", timesOf(config)],
    ["Zone", config.sendingTimes?.timeZone ?? "none"],
    ["Waits", `${config.defaultExpirySeconds} s at most`],
    ["Keywords", keywordsOf(config) || "the usual ones"],
    ["Opting out", config.optOutReply ?? USUAL],
    ["Opting in", config.optInReply ?? USUAL],
    ["Help", config.helpReply ?? USUAL],
  ];
}
