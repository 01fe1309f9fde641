// One account, as the operator and support see it: its status and rights first, then what it has and what it sent.

import type { Account } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { operator } from "../../api/client.ts";
import { dataQuery } from "../../api/queries.ts";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/form.tsx";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { type FactList, Facts, PageHead, Section } from "../../components/page.tsx";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { usePlace } from "../../components/place.ts";
import { useRouteParams } from "../../components/route-params.ts";
import { useSearchState } from "../../components/search-state.ts";
import { Sid } from "../../components/sid.tsx";
import { Status } from "../../components/status.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { Time } from "../../components/time.tsx";
import { useAction } from "../../components/use-action.ts";
import { Verdict } from "../../components/verdict.tsx";
import { AccountRetention } from "./AccountRetention.tsx";
import { AccountFeatures, AccountLimits } from "./AccountRights.tsx";
import { AccountSettings } from "./AccountSettings.tsx";
import { AccountTokens } from "./AccountTokens.tsx";
import { FeatureRequests } from "./FeatureRequests.tsx";
import { OwnedAttention } from "./OwnedAttention.tsx";
import { OwnedCalls } from "./OwnedCalls.tsx";
import { OwnedChanges } from "./OwnedChanges.tsx";
import { OwnedConfigs } from "./OwnedConfigs.tsx";
import { OwnedDeliveries } from "./OwnedDeliveries.tsx";
import { OwnedMessages } from "./OwnedMessages.tsx";
import { OwnedMigrations } from "./OwnedMigrations.tsx";
import { OwnedNumbers } from "./OwnedNumbers.tsx";
import { OwnedOptOuts } from "./OwnedOptOuts.tsx";
import { OwnedReceived } from "./OwnedReceived.tsx";
import { OwnedTraffic } from "./OwnedTraffic.tsx";
import { SectionForm, useIsAdmin } from "./operator-parts.tsx";
import { RequestFinder } from "./RequestFinder.tsx";

export function OwnedAccountScreen() {
  const { sid } = useRouteParams("/operator/accounts/$sid");
  const query = useQuery(dataQuery(["accounts", "one", sid], (options) => operator.accounts.get(sid, options)));
  usePlace([{ label: "Accounts", to: "/operator/accounts" }, { label: query.data?.name ?? "Account" }]);
  const [{ tab }, change] = useSearchState();
  if (!query.data) return <NotLoaded query={query} what="The account did not load" />;
  const account = query.data;
  const tabs = [
    { id: "rights", label: "Rights", content: <Rights account={account} /> },
    { id: "attention", label: "Attention", content: <OwnedAttention accountSid={sid} /> },
    { id: "traffic", label: "Traffic", content: <OwnedTraffic accountSid={sid} /> },
    { id: "messages", label: "Messages", content: <OwnedMessages accountSid={sid} /> },
    { id: "received", label: "Received", content: <OwnedReceived accountSid={sid} /> },
    { id: "calls", label: "Calls", content: <OwnedCalls accountSid={sid} /> },
    { id: "numbers", label: "Numbers", content: <OwnedNumbers accountSid={sid} /> },
    { id: "configs", label: "Configs", content: <OwnedConfigs accountSid={sid} /> },
    { id: "opt-outs", label: "Opt-outs", content: <OwnedOptOuts accountSid={sid} /> },
    { id: "migrations", label: "Migrations", content: <OwnedMigrations accountSid={sid} /> },
    { id: "deliveries", label: "Deliveries", content: <OwnedDeliveries accountSid={sid} /> },
    { id: "changes", label: "Changes", content: <OwnedChanges accountSid={sid} /> },
    { id: "requests", label: "Requests", content: <RequestFinder accountSid={sid} /> },
  ];
  return (
    <>
      <AccountHead account={account} />
      <div className="operator-tabs">
        <Tabs label="Of the account" tabs={tabs} value={tab} onChange={(id) => change({ ...NO_FILTER, tab: id })} />
      </div>
    </>
  );
}

/** What the lists of one tab are filtered by is no filter of another's. */
const NO_FILTER = {
  sel: undefined,
  status: undefined,
  request: undefined,
  from: undefined,
  to: undefined,
  since: undefined,
  until: undefined,
  error: undefined,
  find: undefined,
  direction: undefined,
  type: undefined,
  webhook: undefined,
  number: undefined,
  resource: undefined,
  minutes: undefined,
};

function AccountHead({ account }: { readonly account: Account }) {
  const isAdmin = useIsAdmin();
  const [isSuspending, setSuspending] = useState(false);
  const resume = useAction({
    run: () => operator.accounts.change(account.sid, { status: "Active" }),
    nouns: ["accounts"],
    done: ({ data }) => `${data.name} is resumed.`,
    failed: "Not resumed.",
  });
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
        buttons={
          isAdmin &&
          account.status === "Active" && (
            <Button kind="danger" onClick={() => setSuspending(true)}>
              Suspend
            </Button>
          )
        }
      />
      {account.status === "Suspended" && (
        <Verdict tone="warn" what="The account is suspended" why={account.suspendedReason ?? "No reason was given."}>
          {isAdmin && (
            <Button small busy={resume.isPending} onClick={() => resume.start()}>
              Resume it
            </Button>
          )}
        </Verdict>
      )}
      {isSuspending && <Suspend account={account} onClose={() => setSuspending(false)} />}
    </>
  );
}

function Suspend({ account, onClose }: { readonly account: Account; readonly onClose: () => void }) {
  const [reason, setReason] = useState("");
  const suspend = useAction({
    run: () => operator.accounts.change(account.sid, { status: "Suspended", suspendedReason: reason.trim() || null }),
    nouns: ["accounts"],
    done: ({ data }) => `${data.name} is suspended.`,
    onDone: onClose,
  });
  return (
    <SectionForm
      title="Suspend the account"
      verb="Suspend it"
      failed="Not suspended"
      action={suspend}
      onClose={onClose}
    >
      <div className="operator-fields">
        <TextField label="Reason" value={reason} onChange={setReason} hint="The account's refusals show it." />
      </div>
    </SectionForm>
  );
}

function Rights({ account }: { readonly account: Account }) {
  const isAdmin = useIsAdmin();
  return (
    <>
      <FeatureRequests accountSid={account.sid} />
      <div className="columns">
        <Section title="Facts">
          <div className="operator-block">
            <Facts facts={factsOf(account)} />
          </div>
        </Section>
        {isAdmin && <AccountSettings key={JSON.stringify(account)} account={account} />}
        {isAdmin && <AccountRetention key={`kept ${JSON.stringify(account)}`} account={account} />}
        <AccountFeatures account={account} />
        <AccountTokens accountSid={account.sid} />
        <AccountLimits account={account} />
      </div>
    </>
  );
}

function factsOf(account: Account): FactList {
  const { createdOn, country, defaultCallerId, allowedCountries, handlesKeywords } = account;
  return [
    ["Since", <Time key="since" at={createdOn} form="day" />],
    ["Country", country ?? "none yet: numbers are read with their calling code"],
    [
      "Caller id",
      defaultCallerId === null ? "its oldest number with VOICE" : <PhoneNumber key="caller" value={defaultCallerId} />,
    ],
    ["Texts to", allowedCountries?.join(", ") ?? "the countries of its own numbers"],
    ["Keywords", handlesKeywords ? "STOP, HELP: answered for it" : "STOP, HELP: it answers itself"],
    ["Kept", keptOf(account)],
  ];
}

/** What it does not keep for as long as it can. */
function keptOf({ messageDays, callDays, eventDays }: Account): string {
  const kept = [
    messageDays !== null && `messages ${messageDays} days`,
    callDays !== null && `calls ${callDays} days`,
    eventDays !== null && `events ${eventDays} days`,
  ].filter((part) => part !== false);
  return kept.length === 0 ? "everything, like all accounts'" : kept.join(", ");
}
