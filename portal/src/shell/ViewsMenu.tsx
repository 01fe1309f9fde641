// The views of the page that is shown: one click opens one, and what is shown now can be named or linked to.

import { useQuery } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../api/client.ts";
import { viewsQuery } from "../api/saved-views.ts";
import { useSession } from "../api/session.ts";
import { withMoments } from "../components/absolute-times.ts";
import { copyText } from "../components/copy.ts";
import { Icon } from "../components/icon.tsx";
import { Menu, type MenuItem } from "../components/menu.tsx";
import { NameView } from "../components/name-view.tsx";
import { toast } from "../components/toast.tsx";
import { useAction } from "../components/use-action.ts";
import { isSamePage, viewAddress } from "../components/view-address.ts";

/** The rest is on the page of all views. */
const LISTED_MAX = 8;

export function ViewsMenu() {
  const [named, setNamed] = useState<string>();
  const { data: views = [] } = useQuery(viewsQuery);
  const { pathname, searchStr } = useLocation();
  const navigate = useNavigate();
  const isOperator = useSession().kind === "Operator";
  const address = viewAddress({ pathname, search: searchStr });
  // With the row that is open, too.
  const whole = `${pathname}${searchStr}`;
  const items: readonly MenuItem[] = [
    ...views
      .filter((view) => isSamePage(view.address, address))
      .slice(0, LISTED_MAX)
      .map((view) => ({
        id: view.sid,
        label: <span className="cut">{view.name}</span>,
        isChosen: view.address === address,
        run: () => void navigate({ href: view.address }),
      })),
    { id: "save", label: "Save this view…", run: () => setNamed(address) },
    { id: "all", label: "All saved views", run: () => void navigate({ to: "/views" }) },
    { id: "copy", label: "Copy a link to this view", run: () => void copyText(location.href, "Link") },
    ...(isOperator ? [] : [{ id: "support", label: "Copy link for support", run: () => void linkForSupport(whole) }]),
  ];
  return (
    <div className="bar-views menu-right">
      <Menu label="Views" className="button-ghost" items={items}>
        <Icon name="bookmark" />
        <span className="vh">Views</span>
      </Menu>
      {named !== undefined && <SaveView address={named} onClose={() => setNamed(undefined)} />}
    </div>
  );
}

/** The link holds no data: the server keeps what it names. */
async function linkForSupport(address: string): Promise<void> {
  try {
    const { data } = await client.account.linkForSupport(withMoments(address, new Date()));
    await copyText(`${location.origin}/support/${data.sid}`, "Link for support");
  } catch (error) {
    toast.problem("No link was made.", error);
  }
}

interface SaveViewProps {
  readonly address: string;
  readonly onClose: () => void;
}

function SaveView({ address, onClose }: SaveViewProps) {
  const save = useAction({
    run: (name: string) => client.session.views.save({ name, address }),
    nouns: ["views"],
    done: ({ data }) => `Saved as ${data.name}.`,
    onDone: onClose,
  });
  return (
    <NameView
      title="Save this view"
      verb="Save it"
      failed="Not saved"
      address={address}
      name=""
      action={save}
      onClose={onClose}
    />
  );
}
