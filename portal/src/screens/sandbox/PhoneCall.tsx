// A call on the telephone in the page: the caller, the keys, and what the other party hears of you.

import { Button } from "../../components/button.tsx";
import { Patch, Socket } from "../../components/patch.tsx";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { Mark } from "../../components/status.tsx";
import { useNow } from "../../components/use-now.ts";
import { talkTime } from "../../components/zone.ts";
import type { BrowserPhone, PhoneView } from "./browser-phone.ts";
import type { Speaking } from "./phone-sound.ts";

interface PhoneCallProps {
  readonly phone: BrowserPhone;
  readonly view: PhoneView;
}

const WORDS = { Idle: "", Ringing: "calls you", Calling: "is being called", Talking: "is on the line" } as const;

const SPEAKING: Readonly<Record<Speaking, string>> = {
  Microphone: "They hear your microphone.",
  ToneForNone: "No microphone here: they hear a tone.",
  ToneForRefused: "The microphone was refused: they hear a tone. Allow it for this page, and call again.",
  Nothing: "No sound: browsers allow it over HTTPS and on localhost only.",
};

/** Shown instead of everything else on the phone during a call. */
export function PhoneCall({ phone, view }: PhoneCallProps) {
  const { state, number } = view.call;
  return (
    <section className="device-screen phone-call" aria-label="Call on the phone">
      <p className="phone-party" aria-live="assertive">
        <PhoneNumber value={number ?? ""} />
        <span className="mid">{WORDS[state]}</span>
      </p>
      <Patch state={state === "Talking" ? "connected" : "ringing"}>
        {view.talkingSince !== undefined && <TalkTime since={view.talkingSince} />}
      </Patch>
      {state === "Talking" && <Keys onPress={phone.press} />}
      <div className="phone-buttons">
        {state === "Ringing" && (
          <Button icon="call" onClick={() => phone.answer()}>
            Answer
          </Button>
        )}
        <Button kind="danger" icon="hangup" onClick={state === "Ringing" ? phone.reject : phone.hangUp}>
          {state === "Ringing" ? "Reject" : "Hang up"}
        </Button>
      </div>
      {state === "Talking" && view.speaking && <p className="device-note">{SPEAKING[view.speaking]}</p>}
    </section>
  );
}

function TalkTime({ since }: { readonly since: number }) {
  const now = useNow(1000);
  return talkTime(Math.max(0, Math.floor((now.getTime() - since) / 1000)));
}

const KEYS = [..."123456789*0#"];

function Keys({ onPress }: { readonly onPress: (key: string) => void }) {
  return (
    <fieldset className="phone-keys">
      <legend className="vh">Keys</legend>
      {KEYS.map((key) => (
        <button
          key={key}
          type="button"
          className="mono hovers"
          aria-label={`Press ${key}`}
          onClick={() => onPress(key)}
        >
          {key}
        </button>
      ))}
    </fieldset>
  );
}

const ENDED = {
  ByPhone: "You hung up.",
  ByOther: "They hung up.",
  Refused: "Not connected",
} as const;

/** What the telephone is ready for, or why it is not; and how its last call ended. */
export function PhoneLine({ phone, view }: PhoneCallProps) {
  const { connection, call, refused, why } = view;
  const status = call.status === null ? "." : `: SIP ${call.status}.`;
  return (
    <div className="phone-line" aria-live="polite">
      <Connection phone={phone} connection={connection} why={why} />
      {connection === "Open" && call.ended && (
        <p className="mid small">
          {ENDED[call.ended]}
          {call.ended === "Refused" && status} {refused}
        </p>
      )}
    </div>
  );
}

interface ConnectionProps extends Pick<PhoneView, "connection" | "why"> {
  readonly phone: BrowserPhone;
}

function Connection({ phone, connection, why = "" }: ConnectionProps) {
  switch (connection) {
    case "Open":
      return (
        <p className="row small">
          <Socket plugged />
          Calls to it ring here.
        </p>
      );
    case "Elsewhere":
      return (
        <div className="row small">
          <Mark shape="act" tone="warn" word="Another page has the phone." />
          <Button small onClick={() => phone.connect()}>
            Take it here
          </Button>
        </div>
      );
    case "None":
      return (
        <div className="row small">
          <Mark shape="failed" tone="bad" word={`No calls here. ${why}`} />
          <Button small onClick={() => phone.connect()}>
            Try again
          </Button>
        </div>
      );
    case "SignedOut":
      return <Mark shape="failed" tone="bad" word="The session has ended: sign in again." />;
    case "Lost":
      return <Mark shape="act" tone="warn" word="The phone is disconnected. Connecting again." />;
    default:
      return <p className="row small dim">Connecting the phone.</p>;
  }
}
