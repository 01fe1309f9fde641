// A recording with which something went wrong: its segments, and where their raw audio is.

import type { TroubledRecording } from "@tandem/sdk";
import { Drawer } from "../../components/drawer.tsx";
import { type FactList, Facts, Section } from "../../components/page.tsx";
import { Sid } from "../../components/sid.tsx";
import { Verdict } from "../../components/verdict.tsx";
import { Mono } from "../../components/words.tsx";

export interface RecordingDrawerProps {
  readonly recording: TroubledRecording;
  readonly onClose: () => void;
}

export function RecordingDrawer({ recording, onClose }: RecordingDrawerProps) {
  const { sid, callSid, fault, status, segments } = recording;
  return (
    <Drawer label="Recording" title="Recording" sub={<Sid value={sid} full />} onClose={onClose}>
      <Verdict tone={status === "Failed" ? "bad" : "warn"} what={fault} why={<Sid value={callSid} full />} />
      {segments.map((segment) => (
        <Section key={segment.index} title={`Segment ${segment.index}`}>
          <div className="operator-block">
            <Facts facts={factsOf(segment)} />
          </div>
        </Section>
      ))}
    </Drawer>
  );
}

function factsOf({ state, attempts, fault, rawFile }: TroubledRecording["segments"][number]): FactList {
  return [
    ["State", state],
    ["Tries", String(attempts)],
    ["Fault", fault ?? "none"],
    ["Raw audio", rawFile === null ? "removed" : <Mono key="raw">{rawFile}</Mono>],
  ];
}
