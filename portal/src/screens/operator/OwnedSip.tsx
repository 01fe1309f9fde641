// The SIP messages of a call of an account, for support: each as it was sent, without credentials and keys.

import type { SipMessage } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { operator } from "../../api/client.ts";
import { itemsQuery } from "../../api/queries.ts";
import { Code } from "../../components/code.tsx";
import { Loaded } from "../../components/not-loaded.tsx";
import { Empty, Section } from "../../components/page.tsx";
import { Time } from "../../components/time.tsx";

interface OwnedSipProps {
  readonly accountSid: string;
  readonly sid: string;
}

export function OwnedSip({ accountSid, sid }: OwnedSipProps) {
  const { calls } = operator.account(accountSid);
  const messages = useQuery(itemsQuery(["calls", "ownedSip", sid], (options) => calls.sipMessages(sid, options)));
  return (
    <Section title="SIP" count={messages.data?.length}>
      <Loaded query={messages} what="The SIP messages did not load">
        {(loaded) =>
          loaded.length === 0 ? (
            <Empty what="No SIP messages" why="Nothing was sent yet, or they are not kept any more." />
          ) : (
            <ol className="operator-sip">{loaded.map((message, at) => sipLine(message, at))}</ol>
          )
        }
      </Loaded>
    </Section>
  );
}

function sipLine({ at, leg, direction, startLine, text }: SipMessage, place: number) {
  return (
    <li key={place}>
      <details>
        <summary>
          <Time at={at} form="ms" /> <span className="dim">{`${leg} leg, ${direction.toLowerCase()}`}</span>{" "}
          <span className="mono">{startLine}</span>
        </summary>
        <Code text={text} language="plain" label={startLine} />
      </details>
    </li>
  );
}
