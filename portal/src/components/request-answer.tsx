// What a request created, or why it was refused, in sentences, by the id that its caller has.

import { useQuery } from "@tanstack/react-query";
import { useSession } from "../api/session.ts";
import { AccountLink } from "./account-link.tsx";
import { ButtonLink } from "./button.tsx";
import { NotLoaded } from "./not-loaded.tsx";
import { Empty } from "./page.tsx";
import { type Made, outcomeQuery, ownerOf, pageOf, type Refused } from "./request-query.ts";
import { Sid } from "./sid.tsx";
import { Time } from "./time.tsx";
import { Verdict } from "./verdict.tsx";
import { Words } from "./words.tsx";

const NOUNS: Readonly<Record<Made["kind"], string>> = {
  Message: "message",
  Call: "call",
  PortOrder: "port order",
  MessagingConfig: "MessagingConfig",
  Subscription: "webhook",
};

export interface RequestAnswerProps {
  readonly id: string;
  /** For operators: within this account. */
  readonly accountSid?: string | undefined;
}

export function RequestAnswer({ id, accountSid }: RequestAnswerProps) {
  const { kind } = useSession();
  const query = useQuery(outcomeQuery(kind, id, accountSid));
  const { data } = query;
  if (data === undefined) return <NotLoaded query={query} what="Not looked for" rows={1} />;
  if (data === null) {
    return (
      <Empty
        what="No request has this id"
        why="A refused one is kept for 7 days, and what a request made as long as that itself is. A request that only read leaves nothing."
      />
    );
  }
  return (
    <>
      {data.made.map((made) => (
        <MadeThing key={made.sid} made={made} accountSid={accountSid ?? ownerOf(made)} />
      ))}
      {data.refused.map((refused) => (
        <Refusal key={`${refused.traceId} ${refused.createdOn}`} refused={refused} accountSid={accountSid} />
      ))}
    </>
  );
}

interface MadeThingProps {
  readonly made: Made;
  readonly accountSid: string | null;
}

function MadeThing({ made, accountSid }: MadeThingProps) {
  const noun = NOUNS[made.kind];
  const page = pageOf(made, accountSid);
  return (
    <Verdict
      tone="ok"
      what={`Accepted: it made a ${noun}`}
      why={
        <>
          <Sid value={made.sid} full /> <Time at={made.createdOn} form="day" />
          {accountSid !== null && <Owner sid={accountSid} />}
        </>
      }
    >
      {page !== undefined && (
        <ButtonLink to={page} small>
          Open the {noun}
        </ButtonLink>
      )}
    </Verdict>
  );
}

function Owner({ sid }: { readonly sid: string | null }) {
  return (
    <>
      {" "}
      by <AccountLink sid={sid} />
    </>
  );
}

interface RefusalProps {
  readonly refused: Refused;
  readonly accountSid: string | undefined;
}

function Refusal({ refused, accountSid }: RefusalProps) {
  const { operation, status, code, fault, createdOn, requestId } = refused;
  const isOwned = accountSid !== undefined || "accountSid" in refused;
  return (
    <Verdict
      tone="bad"
      what={`${operation ?? "A request"} was refused with ${status}`}
      why={
        <>
          {fault && <Words text={fault} />}{" "}
          <span className="mono dim">
            {code}, req {requestId}
          </span>
        </>
      }
    >
      <span>
        <Time at={createdOn} form="day" />
        {isOwned && <Owner sid={accountSid ?? ownerOf(refused)} />}
      </span>
    </Verdict>
  );
}
