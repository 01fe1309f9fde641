// Explains the outcome of an account's message or call, beside the list: the verdict, then every step.

import type { Answer, CallTrail, MessageTrail } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { Drawer } from "../../components/drawer.tsx";
import { tableOf } from "../../components/lookup-table.ts";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { Shape } from "../../components/shape.tsx";
import { Sid } from "../../components/sid.tsx";
import { markOf } from "../../components/status.tsx";
import { Time } from "../../components/time.tsx";
import { Timeline } from "../../components/timeline.tsx";
import { Verdict } from "../../components/verdict.tsx";
import { Words } from "../../components/words.tsx";

type Trail = MessageTrail | CallTrail;

export interface OwnedTrailProps {
  readonly noun: "messages" | "calls";
  readonly sid: string;
  readonly load: (signal: AbortSignal) => Promise<Answer<Trail>>;
  readonly onClose: () => void;
}

const STEP_STATUS = tableOf({
  sent: "Sent",
  delivered: "Delivered",
  failed: "Failed",
  expired: "Expired",
  canceled: "Canceled",
});

const TONES = tableOf<"ok" | "bad">({
  Delivered: "ok",
  Failed: "bad",
  Expired: "bad",
  Completed: "ok",
});

export function OwnedTrail({ noun, sid, load, onClose }: OwnedTrailProps) {
  const why = useQuery({
    queryKey: [noun, "ownedWhy", sid],
    queryFn: async ({ signal }): Promise<Trail> => (await load(signal)).data,
  });
  return (
    <Drawer label="Why" title="Why" sub={<Sid value={sid} full />} onClose={onClose}>
      {why.data ? <Told trail={why.data} /> : <NotLoaded query={why} what="Its history did not load" />}
    </Drawer>
  );
}

function Told({ trail: { summary, status, steps, ...trail } }: { readonly trail: Trail }) {
  const ended = "endReason" in trail ? (trail.endReason ?? status) : status;
  return (
    <>
      <Verdict
        tone={TONES.get(ended) ?? "warn"}
        what={<Words text={summary.what} />}
        why={<Words text={summary.why} />}
        advice={summary.advice && <Words text={summary.advice} />}
      />
      <div className="operator-trail">
        <Timeline
          entries={steps.map(({ at, step, details }, place) => {
            const { shape, tone } = markOf("message", STEP_STATUS.get(step) ?? "Received");
            return {
              id: `${place} ${step}`,
              mark: <Shape name={shape} tone={tone} />,
              title: step,
              aside: <Time at={at} form="ms" />,
              detail: <span className="operator-details">{detailsOf(details)}</span>,
            };
          })}
        />
      </div>
    </>
  );
}

/** The details of a step, as "name: value". */
function detailsOf(details: unknown): string {
  if (typeof details !== "object" || details === null) return "";
  const said = (value: unknown) => (Array.isArray(value) ? value.join(", ") : JSON.stringify(value));
  return Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : said(value)}`)
    .join("; ");
}
