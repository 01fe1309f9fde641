// Beside a move: where traffic goes now, who must act next, what happened, and how long each step takes.

import type { Migration, PortOrder } from "@tandem/sdk";
import { client } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { Button } from "../../components/button.tsx";
import { Shape } from "../../components/shape.tsx";
import { Mark, markOf } from "../../components/status.tsx";
import { Time } from "../../components/time.tsx";
import { Timeline } from "../../components/timeline.tsx";
import { useAction } from "../../components/use-action.ts";
import { CnpId } from "./CnpId.tsx";
import { CAMPAIGN_NOUNS } from "./campaign-queries.ts";
import { historyOf } from "./migration-history.ts";
import { isMoved, PARTIES } from "./migration-steps.ts";
import { Said } from "./Said.tsx";

interface RailProps {
  readonly migration: Migration;
  readonly orders: readonly PortOrder[];
}

export function MigrationRail({ migration, orders }: RailProps) {
  const { sandbox } = useSession();
  return (
    <aside className="rail" aria-label="Now">
      {migration.nextSteps.length > 0 && <NextSteps migration={migration} />}
      {migration.numbers.length > 0 && <Flow migration={migration} orders={orders} />}
      {sandbox && <PlayOthers migration={migration} orders={orders} />}
      <History migration={migration} />
    </aside>
  );
}

function NextSteps({ migration }: { readonly migration: Migration }) {
  // What a blocker asks for is shown with the blocker.
  const cleared = new Set(migration.blockers.map(({ todo }) => todo));
  return (
    <section>
      <h2>Waiting for</h2>
      <ul className="next-steps">
        {migration.nextSteps.map(({ who, says }) => (
          <li key={says}>
            <Shape name={who === "You" ? "act" : "pending"} tone={who === "You" ? "warn" : "accent"} />
            <div>
              <b className="strong">{capital(PARTIES[who])}</b>
              <p className="mid small">
                <Said text={cleared.has(says) ? "Answer what blocks it: its form is on this page." : says} />
              </p>
            </div>
          </li>
        ))}
      </ul>
      {migration.campaign === null && <CnpId value={migration.upstreamCnpId} />}
    </section>
  );
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

interface FlowRow {
  readonly name: string;
  readonly count: number;
  readonly inbound: string;
  readonly outbound: "here" | "paused" | "stopped" | "there";
}

function Flow({ migration, orders }: RailProps) {
  const carrier = orders.find(({ losingCarrier }) => losingCarrier !== null)?.losingCarrier ?? "before";
  const rows = flowOf(migration).filter(({ count }) => count > 0);
  return (
    <section>
      <h2>Where traffic goes now</h2>
      <table className="flow">
        <thead>
          <tr>
            <td />
            <th scope="col">Inbound</th>
            <th scope="col">Outbound</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, count, inbound, outbound }) => (
            <tr key={name}>
              <th scope="row">
                {count} {name}
              </th>
              <td>{inbound === "here" ? <Here /> : <Mark shape="off" tone="neutral" word={carrier} />}</td>
              <td>{OUTBOUND[outbound](carrier)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.some(({ outbound }) => outbound === "paused") && (
        <p className="dim small">Texts sent with HoldUntilActive wait and go, in order, when their number is Active.</p>
      )}
    </section>
  );
}

const Here = () => <Mark shape="active" tone="ok" word="here" />;

const OUTBOUND: Record<FlowRow["outbound"], (carrier: string) => React.ReactNode> = {
  here: () => <Here />,
  paused: () => <Mark shape="paused" tone="warn" word="paused" />,
  stopped: () => <Mark shape="failed" tone="bad" word="stopped" />,
  there: (carrier) => <Mark shape="off" tone="neutral" word={carrier} />,
};

function flowOf({ numbers, campaign }: Migration): readonly FlowRow[] {
  const wanted = numbers.filter(({ status }) => status !== "Removed");
  const active = wanted.filter(({ status }) => status === "Active").length;
  const here = wanted.filter((number) => number.status !== "Active" && isMoved(number)).length;
  const away = wanted.length - active - here;
  return [
    { name: "Active", count: active, inbound: "here", outbound: "here" },
    { name: "moved", count: here, inbound: "here", outbound: "paused" },
    // A campaign that has left the previous partner can no longer send there.
    { name: "to come", count: away, inbound: "there", outbound: campaign ? "stopped" : "there" },
  ];
}

/** In the sandbox the user can act as the losing carrier and as the registry. */
function PlayOthers({ migration, orders }: RailProps) {
  const open = orders.filter(({ status }) => status === "Submitted" || status === "FocConfirmed");
  const letGo = useAction({
    run: () => Promise.all(open.map(({ sid }) => client.sandbox.decidePort({ sid }))),
    nouns: CAMPAIGN_NOUNS,
    failed: "Not done.",
  });
  const choose = useAction({
    run: () => client.sandbox.migrateCampaign({ tcrCampaignId: migration.tcrCampaignId }),
    nouns: CAMPAIGN_NOUNS,
    failed: "Not done.",
  });
  if (open.length === 0 && migration.campaign) return null;
  return (
    <section>
      <h2>
        Play the others <span className="tag">Sandbox</span>
      </h2>
      <div className="row">
        {!migration.campaign && (
          <Button small busy={choose.isPending} onClick={() => choose.start()}>
            Choose us in the registry
          </Button>
        )}
        {open.length > 0 && (
          <Button small busy={letGo.isPending} onClick={() => letGo.start()}>
            Let the numbers go
          </Button>
        )}
      </div>
    </section>
  );
}

function History({ migration }: { readonly migration: Migration }) {
  const entries = historyOf(migration).map(({ at, what, detail, kind, value }) => {
    const { shape, tone } = markOf(kind, value);
    return {
      id: `${at} ${what} ${detail}`,
      mark: <Shape name={shape} tone={tone} />,
      title: what,
      aside: <Time at={at} form="day" />,
      detail,
    };
  });
  return (
    <section>
      <h2>What happened</h2>
      {entries.length === 0 ? <p className="dim">Nothing yet.</p> : <Timeline entries={entries} />}
    </section>
  );
}
