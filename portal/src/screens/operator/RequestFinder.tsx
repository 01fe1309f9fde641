// A refused request by the id that its caller has (X-Request-Id, or the traceId of the refusal): why it was refused.

import type { OwnedRefusedRequest, RefusedRequest } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { operator } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { Input } from "../../components/field.tsx";
import { Empty, Loading, Section } from "../../components/page.tsx";
import { useSearchState } from "../../components/search-state.ts";
import { Time } from "../../components/time.tsx";
import { Problem, Verdict } from "../../components/verdict.tsx";
import { Words } from "../../components/words.tsx";
import { AccountLink } from "./operator-parts.tsx";

/** By either id; within an account where one is given. */
async function findRequest(
  id: string,
  accountSid: string | undefined,
  signal: AbortSignal,
): Promise<OwnedRefusedRequest | undefined> {
  const within = async (query: { readonly requestId?: string; readonly traceId?: string }) => {
    if (accountSid === undefined) return (await operator.requests.list({ ...query, signal })).data.items[0];
    const found: RefusedRequest | undefined = (await operator.account(accountSid).requests.list({ ...query, signal }))
      .data.items[0];
    return found && { ...found, accountSid };
  };
  return (await within({ requestId: id })) ?? (await within({ traceId: id }));
}

export function RequestFinder({ accountSid }: { readonly accountSid?: string }) {
  const [{ request = "" }, change] = useSearchState();
  const [typed, setTyped] = useState(request);
  const found = useQuery({
    queryKey: ["requests", "one", accountSid, request],
    queryFn: async ({ signal }) => (await findRequest(request, accountSid, signal)) ?? null,
    enabled: request !== "",
  });
  return (
    <Section title="Find a request" aside="refused ones, of the last 7 days">
      <form
        className="operator-find"
        onSubmit={(event) => {
          event.preventDefault();
          change({ request: typed.trim() || undefined });
        }}
      >
        <Input
          aria-label="Request id"
          className="mono"
          placeholder="X-Request-Id or traceId"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit">Find</Button>
      </form>
      {request !== "" && found.isPending && <Loading rows={1} />}
      {found.error && <Problem what="Not looked for" error={found.error} />}
      {found.data === null && (
        <Empty what="No refused request has this id" why="It was not refused, or is older than 7 days." />
      )}
      {found.data && <Found request={found.data} />}
    </Section>
  );
}

function Found({ request }: { readonly request: OwnedRefusedRequest }) {
  const { operation, status, code, fault, createdOn, accountSid, requestId } = request;
  return (
    <Verdict
      tone="bad"
      what={
        <>
          {operation ?? "A request"} was refused with {status}
        </>
      }
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
        <Time at={createdOn} form="day" /> by <AccountLink sid={accountSid} />
      </span>
    </Verdict>
  );
}
