// The two legs of a call on one time line: ringing dashed, talk solid, the join between them, recordings below. Six
// numbered marks are the six webhooks.

import type { Call } from "@tandem/sdk";
import type { CSSProperties } from "react";
import { useIsPhone } from "../../components/media.ts";
import { useNow } from "../../components/use-now.ts";
import { isLive } from "./call-queries.ts";
import { factsOf, type LaidOutLeg, type LegLayout, layOut, type Span, sinceStart } from "./leg-layout.ts";

const TICK_GAP = 5;
const PHONE_TICK_GAP = 13;
/** For a call that no longer changes. */
const LONG_AGO = new Date(0);

export function LegTimeline({ call }: { readonly call: Call }) {
  return isLive(call) ? <LiveLegs call={call} /> : <Legs call={call} now={LONG_AGO} />;
}

function LiveLegs({ call }: { readonly call: Call }) {
  return <Legs call={call} now={useNow(1000)} />;
}

const placed = ({ left, width }: Span): CSSProperties => ({ left: `${left}%`, width: `${width}%` });

function Legs({ call, now }: { readonly call: Call; readonly now: Date }) {
  const layout = layOut(call, now, useIsPhone() ? PHONE_TICK_GAP : TICK_GAP);
  const hasRecording = call.recordings !== undefined;
  return (
    <div className="legs">
      <div className="legs-names" aria-hidden="true">
        {layout.legs.map(({ leg }) => (
          <span key={leg} className={`leg-${leg}`}>
            <i />
            {leg} leg
          </span>
        ))}
        {hasRecording && <span>Recording</span>}
      </div>
      <div className="legs-lanes">
        <div className="legs-line" role="img" aria-label={twinOf(call)}>
          {layout.join !== undefined && (
            <div className="legs-join" style={{ left: `${layout.join}%` }}>
              <span>joined</span>
            </div>
          )}
          {layout.legs.map((leg) => (
            <Lane key={leg.leg} leg={leg} />
          ))}
          {hasRecording && <RecordingLane recording={layout.recording} />}
          <div className="legs-axis">
            {layout.ticks.map(({ left, label }) => (
              <span key={left} style={{ left: `${left}%` }}>
                {label}
              </span>
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}

function Lane({ leg }: { readonly leg: LaidOutLeg }) {
  return (
    <div className={`legs-lane leg-${leg.leg}`}>
      {leg.ring && <span className="leg-ring" style={placed(leg.ring)} />}
      {leg.talk && <span className="leg-talk" style={placed(leg.talk)} />}
      {leg.plugs.map(({ fact, left }) => (
        <b
          key={fact.number}
          className="plug"
          style={{ left: `${left}%` }}
          title={`Webhook ${fact.number}: ${fact.leg} leg ${fact.word}`}
        >
          {fact.number}
        </b>
      ))}
    </div>
  );
}

function RecordingLane({ recording }: Pick<LegLayout, "recording">) {
  return (
    <div className="legs-lane">
      {recording.map((part) =>
        part.index === undefined ? (
          <span key={`pause ${part.left}`} className="rec-pause" style={placed(part)}>
            <span>paused</span>
          </span>
        ) : (
          <span key={part.index} className="rec-segment" style={placed(part)}>
            {part.index}
          </span>
        ),
      )}
    </div>
  );
}

/** The same in words, for screen readers. */
function twinOf(call: Call): string {
  const start = Date.parse(call.createdOn);
  const facts = factsOf(call).map(
    ({ leg, word, at }) => `${leg.toLowerCase()} leg ${word} after ${sinceStart(Date.parse(at) - start)}`,
  );
  const joined =
    call.answeredOn === null ? "never joined" : `joined after ${sinceStart(Date.parse(call.answeredOn) - start)}`;
  return `${[...facts, joined].join(", ")}.`;
}
