// The first run: five steps, each with lines that work as pasted, beside a telephone to try out.

import type { Phone } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { phonesQuery } from "../../api/account-queries.ts";
import { client } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { Button } from "../../components/button.tsx";
import { callerOf } from "../../components/client-lines.ts";
import { CodeTabs } from "../../components/code.tsx";
import { CommandLine } from "../../components/command-line.tsx";
import { Loaded } from "../../components/not-loaded.tsx";
import { Lamp, Socket } from "../../components/patch.tsx";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { SANDBOX_NUMBER, SandboxPhone } from "../../components/sandbox-phone.tsx";
import { Sid } from "../../components/sid.tsx";
import { failureWord, messageStatus, Status } from "../../components/status.tsx";
import { TakeNumber } from "../../components/take-number.tsx";
import { textSnippets } from "../../components/text-snippets.ts";
import { useAction } from "../../components/use-action.ts";
import { Problem } from "../../components/verdict.tsx";
import type { Steps } from "./home-queries.ts";
import "./first-run.css";

const TEXT = "Hello from Tandem";

/** Numbers that misbehave on purpose, under any area code. */
const MAGIC: readonly (readonly [string, string])[] = [
  ["0101", "fails"],
  ["0102", "unreachable"],
  ["0104", "spam"],
  ["0106", "silent"],
  ["0107", "throttled"],
  ["0110", "cut off"],
];

export function FirstRun({ steps }: { readonly steps: Steps }) {
  const session = useSession();
  const phones = useQuery(phonesQuery);
  const active = (phones.data ?? []).filter(({ status }) => status === "Active");
  const own = active.toSorted((one, other) => one.number.localeCompare(other.number))[0];
  const lacksNumber = phones.data !== undefined && own === undefined;
  return (
    <div className="first-run">
      <div className="first-main">
        <div className="first-head">
          <h1>{lacksNumber ? "Take a number" : "Send yourself a text"}</h1>
          <Loaded query={phones} what="Your numbers did not load" rows={1}>
            {() => <Welcome numbers={active.length} isSandbox={session.sandbox} />}
          </Loaded>
        </div>
        <dl className="first-facts">
          <div>
            <dt>Account</dt>
            <dd>{session.accountSid && <Sid value={session.accountSid} full />}</dd>
          </div>
          <div>
            <dt>Token</dt>
            <dd className="mono" title="npm start prints it, and keeps it in data/demo.env">
              $TANDEM_TOKEN
            </dd>
          </div>
          <div>
            <dt>API</dt>
            <dd>
              <Sid value={location.origin} full />
            </dd>
          </div>
        </dl>
        {phones.data && <StepList phones={phones.data} own={own} steps={steps} />}
      </div>
      {session.sandbox && own && <PhoneAside ours={own.number} name={own.name ?? own.number} />}
    </div>
  );
}

interface StepListProps {
  readonly phones: readonly Phone[];
  /** The number that sends, if there is one. */
  readonly own: Phone | undefined;
  readonly steps: Steps;
}

function StepList({ phones, own, steps }: StepListProps) {
  const from = own?.number ?? "+1…";
  return (
    <ol className="first-steps">
      {!own && <NumberStep taken={phones} />}
      <SendStep isDone={steps.hasSent} from={from} isNow={own !== undefined} />
      <Step title="Answer from the phone" isDone={steps.hasReceived}>
        <p className="mid">
          Type on the phone. The reply shows in{" "}
          <Link className="link" to="/messages">
            Messages
          </Link>{" "}
          and goes to your webhook.
        </p>
      </Step>
      <Step title="Hear of it in your code" isDone={steps.hasSubscribed}>
        <p className="mid">No public address needed. The secret it prints stays the same.</p>
        <CommandLine words="listen --forward-to http://localhost:3000/hook" />
      </Step>
      <FailStep isDone={steps.hasFailed} from={from} isReady={own !== undefined} />
      <Step title="Call, and keep the recording" isDone={steps.hasCalled}>
        <p className="mid">
          The phone rings in the{" "}
          <Link className="link" to="/sandbox">
            Sandbox
          </Link>
          , or from a terminal:
        </p>
        <CommandLine words="call +12125550114 +13035550114 --record" />
      </Step>
    </ol>
  );
}

function Welcome({ numbers, isSandbox }: { readonly numbers: number; readonly isSandbox: boolean }) {
  if (numbers === 0) return <p>Texts are sent from it, and answered to it; calls come to it.</p>;
  return (
    <p>
      You have {numbers} {numbers === 1 ? "number" : "numbers"}
      {isSandbox
        ? " and a phone to play with. It speaks the carriers' own protocols, and nothing of it leaves this machine."
        : "."}
    </p>
  );
}

interface StepProps {
  readonly title: string;
  readonly isDone: boolean;
  readonly isNow?: boolean;
  readonly children: ReactNode;
}

function Step({ title, isDone, isNow = false, children }: StepProps) {
  return (
    <li className={isDone ? "first-done" : isNow ? "first-now" : undefined}>
      <Socket plugged={isDone || isNow} />
      <h2>{title}</h2>
      {children}
    </li>
  );
}

function useSend(from: string) {
  return useAction({
    run: (to: string) => client.messages.send({ from, to, text: TEXT }),
    nouns: ["messages"],
  });
}

/** The first of all: a number, and what it waits for. */
function NumberStep({ taken }: { readonly taken: readonly Phone[] }) {
  return (
    <Step title={taken.length === 0 ? "Choose one" : "Make it Active"} isDone={false} isNow>
      {taken.length === 0 && <TakeNumber />}
      {taken.map(({ number, status, statusReason }) => (
        <p key={number} className="first-number">
          <b className="strong">
            <PhoneNumber value={number} />
          </b>
          <Status kind="number" value={status} />
          <span className="mid">{statusReason}</span>
          <Link className="link" to={`/numbers/${encodeURIComponent(number)}`}>
            Go on
          </Link>
        </p>
      ))}
    </Step>
  );
}

interface SendStepProps {
  readonly isDone: boolean;
  readonly from: string;
  /** There is a number that can send. */
  readonly isNow: boolean;
}

function SendStep({ isDone, from, isNow }: SendStepProps) {
  const caller = callerOf(useSession());
  const send = useSend(from);
  return (
    <Step title="Send" isDone={isDone} isNow={isNow}>
      <p className="mid">Paste this into a terminal, or press Send.</p>
      <CodeTabs
        label="Language"
        tabs={textSnippets(caller, { from, to: SANDBOX_NUMBER, text: TEXT })}
        buttons={
          <Button
            small
            kind="primary"
            icon="send"
            busy={send.isPending}
            disabled={!isNow}
            onClick={() => send.start(SANDBOX_NUMBER)}
          >
            Send
          </Button>
        }
      />
      {send.error && <Problem what="Not sent" error={send.error} />}
      <Latest to={SANDBOX_NUMBER}>
        <p className="first-wait">
          <Lamp />
          Listening. Your first request will show here, with its answer.
        </p>
      </Latest>
    </Step>
  );
}

interface FailStepProps {
  readonly isDone: boolean;
  readonly from: string;
  readonly isReady: boolean;
}

function FailStep({ isDone, from, isReady }: FailStepProps) {
  const send = useSend(from);
  return (
    <Step title="Make it fail" isDone={isDone}>
      <p className="mid">Under any area code these lines misbehave on purpose. Click one to send to it.</p>
      <div className="first-magic">
        {MAGIC.map(([line, word]) => (
          <button
            key={line}
            type="button"
            className="hovers"
            disabled={send.isPending || !isReady}
            onClick={() => send.start(`+1720555${line}`)}
          >
            <span className="mono">555 {line}</span>
            {word}
          </button>
        ))}
        <Link className="link" to="/sandbox">
          all lines
        </Link>
      </div>
      {send.error && <Problem what="Not sent" error={send.error} />}
      {send.data && <Latest to={send.data.data.to} />}
    </Step>
  );
}

/** The latest text to a number, with its current status. */
function Latest({ to, children }: { readonly to: string; readonly children?: ReactNode }) {
  const { data: message } = useQuery({
    queryKey: ["messages", "latest", to],
    queryFn: async ({ signal }) => (await client.messages.list({ to, pageSize: 1, signal })).data.items[0] ?? null,
  });
  if (!message) return children;
  return (
    <p className="first-latest" aria-live="polite">
      <Status kind="message" value={messageStatus(message)} word={failureWord(message.errorCode)} />
      <Sid value={message.sid} />
      <Link className="link" to={`/messages/${message.sid}`}>
        {message.errorCode === 0 ? "See how" : "Read why"}
      </Link>
    </p>
  );
}

function PhoneAside({ ours, name }: { readonly ours: string; readonly name: string }) {
  return (
    <aside className="first-phone" aria-label="Sandbox phone">
      <SandboxPhone ours={ours} name={name} />
      <p className="dim small">
        Carrier, registry and clearing house have switches too:{" "}
        <Link className="link" to="/sandbox">
          Sandbox
        </Link>
      </p>
      <div className="first-twilio">
        <p className="strong">Coming from Twilio?</p>
        <p className="mid">
          The official client works as it is; only its address changes. <span className="mono">Body</span> is{" "}
          <span className="mono">Text</span> here, and the error says so when you forget.
        </p>
      </div>
    </aside>
  );
}
