// The features that accounts have requested and that are not decided yet.

import type { FeatureDecision, FeatureRequest } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { operator } from "../../api/client.ts";
import { itemsQuery } from "../../api/queries.ts";
import { AccountLink } from "../../components/account-link.tsx";
import { Button } from "../../components/button.tsx";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { Section } from "../../components/page.tsx";
import { Time } from "../../components/time.tsx";
import { useAction } from "../../components/use-action.ts";
import { useIsAdmin } from "./operator-parts.tsx";

const openRequestsQuery = itemsQuery(["featureRequests", "open"], (options) =>
  operator.featureRequests.list({ status: "Open", ...options }),
);

/** Renders nothing if no request is open. */
export function FeatureRequests({ accountSid }: { readonly accountSid?: string }) {
  const query = useQuery(openRequestsQuery);
  if (query.error && !query.data) return <NotLoaded query={query} what="What accounts asked for did not load" />;
  const open = (query.data ?? []).filter((request) => accountSid === undefined || request.accountSid === accountSid);
  if (open.length === 0) return null;
  return (
    <Section title="Features asked for" count={open.length}>
      <ul className="operator-rows">
        {open.map((request) => (
          <Asked key={request.sid} request={request} />
        ))}
      </ul>
    </Section>
  );
}

function Asked({ request }: { readonly request: FeatureRequest }) {
  const isAdmin = useIsAdmin();
  const decide = useAction({
    run: (status: FeatureDecision["status"]) => operator.featureRequests.decide(request.sid, status),
    nouns: ["featureRequests", "accounts"],
    done: ({ data }) => `${data.feature}: ${data.status}.`,
    failed: "Not decided.",
  });
  return (
    <li>
      <AccountLink sid={request.accountSid} />
      <span>
        asks for <span className="mono">{request.feature}</span>
      </span>
      <span className="dim">
        <Time at={request.createdOn} form="day" />
      </span>
      {isAdmin && (
        <span className="row">
          <Button small busy={decide.isPending} onClick={() => decide.start("Granted")}>
            Grant
          </Button>
          <Button small busy={decide.isPending} onClick={() => decide.start("Declined")}>
            Decline
          </Button>
        </span>
      )}
    </li>
  );
}
