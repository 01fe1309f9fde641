// Recordings with which something went wrong, of all accounts. Files that were given up are made again when the reason
// has gone: the raw audio is kept until then.

import type { TroubledRecording } from "@tandem/sdk";
import { operator } from "../../api/client.ts";
import { AccountLink } from "../../components/account-link.tsx";
import { Button } from "../../components/button.tsx";
import { ListPage } from "../../components/list-page.tsx";
import { Empty } from "../../components/page.tsx";
import { usePages } from "../../components/pages.ts";
import { usePlace } from "../../components/place.ts";
import { Sid } from "../../components/sid.tsx";
import { Status } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { useAction } from "../../components/use-action.ts";
import { useIsAdmin, useSelection } from "./operator-parts.tsx";
import { RecordingDrawer } from "./RecordingDrawer.tsx";

const NOUNS = ["recordings"];

const COLUMNS: readonly Column<TroubledRecording>[] = [
  { id: "sid", head: "Recording", cell: ({ sid }) => <Sid value={sid} />, phone: "first" },
  {
    id: "status",
    head: "Status",
    cell: ({ status }) => <Status kind="recording" value={status} />,
    phone: "first-right",
  },
  { id: "account", head: "Account", cell: ({ accountSid }) => <AccountLink sid={accountSid} />, phone: "second-right" },
  { id: "fault", head: "What went wrong", cell: ({ fault }) => fault, grow: true, phone: "second" },
];

const RETRYING: Column<TroubledRecording> = {
  id: "retry",
  head: <span className="vh">Actions</span>,
  cell: (recording) => recording.status === "Failed" && <Retry sid={recording.sid} />,
  align: "right",
};

function Retry({ sid }: { readonly sid: string }) {
  const retry = useAction({
    run: () => operator.recordings.retry(sid),
    nouns: NOUNS,
    done: () => "Its files are being made again.",
    failed: "Not begun.",
  });
  return (
    <Button small busy={retry.isPending} onClick={() => retry.start()}>
      Make the files
    </Button>
  );
}

export function RecordingsScreen() {
  usePlace([{ label: "Recordings" }]);
  const isAdmin = useIsAdmin();
  const pages = usePages(["recordings", "troubled"], (options) => operator.recordings.list(options));
  const { chosen, close, table } = useSelection(pages.rows, ({ sid }) => sid);
  return (
    <ListPage
      title="Recordings"
      sub="Those with which something went wrong"
      drawer={chosen && <RecordingDrawer recording={chosen} onClose={close} />}
    >
      <Table
        {...pages}
        {...table}
        label="Troubled recordings"
        columns={isAdmin ? [...COLUMNS, RETRYING] : COLUMNS}
        empty={<Empty what="Nothing went wrong" why="A recording that fails, or has a gap, is listed here." />}
      />
    </ListPage>
  );
}
