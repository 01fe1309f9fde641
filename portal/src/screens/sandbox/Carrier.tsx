// Acts as the carrier: chooses the receipt of a text that waits for one.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { client } from "../../api/client.ts";
import { itemsQuery } from "../../api/queries.ts";
import { Button } from "../../components/button.tsx";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { Empty, Section } from "../../components/page.tsx";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { ShortSid } from "../../components/sid.tsx";
import { useAction } from "../../components/use-action.ts";
import { Problem } from "../../components/verdict.tsx";

const SHOWN = 8;

const sentQuery = itemsQuery(["messages", "sandbox", "sent"], (options) =>
  client.messages.list({ status: "Sent", pageSize: SHOWN, ...options }),
);

export function Carrier() {
  const waiting = useQuery(sentQuery);
  const settling = useAction({
    run: (order: { readonly sid: string; readonly deliveredSuccessfully: boolean }) =>
      client.sandbox.settleMessage(order),
    nouns: ["messages"],
    done: (_, { deliveredSuccessfully }) =>
      deliveredSuccessfully ? "The carrier reports it delivered" : "The carrier reports a failure",
  });
  return (
    <Section title="Carrier" count={waiting.data?.length} aside="the receipt of a text that is Sent">
      {settling.error && <Problem what="Not settled" error={settling.error} />}
      {!waiting.data && <NotLoaded query={waiting} what="The texts did not load" rows={1} />}
      {waiting.data?.length === 0 && (
        <Empty what="No text waits for its receipt" why="Text the silent line, 555 0106, and decide here." />
      )}
      <ul className="sandbox-rows">
        {waiting.data?.map(({ sid, to, text }) => (
          <li key={sid}>
            <Link className="link mono" to={`/messages/${sid}`}>
              <ShortSid value={sid} />
            </Link>
            <PhoneNumber value={Array.isArray(to) ? (to[0] ?? "") : to} />
            <span className="cut mid">{text}</span>
            <span className="sandbox-buttons">
              <Button
                small
                disabled={settling.isPending}
                onClick={() => settling.start({ sid, deliveredSuccessfully: true })}
              >
                Deliver
              </Button>
              <Button
                small
                kind="danger"
                disabled={settling.isPending}
                onClick={() => settling.start({ sid, deliveredSuccessfully: false })}
              >
                Fail
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
