// All saved views: each opens its page with its filters, can be renamed, and deleted.

import type { SavedView } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { viewsQuery } from "../../api/saved-views.ts";
import { useSession } from "../../api/session.ts";
import { Button } from "../../components/button.tsx";
import { ListPage } from "../../components/list-page.tsx";
import { NameView } from "../../components/name-view.tsx";
import { Empty } from "../../components/page.tsx";
import { usePlace } from "../../components/place.ts";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { toast } from "../../components/toast.tsx";
import { useAction } from "../../components/use-action.ts";
import { readableAddress } from "../../components/view-address.ts";
import "./views.css";
import { ButtonLink } from "../../components/button.tsx";

const COLUMNS: readonly Column<SavedView>[] = [
  {
    id: "name",
    head: "Name",
    cell: ({ name, address }) => (
      <Link to={address} className="quiet-link">
        <b className="strong">{name}</b>
      </Link>
    ),
    phone: "first",
  },
  {
    id: "page",
    head: "Shows",
    cell: ({ address }) => <span className="mono cut">{readableAddress(address)}</span>,
    grow: true,
    phone: "second",
  },
  { id: "at", head: "Saved", cell: ({ createdOn }) => <Time at={createdOn} form="day" /> },
  {
    id: "change",
    head: <span className="vh">Change</span>,
    cell: (view) => <Change {...view} />,
    align: "right",
    phone: "first-right",
  },
];

export function ViewsScreen() {
  usePlace([{ label: "Saved views" }]);
  const { kind } = useSession();
  const source = useQuery(viewsQuery);
  const whose = kind === "Operator" ? "Your own" : "All people of the account see them";
  return (
    <ListPage title="Saved views" sub={`Pages with their filters, under a name. ${whose}.`}>
      <Table
        rows={source.data ?? []}
        source={source}
        label="Saved views"
        columns={COLUMNS}
        keyOf={({ sid }) => sid}
        pageOf={({ address }) => address}
        empty={
          <Empty
            what="No view is saved"
            why="Filter a list, then choose Save this view in the menu Views at the top of the page."
          >
            <ButtonLink to="/log?q=status:4xx" small>
              Open a filtered log
            </ButtonLink>
          </Empty>
        }
      />
    </ListPage>
  );
}

function Change({ sid, name, address }: SavedView) {
  const [isNaming, setNaming] = useState(false);
  const rename = useAction({
    run: (next: string) => client.session.views.rename(sid, next),
    nouns: ["views"],
    done: ({ data }) => `Renamed to ${data.name}.`,
    onDone: () => setNaming(false),
  });
  const undo = () =>
    void client.session.views
      .save({ name, address })
      .catch((error: unknown) => toast.problem("Not saved again.", error))
      .finally(() => queries.invalidateQueries({ queryKey: ["views"] }));
  const remove = useAction({
    run: () => client.session.views.remove(sid),
    nouns: ["views"],
    onDone: () => toast.done(`${name} is deleted.`, { verb: "Undo", run: undo }),
    failed: "Not deleted.",
  });
  return (
    <span className="view-change">
      <Button small aria-label={`Rename ${name}`} onClick={() => setNaming(true)}>
        Rename
      </Button>
      <Button small kind="danger" aria-label={`Delete ${name}`} busy={remove.isPending} onClick={() => remove.start()}>
        Delete
      </Button>
      {isNaming && (
        <NameView
          title="Rename the view"
          verb="Rename it"
          failed="Not renamed"
          address={address}
          name={name}
          action={rename}
          onClose={() => setNaming(false)}
        />
      )}
    </span>
  );
}
