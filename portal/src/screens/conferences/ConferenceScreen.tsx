// One conference: who is in it? Each participant can be muted, put on hold and removed here, and the conference ended.

import type { Conference, ConferenceParticipant } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { client } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { Empty, PageHead, Section } from "../../components/page.tsx";
import { usePlace } from "../../components/place.ts";
import { useRouteParams } from "../../components/route-params.ts";
import { Sid } from "../../components/sid.tsx";
import { Status } from "../../components/status.tsx";
import { Time } from "../../components/time.tsx";
import { useAction } from "../../components/use-action.ts";
import { ConferenceLength } from "./ConferenceLength.tsx";
import { conferenceQuery, END_REASONS, isLive, NOUNS } from "./conference-queries.ts";
import { ParticipantRow } from "./ParticipantRow.tsx";
import "./conferences.css";

export function ConferenceScreen() {
  const { sid } = useRouteParams("/conferences/$sid");
  const query = useQuery(conferenceQuery(sid));
  const { data: conference } = query;
  usePlace([
    { label: "Conferences", to: "/conferences" },
    { label: conference?.name ?? `CF…${sid.slice(-6)}`, short: "Conference" },
  ]);
  if (!conference) return <NotLoaded query={query} what="The conference did not load" />;
  return (
    <>
      <Head conference={conference} />
      <Participants conference={conference} />
      <Recordings conference={conference} />
    </>
  );
}

interface ConferenceProps {
  readonly conference: Conference;
}

function Head({ conference }: ConferenceProps) {
  const { sid, name, status, createdOn, startedOn, endReason } = conference;
  return (
    <PageHead
      title={<span className="conference-name">{name}</span>}
      sub={
        <>
          <Status kind="conference" value={status} />
          {endReason !== null && <span>{END_REASONS[endReason]}</span>}
          <span>
            opened <Time at={createdOn} form="day" />
          </span>
          {startedOn !== null && (
            <span className="num">
              length <ConferenceLength conference={conference} />
            </span>
          )}
          <Sid value={sid} />
        </>
      }
      buttons={isLive(conference) && <EndButton conference={conference} />}
    />
  );
}

function EndButton({ conference: { sid, name } }: ConferenceProps) {
  const end = useAction({
    ask: () => ({
      question: `End ${name}?`,
      cost: "Everybody leaves it. Their calls go on with what their programs say next.",
      verb: "End conference",
    }),
    run: () => client.conferences.end(sid),
    nouns: NOUNS,
    failed: "Not ended.",
  });
  return (
    <Button kind="danger" icon="hangup" busy={end.isPending} onClick={() => end.start()}>
      End conference
    </Button>
  );
}

const NOBODY: Readonly<Record<Conference["status"], string>> = {
  Waiting: "Nobody is in it at the moment.",
  InProgress: "Nobody is in it at the moment.",
  Completed: "Nobody is in it any more.",
};

function Participants({ conference }: ConferenceProps) {
  const { participants, status, sid } = conference;
  return (
    <Section title="Participants" count={participants.length} className="conference-section">
      {status === "Waiting" && participants.length > 0 && (
        <p className="conference-hint mid">It starts when there are two, one of whom may start it.</p>
      )}
      {participants.length === 0 ? (
        <Empty what={NOBODY[status]} why="Callers whose script dials it show here while they are in it." />
      ) : (
        <ul className="conference-participants">
          {participants.map((participant: ConferenceParticipant) => (
            <ParticipantRow
              key={participant.callSid}
              conferenceSid={sid}
              participant={participant}
              isWaiting={status === "Waiting"}
            />
          ))}
        </ul>
      )}
    </Section>
  );
}

/** The file of each, once it is ready. */
function Recordings({ conference: { recordings } }: ConferenceProps) {
  if (recordings.length === 0) return null;
  return (
    <Section title="Recording" className="conference-section">
      {recordings.map(({ sid, callSid, status, durationSeconds, segments }) => (
        <p key={sid} className="conference-recording">
          <Status kind="recording" value={status} />
          {status === "Completed" && segments.length > 0 && (
            <a className="link" href={`/v1/Voice/Calls/${callSid}/recordings/${sid}`}>
              {durationSeconds} s, MP3
            </a>
          )}
          <Sid value={sid} />
        </p>
      ))}
    </Section>
  );
}
