// The account's numbers, and taking another one.

import { PHONE_STATUSES, type Phone } from "@tandem/sdk";
import { client } from "../../api/client.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { ListPage } from "../../components/list-page.tsx";
import { Empty } from "../../components/page.tsx";
import { usePages } from "../../components/pages.ts";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { usePlace } from "../../components/place.ts";
import { useSearchState } from "../../components/search-state.ts";
import { Status } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { TakeNumber } from "../../components/take-number.tsx";
import { Time } from "../../components/time.tsx";
import "./numbers.css";
import { NoneSuch } from "../../components/none-such.tsx";

const COLUMNS: readonly Column<Phone>[] = [
  { id: "number", head: "Number", cell: ({ number }) => <PhoneNumber value={number} />, phone: "first" },
  { id: "status", head: "Status", cell: ({ status }) => <Status kind="number" value={status} />, phone: "first-right" },
  { id: "features", head: "Can", cell: ({ features }) => features.join(", "), phone: "second-right" },
  {
    id: "name",
    head: "Name, or why it is not Active",
    cell: ({ name, statusReason }) => statusReason ?? name ?? "",
    grow: true,
    phone: "second",
  },
  { id: "since", head: "Since", cell: ({ createdOn }) => <Time at={createdOn} form="day" />, phone: "hidden" },
];

export function NumbersScreen() {
  usePlace([{ label: "Numbers" }]);
  const [{ status, take }, change] = useSearchState();
  const known = PHONE_STATUSES.find((each) => each === status);
  const pages = usePages(["phones", "list", known], (options) =>
    client.phones.list({ ...options, ...(known && { status: known }) }),
  );
  return (
    <ListPage
      title="Numbers"
      sub="Where texts come from and calls go to"
      buttons={
        <>
          <select
            className="input"
            aria-label="Status"
            value={known ?? ""}
            onChange={(event) => change({ status: event.target.value || undefined })}
          >
            <option value="">All but Removed</option>
            {PHONE_STATUSES.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
          <Button kind="primary" icon="number" onClick={() => change({ take: "yes" })}>
            Take a number
          </Button>
        </>
      }
      above={take && <TakeNumber onClose={() => change({ take: undefined, digits: undefined })} />}
    >
      <Table
        {...pages}
        label="Numbers"
        columns={COLUMNS}
        keyOf={({ number }) => number}
        pageOf={({ number }) => `/numbers/${encodeURIComponent(number)}`}
        empty={
          <NoneSuch what={`No number is ${status}`} filters={["status"]}>
            <Empty what="No numbers yet" why="Take one above, or move yours here with their campaign.">
              <ButtonLink to="/campaigns" small>
                Open the campaigns
              </ButtonLink>
            </Empty>
          </NoneSuch>
        }
      />
    </ListPage>
  );
}
