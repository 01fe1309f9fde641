// Live calls, with the actions on them.

import type { Call } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { client } from "../../api/client.ts";
import { IconButton } from "../../components/button.tsx";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { Section } from "../../components/page.tsx";
import { Patch } from "../../components/patch.tsx";
import { Party } from "../../components/phone-number.tsx";
import { Status } from "../../components/status.tsx";
import { useAction } from "../../components/use-action.ts";
import { useNow } from "../../components/use-now.ts";
import { talkTime } from "../../components/zone.ts";
import { callsQuery } from "./home-queries.ts";

/** The others are counted. */
const SHOWN_MAX = 50;

export function OnTheLine() {
  const calls = useQuery(callsQuery);
  const running = calls.data?.running;
  const all = (
    <Link className="link" to="/calls">
      All calls
    </Link>
  );
  return (
    <Section title="On the line" count={running?.length} aside={all}>
      {!running && <NotLoaded query={calls} what="The calls did not load" rows={1} />}
      {running?.length === 0 && <p className="home-quiet">No calls now.</p>}
      <ul className="line-calls">
        {running?.slice(0, SHOWN_MAX).map((call) => (
          <RunningCall key={call.sid} call={call} />
        ))}
      </ul>
      {running && running.length > SHOWN_MAX && (
        <p className="home-quiet">The newest {SHOWN_MAX} are shown; the others are older.</p>
      )}
    </Section>
  );
}

function RunningCall({ call }: { readonly call: Call }) {
  const now = useNow(1000);
  const hangUp = useAction({ run: () => client.calls.hangUp(call.sid), nouns: ["calls"], failed: "Not hung up." });
  const record = useAction({
    run: (action: "Pause" | "Resume") => client.calls.controlRecording(call.sid, action),
    nouns: ["calls"],
    failed: "The recording did not change.",
  });
  const recording = call.recordings?.status;
  const since = Date.parse(call.answeredOn ?? call.createdOn);
  const isJoined = call.status === "Answered";
  return (
    <li>
      <Link to={`/calls/${call.sid}`}>
        <Patch state={isJoined ? "connected" : "ringing"} />
        <span className="line-ends">
          <Party value={call.from} />
          <Party value={call.to} />
        </span>
      </Link>
      <div className="line-controls">
        {recording === "Recording" || recording === "Paused" ? (
          <Status kind="recording" value={recording} word={recording === "Paused" ? "Recording paused" : undefined} />
        ) : (
          <Status kind="call" value={call.status} />
        )}
        <span className="num mid">{talkTime(Math.max(0, (now.getTime() - since) / 1000))}</span>
        <span className="line-buttons">
          {recording === "Recording" && (
            <IconButton framed icon="pause" label="Pause recording" onClick={() => record.start("Pause")} />
          )}
          {recording === "Paused" && (
            <IconButton framed icon="mic" label="Resume recording" onClick={() => record.start("Resume")} />
          )}
          <IconButton framed danger icon="hangup" label="Hang up" onClick={() => hangUp.start()} />
        </span>
      </div>
    </li>
  );
}
