// Home of an account with traffic: the health of the service, what needs attention, and current activity.

import type { Phone, TrafficMinute } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { phonesQuery } from "../../api/account-queries.ts";
import { attentionQuery } from "../../api/attention.ts";
import { useSession } from "../../api/session.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Loaded, NotLoaded } from "../../components/not-loaded.tsx";
import { PageHead } from "../../components/page.tsx";
import { CallsChart } from "./CallsChart.tsx";
import { FirstSteps } from "./FirstSteps.tsx";
import { Health } from "./Health.tsx";
import { callsQuery, campaignsQuery, type Steps, trafficQuery } from "./home-queries.ts";
import { JustNow } from "./JustNow.tsx";
import { NeedsYou } from "./NeedsYou.tsx";
import { Numbers } from "./Numbers.tsx";
import { OnTheLine } from "./OnTheLine.tsx";
import { TextsChart } from "./TextsChart.tsx";
import "./home.css";

export function Dashboard({ steps }: { readonly steps: Steps }) {
  const session = useSession();
  const phones = useQuery(phonesQuery);
  const attention = useQuery(attentionQuery("Account"));
  const calls = useQuery(callsQuery);
  const traffic = useQuery(trafficQuery);
  return (
    <>
      <PageHead
        title={session.name}
        sub={
          <>
            {phones.data && <Count phones={phones.data} />}
            <Campaign />
            {traffic.data && <Share minutes={traffic.data} />}
          </>
        }
        buttons={
          <>
            <ButtonLink to="/calls?place=yes" icon="call">
              Place a call
            </ButtonLink>
            <ButtonLink to="/messages/new" kind="primary" icon="send" hint="C">
              Send a text
            </ButtonLink>
          </>
        }
      />
      <Health findings={attention.data} callsNow={calls.data?.running.length} />
      <div className="home">
        <div className="home-column">
          <Loaded query={attention} what="What needs you did not load" rows={2}>
            {(findings) => <NeedsYou findings={findings} />}
          </Loaded>
          <div className="home-charts">
            <Loaded query={traffic} what="The traffic did not load">
              {(minutes) => <TextsChart minutes={minutes} />}
            </Loaded>
            {traffic.data && calls.data ? (
              <CallsChart minutes={traffic.data} calls={calls.data.newest} now={calls.data.running.length} />
            ) : (
              <NotLoaded query={calls.data ? traffic : calls} what="The calls did not load" />
            )}
          </div>
          <JustNow />
        </div>
        <div className="home-column">
          <OnTheLine />
          <Loaded query={phones} what="The numbers did not load">
            {(all) => <Numbers phones={all} />}
          </Loaded>
          <FirstSteps steps={steps} />
        </div>
      </div>
    </>
  );
}

function Count({ phones }: { readonly phones: readonly Phone[] }) {
  const active = phones.filter(({ status }) => status === "Active").length;
  return (
    <span>
      {phones.length} {phones.length === 1 ? "number" : "numbers"}, {active} Active
    </span>
  );
}

/** The only campaign that the numbers send under; several campaigns have a page of their own. */
function Campaign() {
  const { data = [] } = useQuery(campaignsQuery);
  const [only] = data;
  if (data.length !== 1 || !only) return null;
  return (
    <span>
      Campaign <span className="mono">{only.tcrCampaignId}</span>
    </span>
  );
}

/** How many of the last hour's texts have arrived. */
function Share({ minutes }: { readonly minutes: readonly TrafficMinute[] }) {
  const sent = minutes.reduce((sum, minute) => sum + minute.sent, 0);
  const delivered = minutes.reduce((sum, minute) => sum + minute.delivered, 0);
  if (sent === 0) return null;
  return <span>{((100 * delivered) / sent).toFixed(1)} % of the last hour's texts delivered</span>;
}
