// A link for support, opened: an operator is led to the operator's view of what its sender saw, filters included; to a
// person of an account it says whom it is for.

import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { operator } from "../../api/client.ts";
import { dataQuery } from "../../api/queries.ts";
import { useSession } from "../../api/session.ts";
import { Loaded } from "../../components/not-loaded.tsx";
import { Empty, Loading, PageHead } from "../../components/page.tsx";
import { usePlace } from "../../components/place.ts";
import { useRouteParams } from "../../components/route-params.ts";
import { supportViewOf } from "./support-view.ts";

export function SupportLinkScreen() {
  const { sid } = useRouteParams("/support/$sid");
  usePlace([{ label: "Link for support" }]);
  return useSession().kind === "Operator" ? <OpenLink sid={sid} /> : <ForSupport />;
}

function OpenLink({ sid }: { readonly sid: string }) {
  // Never from memory: every opening is entered in the audit log.
  const link = useQuery({
    ...dataQuery(["supportLinks", sid], (options) => operator.supportLinks.open(sid, options)),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Loaded query={link} what="The link did not open">
      {({ accountSid, address }) => <LedTo href={supportViewOf(accountSid, address)} />}
    </Loaded>
  );
}

function LedTo({ href }: { readonly href: string }) {
  const navigate = useNavigate();
  useEffect(() => void navigate({ href, replace: true }), [navigate, href]);
  return <Loading />;
}

function ForSupport() {
  return (
    <>
      <PageHead title="Link for support" />
      <Empty
        what="This link is for support"
        why="Only support can open it: it shows them what its sender saw. To show something to a colleague, choose Copy a link to this view in the menu Views."
      />
    </>
  );
}
