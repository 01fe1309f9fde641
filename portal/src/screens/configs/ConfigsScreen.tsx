// MessagingConfigs: what the account's numbers send under, and what keywords are answered with.

import { client } from "../../api/client.ts";
import { ButtonLink } from "../../components/button.tsx";
import { CommandLine } from "../../components/command-line.tsx";
import { CONFIG_COLUMNS } from "../../components/config-columns.tsx";
import { ListPage } from "../../components/list-page.tsx";
import { Empty } from "../../components/page.tsx";
import { usePages } from "../../components/pages.ts";
import { usePlace } from "../../components/place.ts";
import { Table } from "../../components/table.tsx";

export function ConfigsScreen() {
  usePlace([{ label: "MessagingConfigs" }]);
  const pages = usePages(["configs", "list"], (options) => client.messagingConfigs.list(options));
  return (
    <ListPage
      title="MessagingConfigs"
      sub="How numbers send: campaign, times, replies and keywords"
      buttons={
        <ButtonLink to="/configs/new" kind="primary" icon="number">
          Make one
        </ButtonLink>
      }
    >
      <Table
        {...pages}
        label="MessagingConfigs"
        columns={CONFIG_COLUMNS}
        keyOf={({ sid }) => sid}
        pageOf={({ sid }) => `/configs/${sid}`}
        empty={
          <Empty
            what="No MessagingConfigs yet"
            why="A number needs one before it can send: it has the replies to STOP and HELP, and the campaign."
          >
            <CommandLine words={'configs create "Reminders" --sending-times "Mon-Fri 09:00-20:00 America/New_York"'} />
          </Empty>
        }
      />
    </ListPage>
  );
}
