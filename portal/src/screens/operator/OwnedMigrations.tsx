// The migrations of an account, for support, and beside the list what one waits for.

import type { Migration, MigrationSummary } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { operator } from "../../api/client.ts";
import { dataQuery } from "../../api/queries.ts";
import { Drawer } from "../../components/drawer.tsx";
import { Loaded } from "../../components/not-loaded.tsx";
import { Empty, Split } from "../../components/page.tsx";
import { usePages } from "../../components/pages.ts";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { Status } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Verdict } from "../../components/verdict.tsx";
import { Words } from "../../components/words.tsx";
import { useSelection } from "./operator-parts.tsx";

const COLUMNS: readonly Column<MigrationSummary>[] = [
  {
    id: "id",
    head: "Campaign",
    cell: ({ tcrCampaignId }) => <b className="mono strong">{tcrCampaignId}</b>,
    phone: "first",
  },
  {
    id: "status",
    head: "Status",
    cell: ({ status }) => <Status kind="migration" value={status} />,
    phone: "first-right",
  },
  {
    id: "waits",
    head: "In the way",
    cell: ({ blockers }) => blockers.map(({ code }) => code).join(", "),
    grow: true,
    phone: "second",
  },
  { id: "numbers", head: "Numbers", cell: countsOf, phone: "second-right" },
];

function countsOf({ numberCounts }: MigrationSummary) {
  return numberCounts.map(({ status, count }) => `${count} ${status}`).join(", ");
}

export function OwnedMigrations({ accountSid }: { readonly accountSid: string }) {
  const { close, table } = useSelection<MigrationSummary>([], ({ tcrCampaignId }) => tcrCampaignId);
  const pages = usePages(["migrations", "owned", accountSid], (options) =>
    operator.account(accountSid).migrations.list(options),
  );
  const drawer = table.selected && <OneMigration accountSid={accountSid} id={table.selected} onClose={close} />;
  return (
    <Split drawer={drawer}>
      <div className="list-box operator-short">
        <Table
          {...pages}
          {...table}
          label="Migrations of the account"
          columns={COLUMNS}
          empty={<Empty what="No migrations" why="No campaign of the account is here, or on its way." />}
        />
      </div>
    </Split>
  );
}

interface OneMigrationProps {
  readonly accountSid: string;
  readonly id: string;
  readonly onClose: () => void;
}

function OneMigration({ accountSid, id, onClose }: OneMigrationProps) {
  const { migrations } = operator.account(accountSid);
  const migration = useQuery(
    dataQuery(["migrations", "ownedOne", accountSid, id], (options) => migrations.get(id, options)),
  );
  return (
    <Drawer label="Migration" title={`Campaign ${id}`} onClose={onClose}>
      <Loaded query={migration} what="The migration did not load">
        {(loaded) => <Standing migration={loaded} />}
      </Loaded>
    </Drawer>
  );
}

function Standing({ migration: { status, blockers, nextSteps, numbers } }: { readonly migration: Migration }) {
  return (
    <>
      <p className="operator-block">
        <Status kind="migration" value={status} />
      </p>
      {blockers.map(({ code, says, todo, numbers: about }) => (
        <Verdict
          key={`${code} ${about.join()}`}
          tone="warn"
          what={code}
          why={<Words text={says} />}
          advice={<Words text={todo} />}
        />
      ))}
      {nextSteps.length > 0 && (
        <ul className="operator-block">
          {nextSteps.map(({ who, says }) => (
            <li key={`${who} ${says}`}>
              <b className="strong">{who}</b>: <Words text={says} />
            </li>
          ))}
        </ul>
      )}
      <ul className="operator-block">
        {numbers.map(({ number, status: numberStatus }) => (
          <li key={number} className="row">
            <PhoneNumber value={number} /> {numberStatus && <Status kind="number" value={numberStatus} />}
          </li>
        ))}
      </ul>
    </>
  );
}
