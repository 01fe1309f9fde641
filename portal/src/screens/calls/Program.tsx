// The program of a call: what was asked for, which instructions ran, when, and what came of each. While the call runs
// it grows, and its last instruction has the lamp.

import type { Call, CallTrail } from "@tandem/sdk";
import type { ReactNode } from "react";
import { Section } from "../../components/page.tsx";
import { Lamp } from "../../components/patch.tsx";
import { Shape } from "../../components/shape.tsx";
import { Timeline } from "../../components/timeline.tsx";
import { Mono, Words } from "../../components/words.tsx";
import { isLive } from "./call-queries.ts";
import { type ProgramRow, programOf } from "./program-rows.ts";
import { stopwatch } from "./sip-rows.ts";

interface ProgramProps {
  readonly call: Call;
  readonly trail: CallTrail;
}

export function Program({ call, trail }: ProgramProps) {
  const rows = programOf(trail);
  if (rows.length === 0) return null;
  const start = Date.parse(call.createdOn);
  const since = (at: string) => <span className="mono dim">{stopwatch(Date.parse(at) - start)}</span>;
  const last = isLive(call) ? rows.length - 1 : -1;
  return (
    <Section title="Program" className="call-program" aside={last >= 0 && <span className="dim">runs</span>}>
      <Timeline
        tight
        entries={rows.map((row, index) => ({
          id: String(index),
          mark: index === last ? <Lamp /> : <Shape name={row.words.shape} tone={row.words.tone} />,
          title: row.isWhisper ? `${row.words.title}, to the dialled party` : row.words.title,
          aside: since(row.at),
          detail: <Details call={call} row={row} since={since} />,
        }))}
      />
    </Section>
  );
}

interface DetailsProps {
  readonly call: Call;
  readonly row: ProgramRow;
  readonly since: (at: string) => ReactNode;
}

function Details({ call, row: { words, url, recordingSid, results }, since }: DetailsProps) {
  return (
    <>
      {words.detail && <Words text={words.detail} />}
      {url && (
        <div className="cut">
          Asked <Mono>{url}</Mono>
        </div>
      )}
      {recordingSid && <Recorded call={call} sid={recordingSid} />}
      {results.length > 0 && (
        <ul className="call-results">
          {results.map(({ at, words: { title, detail, shape, tone } }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: results are only ever added
            <li key={index}>
              <Shape name={shape} tone={tone} />
              <span>
                {title}
                {detail && ": "}
                {detail && <Words text={detail} />}
              </span>
              {since(at)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The file, once it is ready. */
function Recorded({ call, sid }: { readonly call: Call; readonly sid: string }) {
  const recording = call.programRecordings?.find((one) => one.sid === sid);
  if (recording?.status !== "Completed") return null;
  return (
    <a className="link" href={`/v1/Voice/Calls/${call.sid}/recordings/${sid}`}>
      {recording.durationSeconds} s, MP3
    </a>
  );
}
