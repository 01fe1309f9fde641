// A participant of a conference: who it is, whether the others hear it, and what can be done about that.

import type { Call, ConferenceParticipant, ParticipantChange } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { client } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { partiesOf } from "../../components/call-parties.ts";
import { Party } from "../../components/phone-number.tsx";
import { ShortSid } from "../../components/sid.tsx";
import { Mark } from "../../components/status.tsx";
import { Time } from "../../components/time.tsx";
import { useAction } from "../../components/use-action.ts";
import { answeredQuery, NOUNS, participantCallQuery } from "./conference-queries.ts";

export interface ParticipantRowProps {
  readonly conferenceSid: string;
  readonly participant: ConferenceParticipant;
  readonly isWaiting: boolean;
}

export function ParticipantRow({ conferenceSid, participant, isWaiting }: ParticipantRowProps) {
  const { callSid, label, muted, hold, joinedOn } = participant;
  const call = useCallOf(callSid);
  const party = call && partiesOf(call).first;
  const name = party ?? callSid;
  const change = useAction({
    run: (wanted: ParticipantChange) => client.conferences.change(conferenceSid, callSid, wanted),
    nouns: NOUNS,
    failed: "Not changed.",
  });
  const remove = useAction({
    ask: () => ({
      question: `Remove ${name}?`,
      cost: "Its call goes on with what its program says next.",
      verb: "Remove",
    }),
    run: () => client.conferences.remove(conferenceSid, callSid),
    nouns: NOUNS,
    failed: "Not removed.",
  });
  return (
    <li className="conference-participant">
      <div className="conference-who">
        <Link to={`/calls/${callSid}`} className="quiet-link strong">
          {party === undefined ? <ShortSid value={callSid} /> : <Party value={party} />}
        </Link>
        {label !== null && <span className="dim cut">{label}</span>}
      </div>
      <Part {...{ muted, hold, isWaiting }} />
      <span className="conference-joined dim">
        since <Time at={joinedOn} form="clock" />
      </span>
      <div className="conference-buttons">
        <Button
          small
          busy={change.isPending}
          aria-label={`${muted ? "Unmute" : "Mute"} ${name}`}
          onClick={() => change.start({ muted: !muted })}
        >
          {muted ? "Unmute" : "Mute"}
        </Button>
        <Button
          small
          busy={change.isPending}
          aria-label={`${hold ? "Resume" : "Hold"} ${name}`}
          onClick={() => change.start({ hold: !hold })}
        >
          {hold ? "Resume" : "Hold"}
        </Button>
        <Button
          small
          kind="danger"
          busy={remove.isPending}
          aria-label={`Remove ${name}`}
          onClick={() => remove.start()}
        >
          Remove
        </Button>
      </div>
    </li>
  );
}

/** One request has most calls; one that is not among them is read by itself. */
function useCallOf(callSid: string): Call | undefined {
  const answered = useQuery(answeredQuery);
  const known = answered.data?.find(({ sid }) => sid === callSid);
  const own = useQuery({ ...participantCallQuery(callSid), enabled: !answered.isPending && !known });
  return known ?? own.data;
}

interface PartProps {
  readonly muted: boolean;
  readonly hold: boolean;
  readonly isWaiting: boolean;
}

/** What it is part of, as the conference decides. */
function Part({ muted, hold, isWaiting }: PartProps) {
  if (hold) return <Mark shape="paused" tone="warn" word={muted ? "On hold, muted" : "On hold"} />;
  if (muted) return <Mark shape="off" tone="neutral" word="Muted" />;
  if (isWaiting) return <Mark shape="queued" tone="neutral" word="Waits" />;
  return <Mark shape="active" tone="ok" word="Heard by all" />;
}
