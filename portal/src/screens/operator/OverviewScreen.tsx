// The operator's overview: what waits for me, and does the service work?

import type { Reconcile } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { attentionQuery } from "../../api/attention.ts";
import { operator } from "../../api/client.ts";
import { itemsQuery } from "../../api/queries.ts";
import { AccountLink } from "../../components/account-link.tsx";
import { type AnyFinding, Findings } from "../../components/findings.tsx";
import { Loaded, NotLoaded } from "../../components/not-loaded.tsx";
import { PageHead, Section } from "../../components/page.tsx";
import { usePlace } from "../../components/place.ts";
import { Mark, Status } from "../../components/status.tsx";
import { Time } from "../../components/time.tsx";
import { FeatureRequests } from "./FeatureRequests.tsx";
import { pageOf, pageOfReconcile, pageOfWay } from "./finding-page.ts";
import { isWell, waysQuery } from "./ways.ts";

export function OverviewScreen() {
  usePlace([{ label: "Overview" }]);
  const attention = useQuery(attentionQuery("Operator"));
  return (
    <>
      <PageHead title="Overview" sub="What waits for you, of all accounts and of the service itself" />
      <Loaded query={attention} what="What waits did not load">
        {(findings) => <Findings findings={findings} pageOf={pageOf} about={accountOf} />}
      </Loaded>
      <FeatureRequests />
      <div className="columns columns-top">
        <Ways />
        <Reconciles />
      </div>
    </>
  );
}

const accountOf = (finding: AnyFinding) =>
  "accountSid" in finding && finding.accountSid !== null && <AccountLink sid={finding.accountSid} />;

function Ways() {
  const query = useQuery(waysQuery);
  const ways = query.data ?? [];
  return (
    <Section
      title="Links"
      count={query.data && `${ways.filter(isWell).length} of ${ways.length} well`}
      aside={
        <Link to="/operator/links" className="link">
          All of them
        </Link>
      }
    >
      {!query.data && <NotLoaded query={query} what="The links did not load" />}
      <ul className="operator-rows">
        {ways.map(({ id, name, protocol, state, perSecond }) => (
          <li key={id}>
            <Link to={pageOfWay(id)} className="quiet-link">
              <b className="strong">{name}</b>
            </Link>
            <span className="tag">{protocol}</span>
            <span className="row">
              <span className="dim num">{perSecond}/s</span>
              <Status kind="link" value={state} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const reconcilesQuery = itemsQuery(["reconciles"], (options) => operator.reconciles.list(options));

function Reconciles() {
  const query = useQuery(reconcilesQuery);
  return (
    <Section title="Reconciles" aside="the last run of each">
      {!query.data && <NotLoaded query={query} what="The reconciles did not load" />}
      <ul className="operator-rows">
        {query.data?.map((reconcile) => (
          <Run key={reconcile.name} reconcile={reconcile} />
        ))}
      </ul>
    </Section>
  );
}

function Run({ reconcile: { name, outcome, finishedOn, details } }: { readonly reconcile: Reconcile }) {
  const isDone = outcome === "Done";
  return (
    <li>
      <Link to={pageOfReconcile(name)} className="quiet-link mono">
        {name}
      </Link>
      {!isDone && <span className="mid">{details.reason}</span>}
      <span className="row">
        <Mark shape={isDone ? "done" : "failed"} tone={isDone ? "neutral" : "bad"} word={outcome} />
        <Time at={finishedOn} form="day" />
      </span>
    </li>
  );
}
