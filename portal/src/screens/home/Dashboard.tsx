// Home of an account with traffic: how the exchange is, what needs somebody, what goes on.

import { useQuery } from "@tanstack/react-query";
import { useSession } from "../../api/session.ts";
import { ButtonLink } from "../../components/button.tsx";
import { PageHead } from "../../components/page.tsx";
import { FirstSteps } from "./FirstSteps.tsx";
import { Health } from "./Health.tsx";
import { phonesQuery, type Steps } from "./home-queries.ts";
import { JustNow } from "./JustNow.tsx";
import { Numbers } from "./Numbers.tsx";
import { OnTheLine } from "./OnTheLine.tsx";
import "./home.css";

export function Dashboard({ steps }: { readonly steps: Steps }) {
  const session = useSession();
  const phones = useQuery(phonesQuery);
  const all = phones.data ?? [];
  const active = all.filter(({ status }) => status === "Active").length;
  return (
    <>
      <PageHead
        title={session.name}
        sub={
          <span>
            {all.length} {all.length === 1 ? "number" : "numbers"}, {active} Active
          </span>
        }
        buttons={
          <>
            <ButtonLink to="/calls" icon="call">
              Place a call
            </ButtonLink>
            <ButtonLink to="/messages/new" kind="primary" icon="send" hint="C">
              Send a text
            </ButtonLink>
          </>
        }
      />
      <Health />
      <div className="home">
        <div className="home-column">
          <JustNow />
        </div>
        <div className="home-column">
          <OnTheLine />
          <Numbers phones={all} />
          <FirstSteps steps={steps} />
        </div>
      </div>
    </>
  );
}
