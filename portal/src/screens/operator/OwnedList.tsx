// The messages or calls of an account, and beside the list the outcome of one: the verdict, then every step.

import type { Answer, CallTrail, MessageTrail } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { dataQuery } from "../../api/queries.ts";
import { Drawer } from "../../components/drawer.tsx";
import { tableOf } from "../../components/lookup-table.ts";
import { Loaded } from "../../components/not-loaded.tsx";
import { Split } from "../../components/page.tsx";
import { Sid } from "../../components/sid.tsx";
import { callStepWords, messageStepWords } from "../../components/step-words.ts";
import { Timeline } from "../../components/timeline.tsx";
import { trailEntries } from "../../components/trail.tsx";
import { Verdict } from "../../components/verdict.tsx";
import { Words } from "../../components/words.tsx";
import { useSelection } from "./operator-parts.tsx";

type Trail = MessageTrail | CallTrail;

export interface OwnedListProps {
  readonly noun: "messages" | "calls";
  readonly load: (sid: string, options: { readonly signal: AbortSignal }) => Promise<Answer<Trail>>;
  /** What else is shown of the chosen one, below its history. */
  readonly more?: (sid: string) => ReactNode;
  /** The fields above the list. */
  readonly filter: ReactNode;
  /** The list, with what makes its rows selectable. */
  readonly children: (selection: ReturnType<typeof useSelection<Item>>["table"]) => ReactNode;
}

interface Item {
  readonly sid: string;
}

export function OwnedList({ noun, load, more, filter, children }: OwnedListProps) {
  const { close, table } = useSelection<Item>([], ({ sid }) => sid);
  const sid = table.selected;
  return (
    <Split drawer={sid && <WhyDrawer noun={noun} sid={sid} load={load} more={more} onClose={close} />}>
      <div className="operator-page">
        <div className="list-filter">{filter}</div>
        <div className="list-box operator-short">{children(table)}</div>
      </div>
    </Split>
  );
}

const TONES = tableOf<"ok" | "bad">({
  Delivered: "ok",
  Failed: "bad",
  Expired: "bad",
  Completed: "ok",
  HungUp: "ok",
  ScriptHangup: "ok",
});

interface WhyDrawerProps extends Pick<OwnedListProps, "noun" | "load"> {
  readonly more: OwnedListProps["more"];
  readonly sid: string;
  readonly onClose: () => void;
}

function WhyDrawer({ noun, sid, load, more, onClose }: WhyDrawerProps) {
  const why = useQuery(dataQuery([noun, "ownedWhy", sid], (options) => load(sid, options)));
  return (
    <Drawer label="Why" title="Why" sub={<Sid value={sid} full />} onClose={onClose}>
      <Loaded query={why} what="Its history did not load">
        {(trail) => <Outcome trail={trail} />}
      </Loaded>
      {more?.(sid)}
    </Drawer>
  );
}

function Outcome({ trail: { summary, status, steps, ...trail } }: { readonly trail: Trail }) {
  const isCall = "endReason" in trail;
  const ended = isCall ? (trail.endReason ?? status) : status;
  return (
    <>
      <Verdict
        tone={TONES.get(ended) ?? "warn"}
        what={<Words text={summary.what} />}
        why={<Words text={summary.why} />}
        advice={summary.advice && <Words text={summary.advice} />}
      />
      <div className="operator-trail">
        <Timeline entries={trailEntries({ steps, wordsOf: isCall ? callStepWords : messageStepWords })} />
      </div>
    </>
  );
}
