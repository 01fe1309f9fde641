// The messages of an account for support: the list, and why one did not arrive.

import { MESSAGE_STATUSES, type MessageStatus, type OutboundMessage } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { operator } from "../../api/client.ts";
import { Drawer } from "../../components/drawer.tsx";
import { Empty, Loading } from "../../components/page.tsx";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { useSearchState } from "../../components/search-state.ts";
import { Shape } from "../../components/shape.tsx";
import { Sid } from "../../components/sid.tsx";
import { markOf, messageStatus, Status } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { Timeline } from "../../components/timeline.tsx";
import { Problem, Verdict } from "../../components/verdict.tsx";
import { Words } from "../../components/words.tsx";
import { Choice, TextField, usePages } from "./operator-parts.tsx";

const COLUMNS: readonly Column<OutboundMessage>[] = [
  { id: "at", head: "Sent", cell: ({ createdOn }) => <Time at={createdOn} form="day" />, phone: "second-right" },
  {
    id: "status",
    head: "Status",
    cell: (message) => <Status kind="message" value={messageStatus(message)} />,
    phone: "first-right",
  },
  { id: "from", head: "From", cell: ({ from }) => <PhoneNumber value={from} /> },
  { id: "to", head: "To", cell: ({ to }) => <PhoneNumber value={to} />, phone: "first" },
  {
    id: "why",
    head: "What is the matter",
    cell: ({ errorDescription, statusReason }) => errorDescription ?? statusReason,
    grow: true,
    phone: "second",
  },
  { id: "sid", head: "Sid", cell: ({ sid }) => <Sid value={sid} /> },
];

export function OwnedMessages({ accountSid }: { readonly accountSid: string }) {
  const [{ sel, to = "", status = "" }, change] = useSearchState();
  const known = MESSAGE_STATUSES.find((each) => each === status);
  const number = /^\+?\d{7,15}$/.test(to) ? to : undefined;
  const { rows, source, onEnd } = usePages(["messages", "owned", accountSid, known, number], (options) =>
    operator
      .account(accountSid)
      .messages.list({ ...options, ...(known && { status: known }), ...(number && { to: number }) }),
  );
  return (
    <div className={sel ? "operator-split operator-split-open" : "operator-split"}>
      <div className="operator-page">
        <div className="operator-filter">
          <TextField label="To" mono value={to} onChange={(next) => change({ to: next || undefined })} />
          <Choice<MessageStatus>
            label="Status"
            none="All"
            values={MESSAGE_STATUSES}
            value={known ?? ""}
            onChange={(next) => change({ status: next || undefined })}
          />
        </div>
        <div className="operator-list operator-short">
          <Table
            label="Messages of the account"
            columns={COLUMNS}
            rows={rows}
            keyOf={(message) => message.sid}
            selected={sel}
            onSelect={(message) => change({ sel: message.sid })}
            source={source}
            empty={<Empty what="No such messages" why="Choose another status or number." />}
            onEnd={onEnd}
          />
        </div>
      </div>
      {sel && <MessageWhy accountSid={accountSid} sid={sel} onClose={() => change({ sel: undefined })} />}
    </div>
  );
}

interface MessageWhyProps {
  readonly accountSid: string;
  readonly sid: string;
  readonly onClose: () => void;
}

const STEP_STATUS: Record<string, string> = {
  sent: "Sent",
  delivered: "Delivered",
  failed: "Failed",
  expired: "Expired",
  canceled: "Canceled",
};

function MessageWhy({ accountSid, sid, onClose }: MessageWhyProps) {
  const why = useQuery({
    queryKey: ["messages", "ownedWhy", accountSid, sid],
    queryFn: async ({ signal }) => (await operator.account(accountSid).messages.why(sid, { signal })).data,
  });
  const trail = why.data;
  const tone = { Delivered: "ok", Failed: "bad", Expired: "bad" } as const;
  return (
    <Drawer label="Why" title="Why" sub={<Sid value={sid} />} onClose={onClose}>
      {why.isPending && <Loading />}
      {why.error && <Problem what="Its history did not load" error={why.error} />}
      {trail && (
        <>
          <Verdict
            tone={tone[trail.status as keyof typeof tone] ?? "warn"}
            what={<Words text={trail.summary.what} />}
            why={<Words text={trail.summary.why} />}
            advice={trail.summary.advice && <Words text={trail.summary.advice} />}
          />
          <div className="operator-trail">
            <Timeline
              entries={trail.steps.map(({ at, step, details }, place) => {
                const { shape, tone: colour } = markOf("message", STEP_STATUS[step] ?? "Received");
                return {
                  id: `${place} ${step}`,
                  mark: <Shape name={shape} tone={colour} />,
                  title: step,
                  aside: <Time at={at} form="ms" />,
                  detail: <span className="operator-details">{detailsOf(details)}</span>,
                };
              })}
            />
          </div>
        </>
      )}
    </Drawer>
  );
}

/** What is known of a step, as "name value". */
function detailsOf(details: unknown): string {
  if (typeof details !== "object" || details === null) return "";
  const said = (value: unknown) => (Array.isArray(value) ? value.join(", ") : JSON.stringify(value));
  return Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : said(value)}`)
    .join("; ");
}
