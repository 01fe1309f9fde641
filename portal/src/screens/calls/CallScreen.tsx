// One call: who hung up, and what was said? `/calls/CA…?at=32&sip=7`. The outcome first, then legs, recording and SIP;
// a live call can be hung up here, and its recording paused.

import type { Call, CallTrail, WhySummary } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { client } from "../../api/client.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { partiesOf } from "../../components/call-parties.ts";
import { copyText } from "../../components/copy.ts";
import { Icon } from "../../components/icon.tsx";
import { Menu } from "../../components/menu.tsx";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { Section } from "../../components/page.tsx";
import { Lamp, Patch } from "../../components/patch.tsx";
import { Party, PhoneNumber } from "../../components/phone-number.tsx";
import { usePlace } from "../../components/place.ts";
import { useRouteParams } from "../../components/route-params.ts";
import { ShortSid } from "../../components/sid.tsx";
import { Status } from "../../components/status.tsx";
import { useAction } from "../../components/use-action.ts";
import { useNow } from "../../components/use-now.ts";
import { Verdict } from "../../components/verdict.tsx";
import { Words } from "../../components/words.tsx";
import { talkTime } from "../../components/zone.ts";
import { CallRail } from "./CallRail.tsx";
import { callQuery, enderOf, isLive, outcomeOf, talkedSeconds, whyQuery } from "./call-queries.ts";
import { LegTimeline } from "./LegTimeline.tsx";
import { Program } from "./Program.tsx";
import { Recording } from "./Recording.tsx";
import { SipLadder } from "./SipLadder.tsx";
import "./call.css";

export function CallScreen() {
  const { sid } = useRouteParams("/calls/$sid");
  usePlace([
    { label: "Calls", to: "/calls" },
    { label: `CA…${sid.slice(-6)}`, shown: <ShortSid value={sid} />, short: "Call" },
  ]);
  const query = useQuery(callQuery(sid));
  const { data: call } = query;
  if (!call) return <NotLoaded query={query} what="The call did not load" />;
  return <CallPage key={call.sid} call={call} />;
}

function CallPage({ call }: { readonly call: Call }) {
  const { data: trail } = useQuery(whyQuery(call));
  const { first, second } = partiesOf(call);
  return (
    <div className="with-rail call">
      <div className="call-main">
        <div className="call-head">
          <h1 className="vh">
            Call from {first} to {second}
          </h1>
          <CallPatch call={call} />
          <div className="page-buttons">
            {isLive(call) ? <LiveActions call={call} /> : <EndedActions call={call} trail={trail} />}
          </div>
        </div>
        <Outcome call={call} trail={trail} />
        <Section
          title="Legs"
          aside={
            <>
              <Status kind="call" value={outcomeOf(call)} />
              {enderOf(call) && <span>{enderOf(call)}</span>}
            </>
          }
        >
          <LegTimeline call={call} />
        </Section>
        {trail && <Program call={call} trail={trail} />}
        {call.recordings && <Recording call={call} recording={call.recordings} />}
        <SipLadder call={call} trail={trail} />
      </div>
      <CallRail call={call} trail={trail} />
    </div>
  );
}

/** Both parties, and whether they are connected. */
function CallPatch({ call }: { readonly call: Call }) {
  const { first, second } = partiesOf(call);
  const isJoined = call.answeredOn !== null;
  const state = isJoined ? "connected" : isLive(call) ? "ringing" : "none";
  return (
    <div className="call-patch">
      <Patch state={state} left={<End party={first} isFirst call={call} />} right={<End party={second} call={call} />}>
        {isLive(call) ? <LiveLength call={call} /> : <Length call={call} now={new Date(0)} />}
      </Patch>
    </div>
  );
}

function LiveLength({ call }: { readonly call: Call }) {
  const now = useNow(1000);
  return (
    <>
      <Lamp />
      <Length call={call} now={now} />
    </>
  );
}

function Length({ call, now }: { readonly call: Call; readonly now: Date }) {
  const seconds = talkedSeconds(call, now);
  if (seconds !== undefined) return <b className="call-length">{talkTime(seconds)}</b>;
  return <span className="call-length dim">{isLive(call) ? "ringing" : "not connected"}</span>;
}

interface EndProps {
  readonly call: Call;
  readonly party: string;
  readonly isFirst?: boolean;
}

function End({ call, party, isFirst = false }: EndProps) {
  const isSip = /^sips?:/.test(party);
  return (
    <>
      <span className="call-party">
        <Party value={party} />
      </span>
      {isSip && <span className="dim mono cut">{party}</span>}
      {!isSip && isFirst && (
        <span className="dim cut">{call.direction === "Inbound" ? "the caller" : "rung first"}</span>
      )}
      {!isSip && !isFirst && (
        <span className="dim cut">
          {call.direction === "Inbound" ? "called as " : "shown as "}
          <PhoneNumber value={call.direction === "Inbound" ? call.to : call.callerId} />
        </span>
      )}
    </>
  );
}

function LiveActions({ call }: { readonly call: Call }) {
  const recording = useAction({
    run: (action: "Pause" | "Resume") => client.calls.controlRecording(call.sid, action),
    nouns: ["calls"],
    failed: "The recording goes on as it was.",
  });
  const hangUp = useAction({ run: () => client.calls.hangUp(call.sid), nouns: ["calls"], failed: "Not hung up." });
  const state = call.recordings?.status;
  return (
    <>
      {state === "Recording" && call.answeredOn !== null && (
        <Button icon="pause" busy={recording.isPending} onClick={() => recording.start("Pause")}>
          Pause recording
        </Button>
      )}
      {state === "Paused" && (
        <Button icon="play" busy={recording.isPending} onClick={() => recording.start("Resume")}>
          Resume recording
        </Button>
      )}
      <Button kind="danger" icon="hangup" busy={hangUp.isPending} onClick={() => hangUp.start()}>
        Hang up
      </Button>
    </>
  );
}

interface TrailProps {
  readonly call: Call;
  readonly trail: CallTrail | undefined;
}

function EndedActions({ call, trail }: TrailProps) {
  const navigate = useNavigate();
  const remove = useAction({
    ask: () => ({
      question: `Delete ${call.recordings ? "this call and its recording" : "this call"}?`,
      cost: "Its legs, SIP messages and audio cannot be restored.",
      verb: "Delete call",
    }),
    run: async () => {
      await client.calls.delete(call.sid);
      await navigate({ to: "/calls" });
    },
    nouns: ["calls"],
    done: () => "Call deleted",
    failed: "Not deleted.",
  });
  const ready = (call.recordings?.segments ?? []).filter(({ url }) => url !== null);
  return (
    <>
      {ready[0] && (
        <a
          className="button button-quiet"
          href={`/v1/Voice/Calls/${call.sid}/recordings/${ready[0].index}`}
          download={`${call.sid}-${ready[0].index}.mp3`}
        >
          <Icon name="download" />
          MP3
        </a>
      )}
      {call.direction === "Outbound" && (
        <ButtonLink
          icon="call"
          to={`/calls?place=yes&from=${encodeURIComponent(call.from)}&to=${encodeURIComponent(call.to)}`}
        >
          Call again
        </ButtonLink>
      )}
      <div className="menu-right">
        <Menu
          label="More"
          className="button button-quiet button-icon"
          items={[
            {
              id: "support",
              label: "Copy for support",
              run: () => void copyText(supportText(call, trail), "For support:"),
            },
            { id: "delete", label: "Delete this call…", run: () => remove.start() },
          ]}
        >
          <Icon name="dots" />
          <span className="vh">More</span>
        </Menu>
      </div>
    </>
  );
}

function supportText(call: Call, trail: CallTrail | undefined): string {
  const { first, second } = partiesOf(call);
  return [
    `Call ${call.sid}, ${first} to ${second}, ${call.createdOn}`,
    `${outcomeOf(call)}${enderOf(call) ? `, ${enderOf(call)}` : ""}`,
    trail && `${trail.summary.what} ${trail.summary.why}`,
    `${location.origin}/calls/${call.sid}`,
  ]
    .filter(Boolean)
    .join("\n");
}

/** It is already visible that the parties never talked: show the reason first. */
function answerFirst({ what, why, advice }: WhySummary): WhySummary {
  const [, reason, rest = ""] = /^([^.]+)\.\s*(.*)$/s.exec(why) ?? [];
  return reason === undefined ? { what, why, advice } : { what: reason, why: `${what} ${rest}`.trim(), advice };
}

const FINE = new Set(["Completed", "HungUp", "ScriptHangup"]);

/** The outcome. A good end is shown beside the legs and needs no verdict. */
function Outcome({ call, trail }: TrailProps) {
  if (isLive(call) || !trail || FINE.has(outcomeOf(call))) return null;
  const { what, why, advice } = call.answeredOn === null ? answerFirst(trail.summary) : trail.summary;
  const isCanceled = outcomeOf(call) === "Canceled";
  return (
    <Verdict
      tone={isCanceled ? "warn" : "bad"}
      what={<Words text={what} />}
      why={<Words text={why} />}
      advice={advice && <Words text={advice} />}
    />
  );
}
