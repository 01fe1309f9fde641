// What operators have done, and with what: the newest first.

import type { AuditEntry } from "@tandem/sdk";
import { useState } from "react";
import { operator } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { Code } from "../../components/code.tsx";
import { CommandLine } from "../../components/command-line.tsx";
import { Drawer } from "../../components/drawer.tsx";
import { Input } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { ListPage } from "../../components/list-page.tsx";
import { NoneSuch } from "../../components/none-such.tsx";
import { Empty, Facts } from "../../components/page.tsx";
import { usePages } from "../../components/pages.ts";
import { usePlace } from "../../components/place.ts";
import { useSearchState } from "../../components/search-state.ts";
import { Sid } from "../../components/sid.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useSelection } from "./operator-parts.tsx";

const COLUMNS: readonly Column<AuditEntry>[] = [
  { id: "at", head: "When", cell: ({ at }) => <Time at={at} form="day" />, phone: "first-right" },
  { id: "who", head: "Operator", cell: (entry) => <b className="strong">{entry.operator}</b>, phone: "second-right" },
  { id: "what", head: "Did", cell: ({ action }) => <span className="mono">{action}</span>, phone: "first" },
  {
    id: "subject",
    head: "To",
    cell: ({ subject }) => <span className="mono">{subject}</span>,
    grow: true,
    phone: "second",
  },
];

export function AuditScreen() {
  usePlace([{ label: "Audit log" }]);
  const [{ subject = "" }, change] = useSearchState();
  const [typed, setTyped] = useState(subject);
  const pages = usePages(["audit", subject], (options) =>
    operator.auditLog.list({ ...options, ...(subject && { subject }) }),
  );
  const { chosen, close, table } = useSelection(pages.rows, keyOf);
  return (
    <ListPage
      title="Audit log"
      sub="What operators have done"
      drawer={chosen && <EntryDrawer entry={chosen} onClose={close} />}
      above={
        <Form className="operator-find" onSubmit={() => change({ subject: typed.trim() || undefined, sel: undefined })}>
          <Input
            aria-label="Subject"
            className="mono"
            placeholder="What it was done to: a sid, a number, a name"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          <Button type="submit">Filter</Button>
        </Form>
      }
    >
      <Table
        {...pages}
        {...table}
        label="Audit log"
        columns={COLUMNS}
        empty={
          <NoneSuch what="Nothing was done to it" filters={["subject"]}>
            <Empty what="Nothing was done yet" why="What operators change or look up shows here, such as by:">
              <CommandLine words="accounts list" />
            </Empty>
          </NoneSuch>
        }
      />
    </ListPage>
  );
}

const keyOf = ({ requestId, at, action }: AuditEntry) => `${requestId} ${at} ${action}`;

function EntryDrawer({ entry, onClose }: { readonly entry: AuditEntry; readonly onClose: () => void }) {
  const { action, at, subject, requestId, details } = entry;
  return (
    <Drawer label={`Entry ${action}`} title={action} sub={<Time at={at} form="ms" />} onClose={onClose}>
      <div className="operator-block">
        <Facts
          facts={[
            ["Operator", entry.operator],
            ["To", subject === null ? "nothing" : <Sid key="to" value={subject} full />],
            ["Request", <Sid key="request" value={requestId} full />],
          ]}
        />
      </div>
      {details !== null && <Code text={JSON.stringify(details, null, 2)} language="json" label="Details" />}
    </Drawer>
  );
}
