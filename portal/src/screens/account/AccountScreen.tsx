// The account: its features and limits, its tokens, its addresses, and who is signed in.

import type { OwnAccount } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { isCountedLimit } from "../../../../rules/counted-limits.ts";
import { accountQuery } from "../../api/account-queries.ts";
import { ButtonLink } from "../../components/button.tsx";
import { LIMIT_NAMES, LIMIT_WORDS } from "../../components/limit-names.ts";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { type FactList, Facts, PageHead, Section } from "../../components/page.tsx";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { usePlace } from "../../components/place.ts";
import { Sid } from "../../components/sid.tsx";
import { Status } from "../../components/status.tsx";
import { Time } from "../../components/time.tsx";
import { Verdict } from "../../components/verdict.tsx";
import { Mono } from "../../components/words.tsx";
import { Features } from "./Features.tsx";
import { SignedIn } from "./SignedIn.tsx";
import { Tokens } from "./Tokens.tsx";
import "./account.css";

export function AccountScreen() {
  usePlace([{ label: "Account" }]);
  const query = useQuery(accountQuery);
  if (!query.data) return <NotLoaded query={query} what="The account did not load" />;
  const account = query.data;
  return (
    <>
      <PageHead
        title={account.name}
        sub={
          <>
            <Status kind="account" value={account.status} />
            <Sid value={account.sid} full />
          </>
        }
        buttons={<ButtonLink to="/account/changes">Who changed what</ButtonLink>}
      />
      {account.status === "Suspended" && (
        <Verdict
          tone="bad"
          what="The account is suspended"
          why={account.suspendedReason}
          advice={`Ask ${account.supportContact}.`}
        />
      )}
      <div className="columns columns-top account-columns">
        <Section title="Facts">
          <div className="account-block">
            <Facts facts={factsOf(account)} />
          </div>
        </Section>
        <Section title="Features">
          <Features account={account} />
        </Section>
        <Section title="Tokens">
          <Tokens account={account} />
        </Section>
        <Section title="Limits">
          <Limits account={account} />
        </Section>
        <Section title="Signed in">
          <SignedIn />
        </Section>
      </div>
    </>
  );
}

function factsOf(account: OwnAccount): FactList {
  const { country, defaultCallerId, upstreamCnpId, sipSourceAddresses } = account;
  return [
    ["Since", <Time key="since" at={account.createdOn} form="day" />],
    ["Country", country ?? "none yet: numbers are read with their calling code"],
    [
      "Caller id",
      defaultCallerId === null ? "its oldest number with VOICE" : <PhoneNumber key="caller" value={defaultCallerId} />,
    ],
    [
      "CNP id",
      upstreamCnpId === null ? "none: no registry is connected" : <Sid key="cnp" value={upstreamCnpId} full />,
    ],
    ["SIP comes from", <Mono key="sip">{sipSourceAddresses.join(", ") || "not known yet"}</Mono>],
    ["Help", account.supportContact],
  ];
}

function Limits({ account }: { readonly account: OwnAccount }) {
  return (
    <table className="account-limits">
      <tbody>
        {LIMIT_NAMES.map((name) => {
          const { requests, windowSeconds } = account.limits[name];
          const count = requests.toLocaleString();
          return (
            <tr key={name}>
              <th scope="row">{LIMIT_WORDS[name]}</th>
              <td className="num">{isCountedLimit(name) ? count : `${count} in ${windowSeconds} s`}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
